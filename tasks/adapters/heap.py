"""Spares work with many objects the garbage collector's passes over what will stay anyway."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

THRESHOLDS = (5_000, 20, 50)
"""Objects made before the youngest are looked at, and passes before older ones and all are."""


@contextmanager
def settled_heap() -> Generator[None]:
    """Have the garbage collector leave alone what exists now, and look at the rest less often.

    Modules, models and word lists are some hundred thousand objects, and every item of a stage
    leaves more that live until its end. Passes over them took a tenth of the CPU time of a stage
    whose threads share one core, and held all of them up for up to 0.15 seconds.
    """
    gc.collect()
    gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
