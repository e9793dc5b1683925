"""Which folders the flows of rubrics may write into."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from tasks.contracts.errors import SettingError

_ANOTHER = "give another folder as --out (ANAMNESIS_OUT)"


def usable_output(out: Path, others: Mapping[str, str], published: Iterable[str]) -> Path:
    """The output folder; raises SettingError for one that can't be used, before any work is done.

    ``others`` names what other flows leave in theirs, ``published`` the files that will be written.
    """
    if os.path.realpath(out) in ("/", os.path.realpath(os.path.expanduser("~"))):
        raise SettingError(f"out: {out} is the root or your home: {_ANOTHER}, one of its own")
    for name, what in others.items():
        if os.path.lexists(out / name):
            raise SettingError(
                f"out: {out} holds {what} ({name}), whose report and cache would be mixed with "
                f"others: {_ANOTHER}"
            )
    in_the_way = [name for name in published if os.path.isdir(out / name)]
    if os.path.lexists(out / "tables") and not os.path.isdir(out / "tables"):
        in_the_way.append("tables")
    if in_the_way:
        raise SettingError(
            f"out: {out / in_the_way[0]} is in the way of what will be written there: move it "
            f"away, or {_ANOTHER}"
        )
    return out
