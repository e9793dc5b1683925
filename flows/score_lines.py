"""The file scores.jsonl, to which a repeated run adds lines: of an evaluation, of interviews."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from tasks.adapters.files import write_atomic
from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError

SCORES = "scores.jsonl"

Line = TypeVar("Line", bound=Contract)


def read_scores(out: Path, kind: type[Line]) -> tuple[Line, ...]:
    """The lines of earlier runs; raises SettingError for a file that can't be read."""
    path = out / SCORES
    if not path.exists():
        return ()
    lines: list[Line] = []
    try:
        with path.open("rb") as stream:
            for line in stream:
                lines.append(kind.model_validate_json(line))
    except (OSError, ValidationError):
        raise SettingError(
            f"{path}: line {len(lines) + 1} is no score of this program, and its rows are to be "
            "kept: move the file away, or give another output folder"
        ) from None
    return tuple(lines)


def write_scores(out: Path, lines: Iterable[Contract]) -> None:
    """Write a line a score, without patient text."""
    text = "".join(f"{one.model_dump_json()}\n" for one in lines)
    write_atomic(out / SCORES, text.encode())
