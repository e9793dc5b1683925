"""Exchanges two paths in one step, where the system offers it."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_AT_FDCWD = -100
_EXCHANGE = 2
"""Linux: RENAME_EXCHANGE of renameat2; macOS: RENAME_SWAP of renamex_np."""


def exchange(one: Path, other: Path) -> bool:
    """Let two existing paths of a file system change places; False where that can't be done.

    There is no moment at which either path is missing.
    """
    library = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    if hasattr(library, "renameat2"):
        return library.renameat2(_AT_FDCWD, first, _AT_FDCWD, second, _EXCHANGE) == 0
    if hasattr(library, "renamex_np"):
        return library.renamex_np(first, second, _EXCHANGE) == 0
    return False
