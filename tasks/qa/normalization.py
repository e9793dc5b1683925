"""When two questions, or two stretches of text, count as the same."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:\.\d+)?")


def words(text: str) -> tuple[str, ...]:
    """Words and numbers of a text, width-folded and without case; ``2.5`` stays one word."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def normalize_question(question: str) -> str:
    """The form under which two questions of a patient must not be equal.

    Case, punctuation, spacing and character width are dropped; numbers and dates stay.
    """
    return " ".join(words(question))


def says(text: str, phrase: str) -> bool:
    """Whether a text holds a phrase verbatim, as whole words, without regard to case."""
    return verbatim_pattern(phrase).search(_flat(text)) is not None


def verbatim_pattern(phrase: str) -> re.Pattern[str]:
    """Matches a phrase as whole words in flattened text; ``40 mg`` isn't found in ``140 mg``."""
    return re.compile(rf"(?<![\w])(?<!\d\.){re.escape(_flat(phrase))}(?!\w)(?!\.\d)")


def _flat(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
