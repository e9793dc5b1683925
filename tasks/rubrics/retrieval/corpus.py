"""Searches a folder of pages: by words (BM25) or by vectors; no network."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tasks.adapters.bm25 import Bm25Index
from tasks.adapters.embedders import EmbedderSpec, open_embedder
from tasks.contracts.rubrics import SearchHit
from tasks.rubrics.retrieval.pages import Page, read_pages
from tasks.rubrics.retrieval.passages import Piece, passages
from tasks.rubrics.retrieval.searching import SearchSpec
from tasks.rubrics.words import content_words


class CorpusSearch:
    """The passages of all pages of a folder."""

    def __init__(self, pages: Sequence[Page], ranking: str) -> None:
        self._pages = {page.url: page for page in pages}
        self._found: list[tuple[Page, Piece]] = [
            (page, piece)
            for page in pages
            for piece in passages(page.text)
            if piece.text != page.title
        ]
        # A title says what a passage is about that doesn't name it again.
        texts = [f"{page.title}\n{piece.text}" for page, piece in self._found]
        self._words = Bm25Index([content_words(text) for text in texts])
        self._embedder = open_embedder(EmbedderSpec(), "") if ranking == "dense" else None
        self._vectors = self._embedder.embed(texts) if self._embedder else None

    def search(self, query: str, limit: int) -> tuple[SearchHit, ...]:
        """The best passage of each of the best pages; none that shares no word with the query."""
        scores = self._scores(query)
        order = np.lexsort((np.arange(len(scores)), -np.round(scores.astype(np.float64), 6)))
        hits: dict[str, SearchHit] = {}
        for place in order:
            page, piece = self._found[int(place)]
            score = round(float(scores[place]), 6)
            if score <= 0 or len(hits) == limit:
                break
            if page.url not in hits:
                hits[page.url] = SearchHit(
                    source_name=page.title,
                    url=page.url,
                    snippet=piece.text,
                    offset=piece.offset,
                    score=score,
                )
        return tuple(hits.values())

    def main_text(self, hit: SearchHit) -> str | None:
        """The text of a page of this folder."""
        page = self._pages.get(hit.url)
        return page.text if page else None

    def _scores(self, query: str) -> npt.NDArray[np.float32]:
        if self._embedder is not None and self._vectors is not None:
            near = self._embedder.embed([query]) @ self._vectors.T
            return near[0]
        return self._words.scores(content_words(query))


_reading = threading.Lock()


def open_corpus(spec: SearchSpec) -> CorpusSearch:
    """The corpus of a specification, read once a process; raises SourceError."""
    # A cache alone lets every thread of a run's first moment read the pages for itself.
    with _reading:
        return _open(spec.folder, spec.digest, spec.ranking)


def pages_without_text(spec: SearchSpec) -> tuple[str, ...]:
    """Paths of pages that no search can find; raises SourceError for a page that can't be read."""
    with _reading:
        return _read(spec.folder, spec.digest)[1]


@lru_cache(maxsize=4)
def _open(folder: str, content: str, ranking: str) -> CorpusSearch:
    return CorpusSearch(_read(folder, content)[0], ranking)


@lru_cache(maxsize=4)
def _read(folder: str, _digest: str) -> tuple[tuple[Page, ...], tuple[str, ...]]:
    return read_pages(Path(folder))
