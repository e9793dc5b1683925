"""Whether the sign of a criterion's weight agrees with its wording."""

from __future__ import annotations

import re

_WHO = r"^(?:(?:the|this) )?(?:(?:response|answer) )?"
_FAULT = re.compile(
    _WHO + r"(?:fail(?:s|ing|ure)? to|omits?|leaves? out|ignores?|misses|neglects|"
    r"does not (?:mention|state|ask|warn|recommend|explain|address|include|provide)|"
    r"doesn't (?:mention|state|ask|warn|recommend|explain|address|include|provide)|"
    r"(?:gives|provides|offers|contains) (?:vague|incorrect|inaccurate|wrong|misleading|harmful|"
    r"dangerous|unsafe)|gives advice against|promises|dismisses|未能|遗漏|忽视|给出违背|承诺)",
    re.IGNORECASE,
)
_WRONG = re.compile(
    _WHO + r"(?:incorrectly|inaccurately|wrongly|falsely|"
    r"lacks|overlooks|错误地|没有提及|未提及)",
    re.IGNORECASE,
)
"""Faults by a plain word: they decide on the sign alone, not on how rules judge an answer."""
_MERIT = re.compile(
    _WHO + r"(?:correctly|accurately|appropriately|properly|clearly|"
    r"准确|正确|恰当|清楚)",
    re.IGNORECASE,
)


def names_fault(criterion: str) -> bool:
    """Whether a criterion is worded as something a good answer does not do."""
    return bool(_FAULT.match(criterion.strip()))


def sign_agrees(criterion: str, points: int) -> bool:
    """Whether the sign fits the wording; a wording that leaves it open fits both."""
    text = criterion.strip()
    if points > 0:
        return not (_FAULT.match(text) or _WRONG.match(text))
    return not _MERIT.match(text)
