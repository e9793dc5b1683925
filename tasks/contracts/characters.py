"""Characters that a reader can't see or takes for others: format marks, look-alike letters."""

from __future__ import annotations

import re
import unicodedata

_HIDDEN = frozenset(["Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"])
_IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0]")
_WORD = re.compile(r"[^\W\d_]+")
_UNITS = frozenset("\N{MICRO SIGN}\N{GREEK SMALL LETTER MU}")


def has_odd_character(text: str) -> bool:
    """The text holds an invisible character, a blank other than a space, or mixed scripts.

    Latin letters are expected; Greek ones stand in words of their own, but for the micro sign.
    """
    if text.isascii() and text.isprintable():
        return False
    return (
        any(char != " " and unicodedata.category(char) in _HIDDEN for char in text)
        or _IGNORABLE.search(text) is not None
        or any(_mixes(word) for word in _WORD.findall(text) if not word.isascii())
    )


def _mixes(word: str) -> bool:
    scripts = {_script(char) for char in word if char not in _UNITS}
    return not (scripts <= {"LATIN"} or scripts == {"GREEK"})


def _script(char: str) -> str:
    """First word of a letter's Unicode name; ordinal signs count as Latin."""
    name = unicodedata.name(char, "UNNAMED")
    return "LATIN" if name.endswith("ORDINAL INDICATOR") else name.split(" ", maxsplit=1)[0]
