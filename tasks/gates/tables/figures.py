"""Does a turn give the answered dose or change to what the question asks about?

Only for answers that are a dose, a frequency with one, or a change of one: a turn lists several
medicines, and the words of a wrong answer stand in the turn as well as those of the right one.
"""

from __future__ import annotations

import re

_FIGURE = re.compile(
    r"\d+(?:\.\d+)? "
    r"(?:mg|mcg|g|grams?|units?|puffs?|tabs?|tablets?|caps?|capsules?|ml|meq|drops?)\b"
    r"|(?:increased|decreased|changed) ",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?<=[.?!;])\s+|; |, (?!\d)| and (?=\w)|: ")
_WORD = re.compile(r"[^\W_]+(?:[./:%'-][^\W_]+)*")
_COMMON = frozenset([
    "a", "admission", "after", "an", "and", "as", "at", "before", "by", "change", "changed",
    "daily", "did", "discharge", "doctor", "dose", "during", "for", "from", "home", "hospital",
    "hospitalization", "how", "in", "is", "many", "mouth", "much", "of", "on", "patient",
    "planned", "stay", "take", "taken", "takes", "taking", "the", "to", "was", "were", "what",
    "which", "with", "written", "you", "your",
])  # fmt: skip


def is_of_another(question: str, answer: str, text: str) -> bool:
    """The turn says the answer only beside other things, and the asked one elsewhere."""
    wanted = answer.lower().strip(" .")
    if _FIGURE.match(wanted) is None:
        return False
    asked = _words(question) - _words(answer) - _COMMON
    items = [item.lower() for item in _ITEM.split(text)]
    holding = [item for item in items if wanted in item]
    others = [item for item in items if wanted not in item]
    named = any(asked & _words(item) for item in holding)
    return bool(holding) and not named and any(asked & _words(item) for item in others)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
