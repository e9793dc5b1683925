"""Files of a pre-consultation: which scores stay, summary.csv, interviews for people to read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from flows.evaluation_files import file_name
from tasks.adapters.files import make_private, write_atomic
from tasks.contracts.errors import SettingError
from tasks.contracts.preconsultation import Interview, ScoreLine
from tasks.preconsultation.summaries import MEASURES, SCORES, Summary, View, summarise

SUMMARY_FILE = "summary.csv"
PAGE = "report.html"
INTERVIEWS = "interviews-for-people"
SEED = 0

_PRIVATE = 0o600

Doctor = tuple[str, str, str, int]
"""Language, name, who played the other roles, and number of turns."""


def with_scores(earlier: Iterable[ScoreLine], new: Sequence[ScoreLine]) -> tuple[ScoreLine, ...]:
    """The new lines, and earlier ones that they don't replace, in a fixed order."""
    replaced = {doctor_of(one) for one in new}
    kept = [one for one in earlier if doctor_of(one) not in replaced]
    return tuple(sorted([*kept, *new], key=lambda one: (*doctor_of(one), one.pid)))


def doctor_of(line: ScoreLine) -> Doctor:
    """Whose row a line counts in."""
    return line.language, line.doctor, line.roles, line.turns


def by_doctor(lines: Iterable[ScoreLine]) -> dict[Doctor, list[ScoreLine]]:
    """Lines by whose they are."""
    found: dict[Doctor, list[ScoreLine]] = {}
    for one in lines:
        found.setdefault(doctor_of(one), []).append(one)
    return dict(sorted(found.items()))


def write_summary(out: Path, lines: Sequence[ScoreLine]) -> None:
    """Write summary.csv: every measure of every doctor in every view."""
    stream = io.StringIO()
    head = ["language", "doctor", "roles", "turns", "population", "negatives", "leaks", "measure"]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*head, *Summary.model_fields])
    for doctor, own in by_doctor(lines).items():
        for view in VIEWS:
            named = (
                view.population,
                "with" if view.with_negatives else "without",
                "with" if view.with_leaks else "without",
            )
            for measure in MEASURES if view.with_negatives else SCORES:
                found = summarise(own, measure, view, SEED)
                writer.writerow([*doctor, *named, measure, *found.model_dump().values()])
    write_atomic(out / SUMMARY_FILE, stream.getvalue().encode())


VIEWS = tuple(
    View(population, negatives, leaks)
    for population in ("clean", "all")
    for negatives in (True, False)
    for leaks in (True, False)
)
"""Every combination of what counts."""


def write_interviews(folder: Path, doctor: str, interviews: Iterable[Interview]) -> None:
    """Write a doctor's interviews for people to read. Patient text: the owner's."""
    make_private(folder)
    lines = "".join(f"{one.model_dump_json()}\n" for one in interviews)
    write_atomic(folder / f"{file_name(doctor)}.jsonl", lines.encode(), mode=_PRIVATE)


def read_interviews(folder: Path) -> list[Interview]:
    """Every doctor's interviews, as ``write_interviews`` left them.

    Raises SettingError for a file that can't be read.
    """
    found: list[Interview] = []
    for path in sorted(folder.glob("*.jsonl")):
        try:
            lines = path.read_bytes().splitlines()
            found += [Interview.model_validate_json(line) for line in lines]
        except (OSError, ValidationError):
            raise SettingError(
                f"{path} holds no interviews of this program: remove it, and run `anamnesis "
                "preconsult` again"
            ) from None
    return found
