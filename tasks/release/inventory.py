"""Lists a release's paths: what the layout wants, what lies there, what the manifest says."""

from __future__ import annotations

import os
from pathlib import Path

from tasks.adapters.files import sha256_file
from tasks.contracts.build import Manifest
from tasks.contracts.release import (
    ADMISSION_FILES,
    MANIFEST,
    PATIENT_FILES,
    RELEASE_FILES,
    ReleaseFile,
)


def admission_folders(folder: Path) -> dict[str, list[str]]:
    """hadm_ids by subject_id, from the folders that lie in a release; both sorted."""
    return {subject: _folders(folder / subject) for subject in _folders(folder)}


def take_inventory(folder: Path, manifest: Manifest | None) -> list[ReleaseFile]:
    """Every path that the layout, the folder or the manifest names, sorted.

    Without a readable manifest every path counts as listed; links and special files are absent.
    """
    wanted: set[str] = set(RELEASE_FILES)
    for subject, admissions in admission_folders(folder).items():
        wanted.update(f"{subject}/{name}" for name in PATIENT_FILES)
        for hadm_id in admissions:
            wanted.update(f"{subject}/{hadm_id}/{name}" for name in ADMISSION_FILES)
    lying = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }
    listed = set(manifest.files) if manifest else set[str]()
    return [_entry(folder, path, wanted, manifest) for path in sorted(wanted | lying | listed)]


def _folders(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and not path.is_symlink())


def _entry(folder: Path, path: str, wanted: set[str], manifest: Manifest | None) -> ReleaseFile:
    file = folder / path
    present = _inside(folder, path) and file.is_file() and not file.is_symlink()
    listed = manifest.files.get(path) if manifest else None
    itself = path == MANIFEST
    return ReleaseFile(
        path=path,
        expected=path in wanted,
        present=present,
        listed=itself or manifest is None or listed is not None,
        bytes_equal=itself or not (present and listed) or file.stat().st_size == listed.bytes,
        digest_equal=itself or not (present and listed) or sha256_file(file) == listed.sha256,
    )


def _inside(folder: Path, path: str) -> bool:
    """A manifest may name any path; only those below the folder are looked at."""
    # realpath takes links that lead in a circle, too.
    return Path(os.path.realpath(folder / path)).is_relative_to(os.path.realpath(folder))
