"""Pure functions computed in processes of their own, so that threads don't queue for one.

Dozens of threads that wait for a server need little of the interpreter, until each has a reply to
check: then they queue for it, and the one on which the whole run waits queues with them. Here the
checks go to a few processes, the most urgent first. A process gets a function's name and bytes and
returns bytes. Whatever goes wrong there is computed again by the caller, where it is reported.
"""

from __future__ import annotations

import errno
import heapq
import importlib
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import IO

from tasks.adapters.heap import settled_heap

SideFunction = Callable[[bytes], bytes]
"""A function of a module's top level that depends on nothing but its argument."""

MOST_PROCESSES = 8

_LENGTH_BYTES = 8
_DONE, _FAILED = b"\0", b"\1"
_log = logging.getLogger(__name__)


class SideProcesses:
    """A few processes for pure functions; safe to use from threads.

    The first call starts them. Until one is ready, and after all are lost, callers compute for
    themselves.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._all: list[_Process] = []
        self._waiting: list[_Waiting] = []
        self._order = count()
        self._started = False
        self._closed = False

    def call(self, function: SideFunction, given: bytes, urgency: float) -> bytes:
        """The function's result; of several callers the one with most urgency goes first."""
        process = self._take(urgency)
        if process is None:
            return function(given)
        try:
            result = process.compute(_name(function), given)
        except (OSError, ValueError):
            # ValueError: its streams were closed at the end of the run.
            self._lose(process)
            return function(given)
        self._give_back(process)
        return function(given) if result is None else result

    def close(self) -> None:
        """End the processes; calls under way are computed by their callers."""
        with self._lock:
            self._closed = True
            ending, self._all, self._idle = self._all, [], []
            self._refuse_all()
        for process in ending:
            process.end()

    def _take(self, urgency: float) -> _Process | None:
        with self._lock:
            if not self._started:
                self._started = True
                threading.Thread(target=self._start, name="side-processes", daemon=True).start()
            if not self._all:
                return None
            if self._idle:
                return self._idle.pop()
            waiting = _Waiting(-urgency, next(self._order))
            heapq.heappush(self._waiting, waiting)
        waiting.served.wait()
        return waiting.process

    def _start(self) -> None:
        for _ in range(self._processes):
            try:
                process = _ready_process()
            except OSError as error:
                _log.warning("no process for checks could be started (%s)", error.strerror)
                return
            with self._lock:
                if not self._closed:
                    self._all.append(process)
                    self._hand_on(process)
                    continue
            process.end()

    def _give_back(self, process: _Process) -> None:
        with self._lock:
            if process in self._all:
                self._hand_on(process)

    def _hand_on(self, process: _Process) -> None:
        if self._waiting:
            heapq.heappop(self._waiting).serve(process)
        else:
            self._idle.append(process)

    def _lose(self, process: _Process) -> None:
        with self._lock:
            if process in self._all:
                self._all.remove(process)
                _log.warning("a process for checks ended early; its work is done again")
            if not self._all:
                self._refuse_all()
        process.end()

    def _refuse_all(self) -> None:
        for waiting in self._waiting:
            waiting.serve(None)
        self._waiting.clear()


@dataclass(order=True)
class _Waiting:
    """A caller in the queue; the lowest goes first."""

    rank: float
    order: int
    served: threading.Event = field(default_factory=threading.Event, compare=False)
    process: _Process | None = field(default=None, compare=False)

    def serve(self, process: _Process | None) -> None:
        self.process = process
        self.served.set()


class _Process:
    """One process: a request and its answer at a time.

    It ends when this process ends in whatever way: its input is closed then. It gets nothing of
    the environment but where to find modules, so no key either, and it says nothing.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )

    def compute(self, name: str, given: bytes) -> bytes | None:
        """The answer; None where the function raised. Raises OSError for a lost process."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None and answers is not None
        _write(requests, name.encode())
        _write(requests, given)
        answer = _read(answers)
        if answer is None:
            raise BrokenPipeError(errno.EPIPE, "it ended early")
        return answer[1:] if answer[:1] == _DONE else None

    def end(self) -> None:
        """End it, and wait until it is gone."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()


def _ready_process() -> _Process:
    """A process that has answered once; raises OSError where it can't be started or ends."""
    process = _Process()
    try:
        process.compute(_name(_echo), b"")
    except OSError:
        process.end()
        raise
    return process


def _name(function: SideFunction) -> str:
    return f"{function.__module__}:{function.__name__}"


def _echo(given: bytes) -> bytes:
    return given


def _write(stream: IO[bytes], content: bytes) -> None:
    stream.write(len(content).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(content)
    stream.flush()


def _read(stream: IO[bytes]) -> bytes | None:
    """The next content; None where the stream has ended, be it in the middle of one."""
    length = stream.read(_LENGTH_BYTES)
    if len(length) < _LENGTH_BYTES:
        return None
    expected = int.from_bytes(length, "big")
    content = stream.read(expected)
    return content if len(content) == expected else None


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    while (name := _read(requests)) is not None and (given := _read(requests)) is not None:
        try:
            module, _, function = name.decode().partition(":")
            answer = _DONE + getattr(importlib.import_module(module), function)(given)
        except Exception:  # noqa: BLE001 - the caller meets the error again and reports it
            answer = _FAILED
        _write(answers, answer)


_current: SideProcesses | None = None


@contextmanager
def side_processes(processes: int) -> Generator[None]:
    """Have pure functions of this process computed in others until the end; 0 for in none."""
    global _current
    made = SideProcesses(processes) if processes > 0 else None
    before, _current = _current, made
    try:
        yield
    finally:
        _current = before
        if made is not None:
            made.close()


def computed(function: SideFunction, given: bytes, urgency: float = 0.0) -> bytes:
    """The function's result, from another process where this one has any."""
    return function(given) if _current is None else _current.call(function, given, urgency)


if __name__ == "__main__":
    with settled_heap():
        _serve(sys.stdin.buffer, sys.stdout.buffer)
