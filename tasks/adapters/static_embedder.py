"""The offline embedder: the mean of static token vectors, from weights in an installed wheel."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from tasks.adapters.embedders import OFFLINE_MODEL, Vectors
from tasks.contracts.errors import SettingError

_WEIGHTS = Path("weights") / "l2_supercat_256.safetensors"
_TOKENIZER = Path("tokenizers") / "l2_supercat_tokenizer_config.json"

_reading = threading.Lock()


@dataclass(frozen=True)
class StaticEmbedder:
    """WordLlama's vectors, read from its wheel: no download, no network, the same on any machine.

    Only its two data files are used; its code would set up the root logger when imported.
    """

    window_tokens: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector of length one a text, in their order; a text without words has length 0."""
        with _reading:
            tokenizer, weights = _model()
        found = tokenizer.encode_batch(list(texts), add_special_tokens=False)
        lengths = np.array([len(one.ids) for one in found], dtype=np.int64)
        vectors = np.zeros((len(texts), weights.shape[1]), dtype=np.float32)
        held = lengths > 0
        if held.any():
            ids = np.fromiter((token for one in found for token in one.ids), dtype=np.int64)
            starts = np.concatenate(([0], np.cumsum(lengths[held])[:-1]))
            vectors[held] = np.add.reduceat(weights[ids], starts, axis=0)
        return unit_length(vectors)


def unit_length(vectors: Vectors) -> Vectors:
    """Rows scaled to length one; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


@cache
def _model() -> tuple[Tokenizer, Vectors]:
    # Found, not imported: see the class.
    found = find_spec("wordllama")
    places = found.submodule_search_locations if found else None
    if not places:
        raise SettingError(
            f"the offline embedder {OFFLINE_MODEL} is not installed: pip install wordllama, or "
            "give the address of an endpoint for embeddings"
        )
    folder = Path(next(iter(places)))
    tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    (weights,) = load_file(folder / _WEIGHTS).values()
    return tokenizer, weights.astype(np.float32)
