"""One run per output folder at a time."""

from __future__ import annotations

import os
import socket
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import filelock
from pydantic import ValidationError

from tasks.adapters.files import read_model, write_json
from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError


class Holder(Contract):
    """Who holds an output folder."""

    pid: int
    host: str
    since: str


@contextmanager
def output_lock(out: Path, *, wait_seconds: float) -> Generator[None]:
    """Hold the output folder for one run; the folder is made where it is missing.

    The lock ends with the process, also when it is killed. Raises SettingError saying who holds the
    folder where it isn't free within ``wait_seconds``, and where it can't be written.
    """
    holder = out / ".run.json"
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(out / ".run.lock")
        lock.acquire(timeout=wait_seconds)
    except filelock.Timeout:
        raise SettingError(
            f"{out} is used by another run{_describe(holder)}: wait for it, end it, or choose "
            "another output folder"
        ) from None
    except OSError as error:
        raise SettingError(
            f"the output folder {out} can't be written ({error.strerror}): choose another one"
        ) from None
    try:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        write_json(holder, Holder(pid=os.getpid(), host=socket.gethostname(), since=now))
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _describe(holder: Path) -> str:
    try:
        found = read_model(holder, Holder)
    except (OSError, ValidationError):
        return ""
    return f" (process {found.pid} on {found.host}, since {found.since})"
