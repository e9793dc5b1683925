"""Whose code a process spends its CPU time on: a sampler that runs beside it in a thread.

Each sample takes every thread's CPU time since the last one (Linux, /proc) and gives it to the
innermost frame that belongs to a named part. Threads without Python frames are DuckDB's workers.
"""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from pathlib import Path
from types import FrameType

SECONDS_BETWEEN_SAMPLES = 0.02
PARTS = (
    ("Prefect", ("/prefect/", "/httpx/", "/httpcore/", "/websockets/", "/anyio/", "/asyncio/")),
    ("Great Expectations", ("/great_expectations/", "/pandas/")),
    ("DuckDB", ("/duckdb/", "/mimic_database.py", "/mimic_referee.py")),
    ("our own code", ("/tasks/", "/flows/")),
)
"""A part's name and what its files' paths hold."""
STARTING = "starting and imports"
_IMPORTING = "<frozen importlib"
_TASKS = Path("/proc/self/task")


class CpuShares:
    """Samples from ``start`` to ``stop``; ``seconds`` is CPU time by part."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="cpu-shares", daemon=True)
        self._spent: dict[int, float] = {}

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_SAMPLES):
            self._sample()

    def _sample(self) -> None:
        frames = sys._current_frames()
        parts = {
            thread.native_id: _part(frames.get(thread.ident or 0))
            for thread in threading.enumerate()
        }
        for folder in _TASKS.iterdir():
            native = int(folder.name)
            if native == self._thread.native_id:
                continue
            spent = _cpu_seconds(folder)
            since = spent - self._spent.get(native, 0.0)
            self._spent[native] = spent
            if since > 0:
                self.seconds[parts.get(native, "DuckDB")] += since


def _part(frame: FrameType | None) -> str:
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(_IMPORTING):
            return STARTING
        for name, marks in PARTS:
            if any(mark in path for mark in marks):
                return name
        frame = frame.f_back
    return STARTING


def _cpu_seconds(folder: Path) -> float:
    try:
        return int((folder / "schedstat").read_text().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
