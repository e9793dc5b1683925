"""One run per output folder at a time."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import filelock
from pydantic import ValidationError

from tasks.adapters.failures import stops_everything
from tasks.adapters.files import read_model, write_json
from tasks.contracts.base import Contract
from tasks.contracts.errors import AnamnesisError, RunFailed, SettingError


class Holder(Contract):
    """Who holds an output folder."""

    pid: int
    host: str
    since: str
    flow_run_id: str | None = None


@contextmanager
def output_lock(
    out: Path, *, wait_seconds: float, flow_run_id: str | None = None
) -> Generator[Holder | None]:
    """Hold the output folder for one run; the folder is made where it is missing.

    Gives the earlier holder that was killed, where there is one: the lock ends with its process,
    its name stays. Raises SettingError saying who holds the folder where it isn't free within
    ``wait_seconds``, and where it can't be written.
    """
    holder = out / ".run.json"
    lock = filelock.FileLock(out / ".run.lock")
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=wait_seconds)
        killed = _read(holder)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        mine = Holder(pid=os.getpid(), host=socket.gethostname(), since=now)
        write_json(holder, mine.model_copy(update={"flow_run_id": flow_run_id}))
    except filelock.Timeout:
        raise SettingError(
            f"{out} is used by another run{_describe(holder)}: wait for it, end it, or choose "
            "another output folder"
        ) from None
    except OSError as error:
        lock.release()
        raise unusable_output(out, error) from None
    try:
        yield killed
    finally:
        with suppress(OSError):
            holder.unlink(missing_ok=True)
        lock.release()


def unusable_output(out: Path, error: OSError) -> AnamnesisError:
    """What to tell the user of an output folder that can't be used; a full disk isn't wrong use."""
    if stops_everything(error) and error.errno != errno.EROFS:
        return RunFailed(f"the output folder {out} can't be written ({error.strerror})")
    return SettingError(
        f"the output folder {out} can't be written ({error.strerror}): choose another one"
    )


def _read(holder: Path) -> Holder | None:
    try:
        return read_model(holder, Holder)
    except (OSError, ValidationError):
        return None


def _describe(holder: Path) -> str:
    found = _read(holder)
    return f" (process {found.pid} on {found.host}, since {found.since})" if found else ""
