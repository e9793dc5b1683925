"""An embeddings endpoint that is sent nothing: counts the requests that it would get."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tasks.adapters.embedders import EmbedderSpec, Vectors
from tasks.adapters.llm.embeddings import vectors_key
from tasks.adapters.llm.unsent import Unsent
from tasks.adapters.llm.vector_store import KeptVectors
from tasks.adapters.tokens import count_tokens


@dataclass
class UnsentVectors:
    """Gives the vectors that are kept, and zeros for all others: with ``missing`` set, nothing can
    be ranked by them. ``known`` are the requests that are counted already.
    """

    spec: EmbedderSpec
    kept: KeptVectors
    known: set[str] = field(default_factory=set[str], repr=False)
    requests: Unsent = field(default_factory=Unsent)
    missing: bool = False
    _width: int = 0

    def vectors(self, texts: Sequence[str], subject_id: str) -> Vectors:
        """The vectors of the texts of one request."""
        key = vectors_key(self.spec, texts)
        kept = self.kept.get(subject_id, key, len(texts))
        if kept is not None:
            self.requests.kept += 1
        else:
            self._count(key, texts)
        self._width = self._width or (1 if kept is None else kept.shape[1])
        if kept is not None and kept.shape[1] == self._width:
            return kept
        self.missing = True
        return np.zeros((len(texts), self._width), dtype=np.float32)

    def _count(self, key: str, texts: Sequence[str]) -> None:
        if key not in self.known:
            self.known.add(key)
            self.requests.requests += 1
            self.requests.prompt_tokens += sum(map(count_tokens, texts))
