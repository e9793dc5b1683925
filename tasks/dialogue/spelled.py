"""Long numbers in words as figures: the grounding audit counts only the short ones in words."""

from __future__ import annotations

import re

from tasks.terminology.number_words import NUMBER_VALUES, ONES, TEENS, TENS

_SMALL = rf"(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(ONES)}))?|{'|'.join((*TEENS, *ONES))}"
_HUNDREDS = re.compile(
    rf"\b(?P<hundreds>{'|'.join(ONES)}) hundred(?:(?: and)? (?P<rest>{_SMALL}))?\b", re.IGNORECASE
)
_PRESSURES = re.compile(
    rf"\b(?P<upper>\d{{2,3}}|(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(ONES)}))?) over "
    rf"(?P<lower>\d{{2,3}}|{_SMALL})\b",
    re.IGNORECASE,
)
_HALVES = re.compile(rf"\b(?P<whole>{_SMALL}) and a half\b", re.IGNORECASE)


def in_figures(text: str) -> str:
    """``one hundred and ninety over ninety`` as ``190 over 90``, ``one and a half`` as ``1.5``."""
    if not any(word in text for word in ("hundred", "half", " over ")):
        return text
    text = _HUNDREDS.sub(
        lambda found: str(100 * _value(found["hundreds"]) + _value(found["rest"] or "")), text
    )
    text = _PRESSURES.sub(
        lambda found: f"{_value(found['upper'])} over {_value(found['lower'])}", text
    )
    return _HALVES.sub(lambda found: f"{_value(found['whole'])}.5", text)


def _value(words: str) -> int:
    if words.isdigit():
        return int(words)
    return sum(NUMBER_VALUES[word] for word in re.findall(r"[a-z]+", words.lower()))
