"""Ranks documents for questions: by words (BM25) or by vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tasks.adapters.bm25 import Bm25Index
from tasks.adapters.embedders import Embedder, Vectors
from tasks.adapters.tokens import count_tokens
from tasks.terminology.splitting import split_words

Ranking = tuple[int, ...]
"""Positions of all documents, best first."""

Document = tuple[str, ...]
"""A document's lines; it is split between them where it is too long for an embedder."""


class Ranker(Protocol):
    """Ranks a fixed list of documents, which stand in time order."""

    @property
    def split_documents(self) -> int:
        """Documents that were scored in parts."""
        ...

    def rank(self, questions: Sequence[str]) -> list[Ranking]:
        """A ranking of all documents for each question; of equals the latest is best."""
        ...


class LexicalRanker:
    """BM25 over the words of the documents."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._index = Bm25Index([split_words("".join(lines)) for lines in documents])

    @property
    def split_documents(self) -> int:
        """0: words have no window."""
        return 0

    def rank(self, questions: Sequence[str]) -> list[Ranking]:
        """A ranking of all documents for each question; of equals the latest is best."""
        return [best_first(self._index.scores(split_words(one))) for one in questions]


class DenseRanker:
    """Cosine similarity; a document that was split is as near as its nearest part."""

    def __init__(self, documents: Sequence[Document], embedder: Embedder) -> None:
        self._embedder = embedder
        parts = [split_document(lines, embedder.window_tokens) for lines in documents]
        self._starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)[:-1]
        self._vectors = embedder.embed([part for each in parts for part in each])
        self._split_documents = sum(len(each) > 1 for each in parts)

    @property
    def split_documents(self) -> int:
        """Documents that were scored in parts."""
        return self._split_documents

    def rank(self, questions: Sequence[str]) -> list[Ranking]:
        """A ranking of all documents for each question; of equals the latest is best."""
        if not len(self._vectors) or not questions:
            return [() for _ in questions]
        near = self._embedder.embed(questions) @ self._vectors.T
        return [best_first(one) for one in np.maximum.reduceat(near, self._starts, axis=1)]


MakeRanker = Callable[[Sequence[Document]], Ranker]


def ranker_maker(embedder: Embedder | None) -> MakeRanker:
    """How documents are ranked: by vectors where there is an embedder, else by words."""
    if embedder is None:
        return LexicalRanker
    return lambda documents: DenseRanker(documents, embedder)


class RememberingEmbedder:
    """Embeds each text once, for lists of documents that grow."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, npt.NDArray[np.float32]] = {}

    @property
    def window_tokens(self) -> int:
        """Longest text embedded in one piece."""
        return self._embedder.window_tokens

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector a text, asked for only where the text is new."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known |= dict(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def best_first(scores: npt.NDArray[np.float32]) -> Ranking:
    """Positions by falling score; of equals the last comes first.

    Scores are compared to six digits: sums of floats differ in the last ones between machines.
    """
    order = np.lexsort((-np.arange(len(scores)), -np.round(scores.astype(np.float64), 6)))
    return tuple(order.tolist())


def split_document(lines: Document, window_tokens: int) -> list[str]:
    """A document in pieces that an embedder reads whole; an empty one is one empty piece.

    Pieces are lines that fit together, and the parts of a line that is too long alone. Tokens add
    up over lines that begin with a digit or letter and end in a line break.
    """
    pieces: list[str] = []
    room = 0
    for line in lines:
        tokens = count_tokens(line)
        if tokens > window_tokens:
            pieces += _split_line(line, window_tokens)
            room = 0
        elif tokens > room or not pieces:
            pieces.append(line)
            room = window_tokens - tokens
        else:
            pieces[-1] += line
            room -= tokens
    return pieces or [""]


def _split_line(line: str, window_tokens: int) -> list[str]:
    """A line in pieces of at most so many tokens, cut in halves until they are."""
    if len(line) < 2 or count_tokens(line) <= window_tokens:
        return [line]
    middle = len(line) // 2
    blank = line.rfind(" ", 0, middle)
    cut = blank + 1 if blank > 0 else middle
    return _split_line(line[:cut], window_tokens) + _split_line(line[cut:], window_tokens)
