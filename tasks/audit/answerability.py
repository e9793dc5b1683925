from __future__ import annotations
def answered(question, asked, turns, record, sessions):
    return ()
