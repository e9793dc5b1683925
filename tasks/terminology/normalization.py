"""When two questions, or two stretches of text, count as the same."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SHORT_FORMS = {
    "w/o": "without",
    "w/": "with",
    "&": "and",
    "abd": "abdomen",
    "bilat": "bilateral",
    "ext": "extremity",
    "exts": "extremities",
    "lat": "lateral",
    "obl": "oblique",
    "unilat": "unilateral",
    "us": "ultrasound",
}
_SHORT_FORM = re.compile(
    r"(?<![\w/])(?:w/o(?![\w/])|w/(?=[\s\d]|$)|&|(?:abd|bilat|exts?|lat|obl|unilat|us)(?![\w/]))",
    re.IGNORECASE,
)
_CLOSE_COMMA = re.compile(r"(?<=[^\W\d_]),(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+(?:\.\d+)?")
_SHORT_WORDS = frozenset(form for form in _SHORT_FORMS if form.isalpha())
_TEXTS_KEPT = 8192


def spelled_out(text: str) -> str:
    """A text with the short forms of orders and reports in full: ``w/o`` becomes ``without``."""
    if not _SHORT_FORM.search(text):
        return text
    in_full = _SHORT_FORM.sub(lambda found: _SHORT_FORMS[found[0].lower()], text)
    return _CLOSE_COMMA.sub(", ", in_full)


def words(text: str) -> tuple[str, ...]:
    """Words and numbers of a text in full, width-folded and without case; ``2.5`` is one word."""
    plain = _folded(text)
    found = _WORD.findall(plain)
    # The search for short forms costs more than the rest: most texts can't hold any.
    if "&" in plain or "w/" in plain or not _SHORT_WORDS.isdisjoint(found):
        found = _WORD.findall(spelled_out(plain).casefold())
    return tuple(found)


def normalize_question(question: str) -> str:
    """The form under which two questions of a patient must not be equal.

    Case, punctuation, spacing and character width are dropped; numbers and dates stay.
    """
    return " ".join(words(question))


def says(text: str, phrase: str) -> bool:
    """Whether a text holds a phrase verbatim, as whole words, without regard to case."""
    held = flattened(text)
    return flattened(phrase) in held and verbatim_pattern(phrase).search(held) is not None


@lru_cache(maxsize=_TEXTS_KEPT)
def verbatim_pattern(phrase: str) -> re.Pattern[str]:
    """Matches a phrase as whole words in flattened text; ``40 mg`` isn't found in ``140 mg``."""
    return re.compile(rf"(?<![\w])(?<!\d\.){re.escape(flattened(phrase))}(?!\w)(?!\.\d)")


@lru_cache(maxsize=_TEXTS_KEPT)
def flattened(text: str) -> str:
    """A text as phrases are sought in it: no case, no width, no line breaks, short forms in full.

    A text says no phrase whose flattened form its own doesn't hold.
    """
    return " ".join(spelled_out(unicodedata.normalize("NFKC", text)).casefold().split())


def _folded(text: str) -> str:
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold()
