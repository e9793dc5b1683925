"""Who may see a dataset: read from the file DATA_CLASS that its folders may hold."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from pydantic import TypeAdapter, ValidationError

from tasks.contracts.build import DataClass
from tasks.contracts.errors import SettingError

MARKER = "DATA_CLASS"

CLASSES: tuple[DataClass, ...] = get_args(DataClass)
"""From the least to the most restricted."""

_CLASS: TypeAdapter[DataClass] = TypeAdapter(DataClass)


def read_data_class(*folders: Path) -> DataClass:
    """The most restricted class of some folders; a folder without a marker is credentialed.

    Raises SettingError for a marker that can't be read or names no class.
    """
    return CLASSES[max(CLASSES.index(_read(folder)) for folder in folders)]


def _read(folder: Path) -> DataClass:
    marker = folder / MARKER
    if not marker.is_file():
        return "credentialed"
    try:
        stated = marker.read_text(encoding="utf-8", errors="replace").strip()
    except OSError as error:
        raise SettingError(
            f"{marker}: can't be read ({error.strerror}); make it readable to you"
        ) from None
    try:
        return _CLASS.validate_python(stated)
    except ValidationError:
        raise SettingError(
            f"{marker}: names no data class; write one of: {', '.join(CLASSES)}"
        ) from None
