"""Python imports this at the start of every process whose PYTHONPATH holds this folder.

Tests use it to look into, and to trip up, processes that they can only start: the command line,
the background server, their children. Each part is off until its variable is set.
"""

from __future__ import annotations

import builtins
import datetime
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_ADDRESSES = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
_NAMES = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")


def watch_sockets(log: str) -> None:
    """Write a line for each address that the process connects to, binds or looks up."""

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _ADDRESSES:
            place = arguments[1]
        elif event in _NAMES:
            place = (arguments[0],)
        else:
            return
        host = place[0] if isinstance(place, tuple) and place else "unix"
        program = os.path.basename(sys.argv[0]) if hasattr(sys, "argv") else ""
        with open(log, "a", encoding="utf-8") as stream:
            stream.write(f"{event}\t{host}\t{os.getpid()}\t{program}\n")

    sys.addaudithook(watch)


class AfterImport(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Lets modules be imported as usual and changes them before anybody uses them."""

    def __init__(self, wanted: Callable[[str], bool], change: Callable[[ModuleType], None]) -> None:
        self.wanted = wanted
        self.change = change
        self.loaders: dict[str, Any] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        if not self.wanted(fullname) or found is None or found.loader is None:
            return None
        self.loaders[fullname], found.loader = found.loader, self
        return found

    def exec_module(self, module: ModuleType) -> None:
        self.loaders[module.__name__].exec_module(module)
        self.change(module)


def trip_up(name: str, function: str, error: str, words: str) -> None:
    """Put a function that raises in the place of one of a module's own."""
    kind: type[BaseException] = {"PanicException": PanicException}.get(error) or getattr(
        builtins, error
    )

    def stumble(*_: object, **__: object) -> None:
        raise kind(words)

    def change(module: ModuleType) -> None:
        assert hasattr(module, function)
        setattr(module, function, stumble)

    sys.meta_path.insert(0, AfterImport(name.__eq__, change))


class PanicException(BaseException):
    """Like the one that Polars raises for its own faults."""


def move_clock(days: float) -> None:
    """Let this project's clocks, and everybody's ``time.time``, run ahead or behind."""
    shift = datetime.timedelta(days=days)
    real, real_time, real_ns = datetime.datetime, time.time, time.time_ns

    class AnyTime(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, real)

    class Moved(real, metaclass=AnyTime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return real.now(tz) + shift

        @classmethod
        def today(cls) -> Any:
            return real.now() + shift

    def change(module: ModuleType) -> None:
        if getattr(module, "datetime", None) is real:
            setattr(module, "datetime", Moved)  # noqa: B010 - modules differ in what they have

    def is_ours(name: str) -> bool:
        # The module that Python runs as its program is not imported.
        return name.startswith(("flows.", "tasks.")) and name != "flows.cli"

    sys.meta_path.insert(0, AfterImport(is_ours, change))
    clocks: dict[str, Callable[[], float]] = {
        "time": lambda: real_time() + shift.total_seconds(),
        "time_ns": lambda: real_ns() + int(shift.total_seconds()) * 10**9,
    }
    for name, clock in clocks.items():
        setattr(time, name, clock)


if "PLUGIN_SOCKETS" in os.environ:
    watch_sockets(os.environ["PLUGIN_SOCKETS"])
if "PLUGIN_FAULT" in os.environ:
    trip_up(*os.environ["PLUGIN_FAULT"].split(":", 3))
if "PLUGIN_DAYS" in os.environ:
    move_clock(float(os.environ["PLUGIN_DAYS"]))
