"""Vectors on disk, so that no text is embedded twice, whatever is killed when."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from tasks.adapters.embedders import Vectors
from tasks.adapters.files import make_private, remove, write_atomic

_OWNER_ONLY = 0o600


class KeptVectors:
    """The vectors of a folder, to be read: one file a request, ``{subject_id}/{key}.npy``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, subject_id: str, key: str, rows: int) -> Vectors | None:
        """The kept vectors; None where there are none or their file is damaged."""
        try:
            content = self._path(subject_id, key).read_bytes()
            kept = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
        except (OSError, ValueError, MemoryError):
            return None
        right = kept.dtype == np.float32 and kept.ndim == 2 and len(kept) == rows
        return kept if right and np.isfinite(kept).all() else None

    def _path(self, subject_id: str, key: str) -> Path:
        return self._folder / subject_id / f"{key}.npy"


class VectorStore(KeptVectors):
    """The same, each file for its owner alone, to be read and added to."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        make_private(folder)

    def put(self, subject_id: str, key: str, vectors: Vectors) -> None:
        """Keep vectors; raises OSError where the disk doesn't take them."""
        path = self._path(subject_id, key)
        make_private(path.parent)
        if path.is_dir():
            remove(path)
        content = io.BytesIO()
        np.save(content, vectors, allow_pickle=False)
        write_atomic(path, content.getvalue(), mode=_OWNER_ONLY)
