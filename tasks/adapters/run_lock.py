"""One run per output folder at a time."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def output_lock(out: Path, *, wait_seconds: float) -> Generator[None]:
    """Hold the output folder for one run; the folder is made where it is missing.

    Raises SettingError saying who holds it where it isn't free within ``wait_seconds``.
    """
    raise NotImplementedError
    yield
