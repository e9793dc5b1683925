"""Ctrl-C, kill and a closed terminal end a command in order, a second one at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_SOON_SECONDS = 0.05


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
        for handled in _to_handle():
            # Else waiting for threads, restarted after signals, would hold the next one up.
            signal.siginterrupt(handled, True)
        raise Stopped(number)

    def deliver_again(lost: sys.UnraisableHookArgs) -> None:
        """Python drops what is raised while it clears up an object; a signal must not get lost."""
        number = _number(lost.exc_value)
        if number is None:
            sys.__unraisablehook__(lost)
            return
        seen.clear()
        threading.Timer(_SOON_SECONDS, os.kill, (os.getpid(), number)).start()

    try:
        before = {number: signal.signal(number, stop) for number in _to_handle()}
    except ValueError:
        # Not the main thread: signals belong to whoever runs it.
        before = {}
    hook, sys.unraisablehook = sys.unraisablehook, deliver_again
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


def _to_handle() -> list[int]:
    known = [getattr(signal, name, None) for name in _NAMES]
    return [one for one in known if one is not None and signal.getsignal(one) != signal.SIG_IGN]


def _number(lost: BaseException | None) -> int | None:
    """The signal behind an exception: Prefect has one of its own, for SIGTERM during a flow."""
    if isinstance(lost, Stopped):
        return lost.exit_code - 128
    return signal.SIGTERM if type(lost).__name__ == "TerminationSignal" else None
