"""Finds MIMIC's two folders from what the user gave, and says which folder was meant instead."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

from tasks.contracts.errors import SourceError

_MOST_ENTRIES = 500
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z")
_NOTE_FILES = "discharge.csv[.gz] and radiology.csv[.gz]"


def hosp_folder(mimic: Path, option: str = "--mimic") -> Path:
    """The folder ``mimic/hosp``; raises SourceError naming ``option`` and a likelier folder."""
    _require_folder(mimic, option, "hosp/")
    hosp = mimic / "hosp"
    if is_folder(hosp):
        return hosp.resolve()
    if holds_table(mimic, "patients"):
        raise SourceError(
            f"{option} {mimic}: this is the hosp folder itself; give the folder that holds it"
            f"{_parent_of_hosp(mimic)}"
        )
    if holds_table(mimic, "discharge"):
        raise SourceError(
            f"{option} {mimic}: this is the folder of the notes; give the folder that holds hosp/"
            + (" and this one as --note" if option == "--mimic" else "")
        )
    kind = kind_of(hosp)
    raise SourceError(
        f"{option} {mimic}: looked for a folder hosp/ inside it and found "
        f"{'none' if kind == 'nothing' else kind}; give the folder of MIMIC-IV that holds hosp/"
        f"{_hosp_elsewhere(mimic)}"
    )


def note_folder(mimic: Path, note: Path | None) -> Path:
    """The folder of the notes (default ``mimic/note``); raises SourceError as ``hosp_folder``."""
    folder = mimic / "note" if note is None else note
    if folder == mimic / "note" and kind_of(folder) == "nothing":
        raise SourceError(
            f"--mimic {mimic}: looked for {_NOTE_FILES} in {folder}, which doesn't exist; give "
            f"MIMIC-IV-Note's folder with --note{_notes_elsewhere(mimic)}"
        )
    _require_folder(folder, "--note", _NOTE_FILES)
    if holds_table(folder, "discharge"):
        return folder.resolve()
    if is_folder(folder / "note"):
        raise SourceError(
            f"--note {folder}: looked for discharge.csv[.gz] inside it; give its folder note/: "
            f"{folder / 'note'}"
        )
    if holds_table(folder, "patients"):
        raise SourceError(
            f"--note {folder}: this is a hosp folder; expected the one that holds {_NOTE_FILES}"
            f"{_notes_elsewhere(folder)}"
        )
    elsewhere = ""
    if not holds_table(folder, "radiology"):
        elsewhere = _notes_elsewhere(folder) or _notes_elsewhere(mimic)
    if elsewhere:
        raise SourceError(
            f"--note {folder}: looked for discharge.csv[.gz] inside it and found nothing{elsewhere}"
        )
    return folder.resolve()


def is_folder(path: Path) -> bool:
    """Whether a folder is there; False where that can't be told."""
    return kind_of(path) == "a folder"


def kind_of(path: Path) -> str:
    """What lies at a path, in words."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "a link that leads nowhere" if path.is_symlink() else "nothing"
    except NotADirectoryError:
        return "nothing"
    except (OSError, ValueError):
        return "something unreadable"
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISREG(mode):
        return "a file"
    return "a pipe or socket" if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) else "a device"


def holds_table(folder: Path, table: str) -> bool:
    """Whether a folder is known to hold a table as .csv or .csv.gz."""
    kinds = {kind_of(folder / f"{table}{end}") for end in (".csv", ".csv.gz")}
    return not kinds <= {"nothing", "something unreadable"}


def entries(folder: Path) -> tuple[Path, ...]:
    """What a folder holds, by name; the first few hundred, none where it can't be read."""
    try:
        return tuple(sorted(folder.iterdir())[:_MOST_ENTRIES])
    except (OSError, ValueError):
        return ()


def _require_folder(folder: Path, option: str, content: str) -> None:
    kind = kind_of(folder)
    if kind == "a folder":
        return
    hint = ""
    if kind == "a file" and folder.suffix.lower() in _ARCHIVES and ".csv" not in folder.suffixes:
        hint = "; unpack the archive and give the folder"
    raise SourceError(
        f"{option} {folder}: expected a folder that holds {content}, found {kind} there{hint}"
    )


def _parent_of_hosp(folder: Path) -> str:
    real = folder.resolve()
    if real.name == "hosp":
        return f": {real.parent}"
    return " and call it hosp/"


def _hosp_elsewhere(mimic: Path) -> str:
    for folder in _around(mimic):
        if holds_table(folder, "patients"):
            known = f", for example {folder.parent}"
            return known if folder.name == "hosp" else f" (its files lie in {folder})"
        if is_folder(folder / "hosp"):
            return f", for example {folder}"
    return ""


def _notes_elsewhere(folder: Path) -> str:
    for near in (folder, *_around(folder)):
        if holds_table(near, "discharge"):
            return f", for example {near}"
    return ""


def _around(folder: Path) -> Iterator[Path]:
    """The folders below, two levels deep, then the one above and those beside."""
    below = [child for child in entries(folder) if is_folder(child)]
    yield from below
    for child in below:
        yield from (inner for inner in entries(child) if is_folder(inner))
    above = folder.resolve().parent
    yield above
    yield from (beside for beside in entries(above) if is_folder(beside))
