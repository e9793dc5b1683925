"""Who may see what a run reads, beyond the markers of input folders."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tasks.adapters.data_class import CLASSES, MARKER, read_data_class
from tasks.contracts.build import DataClass
from tasks.contracts.release import MANIFEST

UNKNOWN: DataClass = "credentialed"
"""The class of what says nothing."""


def stated_data_class(folder: Path) -> DataClass | None:
    """What a folder's manifest and marker say, the stricter of them; None where they say nothing.

    Raises SettingError for a marker that names no class.
    """
    stated = _of_manifest(folder)
    if not (folder / MARKER).is_file():
        return stated
    marked = read_data_class(folder)
    return marked if stated is None else strictest((stated, marked))


def strictest(classes: Iterable[DataClass]) -> DataClass:
    """The most restricted of some classes."""
    return max(classes, key=CLASSES.index)


def _of_manifest(folder: Path) -> DataClass | None:
    try:
        stated = json.loads((folder / MANIFEST).read_bytes())["data_class"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return next((one for one in CLASSES if one == stated), None)
