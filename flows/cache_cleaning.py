"""Removes from an output's cache what the last finished build did not use."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from tasks.adapters.files import read_model, remove, write_json
from tasks.adapters.run_lock import output_lock
from tasks.adapters.workspace import REPLIES, Workspace
from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError

_WAIT_SECONDS = 1.0


class Used(Contract):
    """``cache/used.json``: the cache keys of the last finished build; ids and digests only."""

    keys: tuple[str, ...]


@dataclass(frozen=True)
class Cleaned:
    """What was removed, or would be; ``unfinished`` where the last build did not finish."""

    files: int
    bytes: int
    unfinished: bool


def key_of(path: str) -> str:
    """The cache key in a staged file's path."""
    return Path(path).name.removesuffix(".json")


def note_used(workspace: Workspace, keys: set[str]) -> None:
    """Keep what a finished build used."""
    write_json(_used(workspace), Used(keys=tuple(sorted(keys))))


def forget_used(workspace: Workspace) -> None:
    """Forget what the last build used, as another one has begun."""
    _used(workspace).unlink(missing_ok=True)


def clean_cache(out: Path, *, everything: bool = False, dry_run: bool = False) -> Cleaned:
    """Remove what the last finished build did not use, or the whole cache.

    After a build that did not finish only leftovers go: its finished work may have been paid for.
    What a language model answered goes with the whole cache only.
    Raises SettingError for a folder that is no output, and while a run uses it.
    """
    workspace = Workspace(out=os.path.realpath(out))
    if not workspace.results.is_dir():
        raise SettingError(
            f"{out} has no cache of a build (no cache/results): give the folder that was --out"
        )
    with output_lock(out, wait_seconds=_WAIT_SECONDS) as killed:
        keys = _keys(workspace)
        files = sorted(
            path
            for path in workspace.cache.rglob("*")
            if (path.is_symlink() or path.is_file())
            and (everything or _is_unused(path.relative_to(workspace.cache), keys))
        )
        cleaned = Cleaned(
            files=len(files),
            bytes=sum(path.lstat().st_size for path in files),
            unfinished=keys is None and not everything,
        )
        if not dry_run:
            _remove(workspace, files, everything)
    if killed is not None:
        # The next run still has to mark the killed one's history.
        write_json(out / ".run.json", killed)
    return cleaned


def _remove(workspace: Workspace, files: list[Path], everything: bool) -> None:
    for path in files:
        remove(path)
    whole = [workspace.cache] if everything else [workspace.staging, workspace.scratch]
    for folder in whole:
        remove(folder)


def _is_unused(path: Path, keys: set[str] | None) -> bool:
    """Whether a file of the cache, by its path there, can go."""
    if path.parts[0] in ("staging", "scratch") or path.suffix == ".tmp":
        return True
    if path.parts[0] == REPLIES:
        # They were paid for, and a step's result hides which of them it was made from.
        return False
    return keys is not None and len(path.parts) > 1 and key_of(path.name) not in keys


def _used(workspace: Workspace) -> Path:
    return workspace.cache / "used.json"


def _keys(workspace: Workspace) -> set[str] | None:
    try:
        return set(read_model(_used(workspace), Used).keys)
    except (OSError, ValidationError):
        return None
