"""Spares a stage with many objects the garbage collector's passes over what was there before."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def settled_heap() -> Generator[None]:
    """Have the garbage collector leave alone what exists now: modules, models, word lists.

    With some hundred thousand objects loaded, its passes took an eighth of the CPU time of a stage
    whose threads share one core, and held all of them up.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
