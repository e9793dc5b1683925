"""Python imports this at the start of every process whose PYTHONPATH holds this folder.

Tests use it to look into, and to trip up, processes that they can only start: the command line,
the background server, their children. Each part is off until its variable is set.
"""

from __future__ import annotations

import datetime
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import time
from collections.abc import Sequence
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


class Tripwire(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module and puts a function that raises in the place of one of its own."""

    def __init__(self, module: str, function: str, error: str, words: str) -> None:
        self.module = module
        self.function = function
        self.words = words
        known: dict[str, type[BaseException]] = {"PanicException": PanicException}
        self.error = known.get(error) or vars(__import__("builtins"))[error]
        self.loader: Any = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        assert found is not None
        self.loader, found.loader = found.loader, self
        return found

    def exec_module(self, module: ModuleType) -> None:
        def stumble(*_: object, **__: object) -> None:
            raise self.error(self.words)

        self.loader.exec_module(module)
        assert hasattr(module, self.function)
        setattr(module, self.function, stumble)


class PanicException(BaseException):
    """Like the one that Polars raises for its own faults."""


def move_clock(days: float) -> None:
    """Let Python's clocks run that many days ahead, or behind."""
    shift = datetime.timedelta(days=days)
    real, real_date, real_time, real_ns = datetime.datetime, datetime.date, time.time, time.time_ns

    class _Any(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, real)

    class Moved(real, metaclass=_Any):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return real.now(tz) + shift

        @classmethod
        def utcnow(cls) -> Any:
            return real.now(datetime.UTC).replace(tzinfo=None) + shift

        @classmethod
        def today(cls) -> Any:
            return real.now() + shift

    class _AnyDate(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, real_date)

    class MovedDate(real_date, metaclass=_AnyDate):
        @classmethod
        def today(cls) -> Any:
            return (real.now() + shift).date()

    vars(datetime)["datetime"], vars(datetime)["date"] = Moved, MovedDate
    vars(time)["time"] = lambda: real_time() + shift.total_seconds()
    vars(time)["time_ns"] = lambda: real_ns() + int(shift.total_seconds()) * 10**9


if "PLUGIN_SOCKETS" in os.environ:
    watch_sockets(os.environ["PLUGIN_SOCKETS"])
if "PLUGIN_FAULT" in os.environ:
    sys.meta_path.insert(0, Tripwire(*os.environ["PLUGIN_FAULT"].split(":", 3)))
if "PLUGIN_DAYS" in os.environ:
    move_clock(float(os.environ["PLUGIN_DAYS"]))
