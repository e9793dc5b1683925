"""Keeps what an unforeseen error says away from logs: it may repeat what it stumbled over."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import sys
import tempfile
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from tasks.adapters.tracebacks import outline
from tasks.contracts.errors import AnamnesisError, ItemFailed

P = ParamSpec("P")
R = TypeVar("R")

# How a thread or process is told to end.
_SIGNALS = (KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError)

_log = logging.getLogger(__name__)


_STOP_EVERYTHING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


def keep_traceback() -> str:
    """Write the current traceback, without messages, to a private file; returns its path.

    Where no temporary folder can be written, says so in place of the path.
    """
    error = sys.exc_info()[1]
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="anamnesis-error-", suffix=".log", delete=False, encoding="utf-8"
        ) as log:
            log.write(outline(error) if error is not None else "")
    except OSError:
        return "no file, as none can be written in the temporary folder (TMPDIR)"
    return log.name


def stops_everything(error: BaseException) -> bool:
    """True for a full or read-only disk: every other item would fail of it too."""
    return isinstance(error, OSError) and error.errno in _STOP_EVERYTHING


def describe(error: BaseException) -> str:
    """An error in words without data or paths: our own message, a system fault, else its type."""
    if isinstance(error, AnamnesisError):
        return str(error)
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return f"unexpected {type(error).__name__}"


def _unforeseen(error: BaseException) -> ItemFailed:
    _log.error("%s; the details are in %s", describe(error), keep_traceback())
    return ItemFailed(describe(error))


def guarded(step: Callable[P, R]) -> Callable[P, R]:
    """A step whose unforeseen errors reach Prefect by their type only.

    Our own errors pass without what led to them. So do faults of the machine (OSError), which are
    retried, in the system's own words. The rest becomes an ItemFailed; a log line names the file
    with the traceback.
    """

    @wraps(step)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return step(*args, **kwargs)
        except AnamnesisError as error:
            raise error from None
        except OSError as error:
            if error.errno is None:
                raise _unforeseen(error) from None
            raise OSError(error.errno, os.strerror(error.errno)) from None
        except _SIGNALS:
            raise
        except BaseException as error:
            # Polars reports its own faults as a PanicException, which is no Exception.
            if type(error).__module__.startswith("prefect"):
                raise
            raise _unforeseen(error) from None

    return run
