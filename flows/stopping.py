"""Ctrl-C, kill and a closed terminal end a command in order, a second one at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Stopped(KeyboardInterrupt):
    """A signal ended the command; ``exit_code`` is 128 and its number, as shells have it."""

    def __init__(self, number: int) -> None:
        name = signal.Signals(number).name
        super().__init__("interrupted" if number == signal.SIGINT else f"ended by {name}")
        self.exit_code = 128 + number


@contextmanager
def stoppable() -> Generator[None]:
    """Turn the first signal into Stopped; the next one ends the process as ``kill -9`` would.

    A signal that is ignored (nohup, a background job's Ctrl-C) stays ignored.
    """
    seen: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> NoReturn:
        if seen:
            os._exit(128 + number)
        seen.append(number)
        raise Stopped(number)

    before = {
        number: handler
        for name in _NAMES
        if (number := getattr(signal, name, None)) is not None
        and (handler := signal.getsignal(number)) != signal.SIG_IGN
    }
    try:
        for number in before:
            signal.signal(number, stop)
    except ValueError:
        # Not the main thread: signals belong to whoever runs it.
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
