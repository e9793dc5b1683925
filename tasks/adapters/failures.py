"""Keeps what an unforeseen error says away from logs: it may repeat what it stumbled over."""

from __future__ import annotations

import errno
import logging
import tempfile
import traceback
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from tasks.contracts.errors import AnamnesisError, ItemFailed

P = ParamSpec("P")
R = TypeVar("R")

_log = logging.getLogger(__name__)


_STOP_EVERYTHING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


def keep_traceback() -> str:
    """Write the current traceback to a file that only the user can read; returns its path.

    Where no temporary folder can be written, says so in place of the path.
    """
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="anamnesis-error-", suffix=".log", delete=False, encoding="utf-8"
        ) as log:
            traceback.print_exc(file=log)
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
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"unexpected {type(error).__name__}"


def guarded(step: Callable[P, R]) -> Callable[P, R]:
    """A step whose unforeseen errors reach Prefect by their type only.

    Our own errors pass, and faults of the machine (OSError), which are retried. The rest becomes
    an ItemFailed; a log line names the file with the traceback.
    """

    @wraps(step)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return step(*args, **kwargs)
        except (AnamnesisError, OSError):
            raise
        except Exception as error:  # noqa: BLE001 - none of them may reach Prefect as it is
            _log.error("%s; the details are in %s", describe(error), keep_traceback())
            raise ItemFailed(describe(error)) from None

    return run
