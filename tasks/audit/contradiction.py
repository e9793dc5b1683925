from __future__ import annotations
def contradictions(case, question, turns):
    return ()
