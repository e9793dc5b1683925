"""BM25 scores by the bm25s library: Lucene's formula, k1 1.5 and b 0.75."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import bm25s
import numpy as np
import numpy.typing as npt

# It logs every index it builds, whatever the level of others.
logging.getLogger("bm25s").setLevel(logging.WARNING)

Scores = npt.NDArray[np.float32]


class Bm25Index:
    """Scores documents, each a list of words, for a query; safe to read from several threads."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._count = len(documents)
        self._vocabulary = {word for words in documents for word in words}
        self._scorer = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
        if self._vocabulary:
            self._scorer.index([list(words) for words in documents], show_progress=False)

    def scores(self, query: Sequence[str]) -> Scores:
        """One score a document; all 0 where no word of the query is known."""
        known = [word for word in query if word in self._vocabulary]
        if not known:
            return np.zeros(self._count, dtype=np.float32)
        return self._scorer.get_scores(known)
