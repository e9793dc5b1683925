"""Which language a text is in, as far as the wording of rules needs it."""

from __future__ import annotations

import re

from tasks.contracts.rubrics import Language

CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN_WORD = re.compile("[A-Za-z]+")


def language_of(text: str) -> Language:
    """zh where a text has more Chinese characters than Latin words, else en."""
    return "zh" if len(CHINESE.findall(text)) > len(_LATIN_WORD.findall(text)) else "en"
