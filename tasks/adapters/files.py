"""Atomic files, canonical JSON and digests."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)

_CHUNK_BYTES = 1 << 20
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


def write_atomic(path: Path, content: bytes) -> str:
    """Write a file so that a reader sees all of it or none; returns its digest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return sha256_bytes(content)


def write_json(path: Path, value: BaseModel | dict[str, Any] | list[Any]) -> str:
    """Write canonical JSON atomically; returns the file's digest."""
    return write_atomic(path, canonical_json(value))


def read_model(path: Path, model: type[Model]) -> Model:
    """Read a JSON file as a contract; raises OSError or pydantic.ValidationError."""
    return model.model_validate_json(path.read_bytes())


def replace_directory(new: Path, target: Path) -> None:
    """Put a finished folder in the place of another.

    The old folder is moved aside, not deleted, until the new one stands; a kill in between leaves
    it beside the target, where ``recover_directory`` finds it.
    """
    aside = _aside(target)
    if target.exists():
        shutil.rmtree(aside, ignore_errors=True)
        target.rename(aside)
    new.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def recover_directory(target: Path) -> None:
    """Bring back the old folder after a kill in the middle of ``replace_directory``."""
    aside = _aside(target)
    if aside.exists() and not target.exists():
        aside.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def _aside(target: Path) -> Path:
    return target.with_name(f".{target.name}.previous")
