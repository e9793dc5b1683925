"""Cuts a text into passages and sentences, each with its place."""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST_PASSAGE = 500
"""Characters of a passage, where its sentences allow."""

_SENTENCE = re.compile(r"[^\n]+?(?:[.!?](?=\s|$)|[。！？]+|(?=\n)|$)")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|Dr|vs|approx|etc|No)|\b[A-Z])\.$")


class Piece(NamedTuple):
    """A piece of a text and where it begins."""

    offset: int
    text: str


def sentences(text: str) -> list[Piece]:
    """The sentences of a text; a line's end ends one too."""
    found: list[Piece] = []
    open_at: int | None = None
    for match in _SENTENCE.finditer(text):
        start = match.start() if open_at is None else open_at
        piece = text[start : match.end()]
        if _ABBREVIATION.search(piece):
            open_at = start
            continue
        open_at = None
        stripped = piece.strip()
        if stripped:
            found.append(Piece(start + piece.index(stripped), stripped))
    if open_at is not None and (rest := text[open_at:].strip()):
        found.append(Piece(text.index(rest, open_at), rest))
    return found


def passages(text: str) -> list[Piece]:
    """Runs of whole sentences within one paragraph, at most 500 characters where they allow."""
    found: list[Piece] = []
    for paragraph in re.finditer(r"(?:[^\n]|\n(?!\n))+", text):
        start: int | None = None
        end = 0
        for one in sentences(paragraph[0]):
            if start is not None and one.offset + len(one.text) - start > LONGEST_PASSAGE:
                found.append(_piece(paragraph, start, end))
                start = None
            start = one.offset if start is None else start
            end = one.offset + len(one.text)
        if start is not None:
            found.append(_piece(paragraph, start, end))
    return found


def _piece(paragraph: re.Match[str], start: int, end: int) -> Piece:
    return Piece(paragraph.start() + start, paragraph[0][start:end])
