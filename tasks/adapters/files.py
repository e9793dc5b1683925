"""Atomic files, canonical JSON and digests."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from tasks.adapters.exchange import exchange

Model = TypeVar("Model", bound=BaseModel)

_CHUNK_BYTES = 1 << 20
_SYNCING_THREADS = 16
_PRIVATE = 0o700


def canonical_json(value: BaseModel | dict[str, Any] | list[Any]) -> bytes:
    """JSON whose bytes depend on the value alone: UTF-8, two-space indent, newline at the end.

    Fields keep their declared order. Raises ValueError for NaN and infinities.
    """
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    text = json.dumps(plain, ensure_ascii=False, indent=2, allow_nan=False)
    return (text + "\n").encode("utf-8")


def sha256_bytes(content: bytes) -> str:
    """Hex digest of bytes."""
    return hashlib.sha256(content).hexdigest()


def sha256_file(path: Path) -> str:
    """Hex digest of a file, read in chunks."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can open, from its first moment; close an open one."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=_PRIVATE, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) != _PRIVATE:
        folder.chmod(_PRIVATE)


def write_atomic(path: Path, content: bytes, *, mode: int = 0o666) -> str:
    """Write a file so that a reader sees all of it or none; returns its digest.

    ``mode`` is the file's from its first moment, as far as the umask allows it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    try:
        with open(temporary, "wb", opener=partial(os.open, mode=mode)) as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return sha256_bytes(content)


def write_unsynced(path: Path, content: bytes) -> None:
    """Write a file of a folder that nobody reads before ``sync_tree`` and its publication."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def sync_tree(folder: Path) -> None:
    """Have everything below a folder on the disk; together that costs a tenth of one by one."""
    with ThreadPoolExecutor(_SYNCING_THREADS) as pool:
        for _ in pool.map(_sync, (folder, *folder.rglob("*"))):
            pass


def write_json(path: Path, value: BaseModel | dict[str, Any] | list[Any]) -> str:
    """Write canonical JSON atomically; returns the file's digest."""
    return write_atomic(path, canonical_json(value))


def read_model(path: Path, model: type[Model]) -> Model:
    """Read a JSON file as a contract; raises OSError or pydantic.ValidationError."""
    return model.model_validate_json(path.read_bytes())


def replace_directory(new: Path, target: Path) -> None:
    """Put a finished folder in the place of another and remove the old one.

    The two are exchanged in one step where the system can, so that a reader or a kill never finds
    the target missing. Elsewhere the old folder is moved aside first; after a kill in between
    ``recover_directory`` finds it there.
    """
    if not _same_file_system(new, target.parent):
        new = shutil.copytree(new, _beside(target, "next"))
    if not target.exists():
        new.rename(target)
    elif exchange(new, target):
        remove(new)
    else:
        aside = _beside(target, "previous")
        target.rename(aside)
        new.rename(target)
        remove(aside)
    with suppress(OSError):
        # Without it a power cut may bring the old name back; not every file system offers it.
        _sync(target.parent)


def recover_directory(target: Path) -> None:
    """Bring back the old folder after a kill in the middle of ``replace_directory``."""
    # The last one first: an earlier one that could not be removed may lack files.
    for aside in sorted(target.parent.glob(f".{target.name}.previous*"), reverse=True):
        if not target.exists():
            aside.rename(target)
        remove(aside)
    for unfinished in target.parent.glob(f".{target.name}.next*"):
        remove(unfinished)


def remove(path: Path) -> None:
    """Remove a folder, file or link as far as that can be done; what a link points to stays."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Remove the temporary files that a killed ``write_atomic`` left below a folder."""
    for path in folder.rglob(".*.tmp"):
        if path.is_file():
            remove(path)


def _beside(target: Path, what: str) -> Path:
    """A name beside the target that is free; one that can't be removed is passed over."""
    names = (f".{target.name}.{what}{number or ''}" for number in count())
    paths = (target.with_name(name) for name in names)
    for path in paths:
        remove(path)
        if not os.path.lexists(path):
            return path
    raise AssertionError


def _same_file_system(one: Path, other: Path) -> bool:
    return one.stat().st_dev == other.stat().st_dev


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
