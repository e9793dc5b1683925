"""Writes what is shown of a timeline as one fenced block, and counts it without reading it anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from tasks.adapters.prompts import fenced
from tasks.adapters.tokens import count_tokens
from tasks.answering.timeline import ContextLine, TimelineText
from tasks.contracts.questions import CitedTurn

FENCE_TOKENS = 32
"""More than the two lines of a fence take."""

_BLOCKS_KEPT = 8


@dataclass(frozen=True)
class Block:
    """A fenced text that ends in a line break, its tokens, and the lines in it."""

    text: str = field(repr=False)
    tokens: int
    lines: tuple[ContextLine, ...] = field(repr=False)


@dataclass(frozen=True)
class Shown:
    """What a request shows, and what a prediction says of that."""

    block: Block
    turns: int
    all_turns: int
    truncated: bool
    sessions: tuple[str, ...]
    summary: str = field(default="", repr=False)
    ranked_admissions: tuple[str, ...] | None = None
    ranked_turns: tuple[CitedTurn, ...] | None = None
    split_documents: int = 0


class TurnBlocks:
    """Blocks of a timeline's turns; the last ones are kept, as many questions share one."""

    def __init__(self, timeline: TimelineText) -> None:
        self._timeline = timeline
        self._written = lru_cache(maxsize=_BLOCKS_KEPT)(self._write)

    def of(self, positions: tuple[int, ...], with_headers: bool = False) -> Block:
        """The block of turns at these positions, in time order."""
        return self._written(positions, with_headers)

    def _write(self, positions: tuple[int, ...], with_headers: bool) -> Block:
        turns = [self._timeline.turns[position] for position in positions]
        pieces: list[tuple[str, int]] = []
        session = -1
        for turn in turns:
            if with_headers and turn.session != session:
                session = turn.session
                begun = self._timeline.sessions[session]
                pieces.append((begun.header, begun.header_tokens))
            pieces.append((turn.line, turn.tokens))
        return fenced_block(pieces, "conversations", tuple(turn.shown for turn in turns))


def fenced_block(
    pieces: Iterable[tuple[str, int]], label: str, lines: tuple[ContextLine, ...]
) -> Block:
    """Pieces of text, each a line with its break and its tokens, between the lines of a fence."""
    pieces = list(pieces)
    text = fenced("".join(piece for piece, _ in pieces).removesuffix("\n"), label) + "\n"
    if not pieces:
        return Block(text, count_tokens(text), lines)
    head = text[: text.index("\n") + 1]
    tail = text[text.rindex("\n", 0, -1) + 1 :]
    held = sum(tokens for _, tokens in pieces)
    return Block(text, count_tokens(head) + held + count_tokens(tail), lines)
