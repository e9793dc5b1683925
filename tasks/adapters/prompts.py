"""What prompts of every domain need: fences around data."""

from __future__ import annotations

import hashlib
from itertools import count

_MARK_DIGITS = 6


def fenced(text: str, label: str) -> str:
    """A text between two lines with a mark that occurs nowhere in it: it can't end its own fence.

    Prompts say that what stands between such lines is data. The mark depends on the text alone.
    """
    marks = (hashlib.sha256(f"{text}{number}".encode()).hexdigest() for number in count())
    held = text.lower()
    mark = next(one[:_MARK_DIGITS] for one in marks if one[:_MARK_DIGITS] not in held)
    return f"<<<{mark} {label}\n{text}\n{mark}>>>"
