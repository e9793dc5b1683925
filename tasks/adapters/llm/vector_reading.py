"""Reads the answer of a server of embeddings."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from tasks.adapters.embedders import Vectors
from tasks.adapters.llm.outcomes import Usage
from tasks.adapters.llm.transport import Response


def read_vectors(response: Response, wanted: int) -> tuple[Vectors, Usage | None] | None:
    """The vectors of an answer in the order of the texts, and its usage; None for anything else."""
    body = cast("dict[str, Any]", response.body) if isinstance(response.body, dict) else {}
    try:
        rows = {int(one["index"]): one["embedding"] for one in body["data"]}
        # Numbers that don't fit become infinite, which no length may be.
        with np.errstate(over="ignore"):
            vectors = np.array([rows[place] for place in range(wanted)], dtype=np.float32)
            lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    if len(rows) != wanted or vectors.ndim != 2 or not vectors.size:
        return None
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        return None
    stated = body.get("usage")
    given = (
        cast("dict[str, Any]", stated).get("prompt_tokens") if isinstance(stated, dict) else None
    )
    usage = Usage(given, 0, 0) if isinstance(given, int) and given > 0 else None
    return (vectors / lengths).astype(np.float32), usage
