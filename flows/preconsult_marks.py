"""The human check: dialogues for people to mark, and their marks (spec section 2, step 7)."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from tasks.adapters.files import write_atomic
from tasks.contracts.errors import SettingError
from tasks.contracts.preconsultation import Guideline, Interview, Language, ScoreLine
from tasks.preconsultation.form import cut_turns
from tasks.preconsultation.requests import basic_lines, interview_lines
from tasks.preconsultation.scores import WEIGHTS

Dialogue = tuple[str, int, str]
"""Doctor, turns and pid."""

_SHEET = ("doctor", "turns", "pid", "disease", "weight", "guideline", "times", "interview")
_SCORES = ("doctor", "turns", "pid", "score")
_HIGHEST = 10_000
_PRIVATE = 0o600


def pick_dialogues(lines: Sequence[ScoreLine], seed: int) -> tuple[ScoreLine, ...]:
    """A clean dialogue of every disease and doctor, after the doctor's most turns, by the seed.

    Doctors with the same clean dialogues get the same patients.
    """
    most: dict[str, int] = {}
    for one in lines:
        most[one.doctor] = max(one.turns, most.get(one.doctor, 0))
    found: dict[tuple[str, str], list[ScoreLine]] = {}
    for one in sorted(lines, key=lambda line: line.pid):
        if one.status == "clean" and one.turns == most[one.doctor]:
            found.setdefault((one.doctor, one.disease), []).append(one)
    return tuple(
        random.Random(f"{seed} {disease}").choice(own)
        for (_, disease), own in sorted(found.items())
    )


def write_sheet(
    path: Path,
    picked: Sequence[ScoreLine],
    interviews: Mapping[tuple[str, str], Interview],
    guidelines: Sequence[Guideline],
    language: Language,
) -> None:
    """Write a row for each guideline of each dialogue, whose column ``times`` people fill in.

    ``interviews`` are by doctor and pid. Patient text: the owner's. No score of ours is shown.
    Raises SettingError for a file that can't be written.
    """
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(_SHEET)
    for one in picked:
        held = cut_turns(interviews[one.doctor, one.pid], one.turns)
        text = f"{basic_lines(held.basic, language)}\n\n{interview_lines(held.turns)}"
        for guideline in guidelines:
            if guideline.disease == one.disease:
                named = (one.doctor, one.turns, one.pid, one.disease)
                writer.writerow((*named, guideline.weight, guideline.symptom, "", text))
                text = ""
    try:
        # Spreadsheets know UTF-8 by the mark at its beginning.
        write_atomic(path, stream.getvalue().encode("utf-8-sig"), mode=_PRIVATE)
    except OSError as error:
        raise SettingError(
            f"human_sheet: {path} can't be written ({error.strerror}): give another file"
        ) from None


def read_human_scores(path: Path) -> dict[Dialogue, float]:
    """A person's weighted scores: a marked sheet's, or those of a file that states them.

    In a sheet a dialogue without any mark is left out; in the others an empty mark is a 0. Raises
    SettingError naming the record and the remedy, also where there is no score at all.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            head = stream.readline()
            stream.seek(0)
            # Spreadsheets of many countries divide by semicolons, some by tabs.
            divider = max(",;\t", key=head.count)
            rows = csv.DictReader(stream, delimiter=divider)
            read = _marked if "times" in (rows.fieldnames or ()) else _stated
            found = read(path, rows)
    except OSError as error:
        raise SettingError(f"{path} can't be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise SettingError(f"{path} is no CSV file in UTF-8: save it as one") from None
    if not found:
        raise SettingError(
            f"{path} holds no scores: mark dialogues of a sheet (--human-sheet) in its column "
            f"times, or give the columns {', '.join(_SCORES)}"
        )
    return found


def _stated(path: Path, rows: csv.DictReader[str]) -> dict[Dialogue, float]:
    found: dict[Dialogue, float] = {}
    for number, row in enumerate(rows, 2):
        try:
            dialogue, score = _dialogue(row), float(row["score"])
            if dialogue in found or not 0 <= score <= _HIGHEST:
                raise ValueError(number)
        except (KeyError, ValueError, TypeError):
            raise SettingError(
                f"{path}, record {number} can't be read: it needs the columns "
                f"{', '.join(_SCORES)}, a whole number of turns and one score from 0 to "
                f"{_HIGHEST} an interview"
            ) from None
        found[dialogue] = score
    return found


def _marked(path: Path, rows: csv.DictReader[str]) -> dict[Dialogue, float]:
    found: dict[Dialogue, float] = {}
    marked: set[Dialogue] = set()
    rated: set[tuple[Dialogue, str]] = set()
    for number, row in enumerate(rows, 2):
        if not any(row.values()):
            # What spreadsheets leave below the last row.
            continue
        try:
            dialogue, mark = _dialogue(row), row["times"].strip()
            times, weight = int(mark or 0), WEIGHTS[row["weight"]]
            rating = dialogue, row["guideline"]
            if rating in rated or not 0 <= times <= _HIGHEST:
                raise ValueError(number)
        except (AttributeError, KeyError, ValueError, TypeError):
            raise SettingError(
                f"{path}, record {number} can't be read: keep the sheet's other columns as they "
                f"are and each row once, and write a whole number from 0 to {_HIGHEST}, or "
                "nothing, as times"
            ) from None
        rated.add(rating)
        found[dialogue] = found.get(dialogue, 0) + times * weight
        if mark:
            marked.add(dialogue)
    return {one: score for one, score in found.items() if one in marked}


def _dialogue(row: Mapping[str, str]) -> Dialogue:
    return row["doctor"], int(row["turns"]), row["pid"]
