from __future__ import annotations

import csv
import stat
from pathlib import Path

import pytest

from flows.preconsult_marks import pick_dialogues, read_human_scores, write_sheet
from flows.preconsult_settings import load_preconsult_settings
from tasks.contracts.errors import SettingError
from tasks.contracts.preconsultation import ScoreLine
from tests.factories.profiles import GUIDELINES, interview

COUGH = ("Question: Do you cough?\nOptions:\n- yes\n- no", "yes")
WHEEZE = ("Question: Do you wheeze?\nOptions:\n- yes\n- no", "no, and never at night")


def line(doctor: str, pid: str, disease: str = "Asthma", turns: int = 2, **other: str) -> ScoreLine:
    return ScoreLine.model_validate(
        {
            "doctor": doctor,
            "roles": "r",
            "language": "en",
            "turns": turns,
            "pid": pid,
            "disease": disease,
            "status": "clean",
            "questions": turns,
            "malformed_turns": 0,
            "units": 0,
            "unsupported": 0,
            "duplicates": 0,
            "matching_errors": 0,
            "leaked_turns": (),
            **other,
        }
    )


def test_one_clean_dialogue_of_each_disease_and_doctor_is_picked_by_the_seed() -> None:
    lines = [
        line(doctor, f"{disease}{number}", disease, turns)
        for doctor in ("a", "b")
        for disease in ("Asthma", "Stroke")
        for number in range(9)
        for turns in (1, 2)
    ]
    spoilt = line("a", "Gout1", "Gout", status="early_stop")
    picked = pick_dialogues([*lines, spoilt], 3)
    assert [(one.doctor, one.disease, one.turns) for one in picked] == [
        ("a", "Asthma", 2),
        ("a", "Stroke", 2),
        ("b", "Asthma", 2),
        ("b", "Stroke", 2),
    ]
    assert [one.pid for one in picked[:2]] == [one.pid for one in picked[2:]]
    assert picked == pick_dialogues([spoilt, *reversed(lines)], 3)
    others = {tuple(one.pid for one in pick_dialogues(lines, seed)) for seed in range(20)}
    assert len(others) > 5


def written_sheet(folder: Path) -> list[dict[str, str]]:
    held = {("d", pid): interview(COUGH, WHEEZE, COUGH) for pid in ("1", "2")}
    picked = [line("d", "1"), line("d", "2", "Stroke")]
    write_sheet(folder / "sheet.csv", picked, held, GUIDELINES, "en")
    with (folder / "sheet.csv").open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def mark(folder: Path, rows: list[dict[str, str]], *times: str) -> Path:
    path = folder / "marked.csv"
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(row | {"times": one} for row, one in zip(rows, times, strict=True))
    return path


def test_a_sheet_has_the_scored_turns_once_and_every_guideline_of_the_disease(
    tmp_path: Path,
) -> None:
    rows = written_sheet(tmp_path)
    assert [(row["pid"], row["weight"], row["guideline"]) for row in rows] == [
        ("1", "h", "Wheezing"),
        ("1", "h", "Shortness of Breath"),
        ("1", "m", "Cough"),
        ("1", "m", "Cough at Night"),
        ("2", "h", "Speech Disturbance"),
        ("2", "m", "Dizziness"),
    ]
    assert {row["times"] for row in rows} == {""}
    assert rows[0]["interview"].count("Question:") == 2
    assert rows[0]["interview"].endswith("Patient: Answer: no, and never at night")
    assert [bool(row["interview"]) for row in rows] == [True, False, False, False, True, False]
    assert stat.S_IMODE((tmp_path / "sheet.csv").stat().st_mode) == 0o600


def test_marks_make_weighted_scores_and_dialogues_without_any_are_left_out(tmp_path: Path) -> None:
    rows = written_sheet(tmp_path)
    marked = mark(tmp_path, rows, "1", "", "2", "1", "", "")
    # Wheezing once counts 2, cough twice 2, cough at night once 1.
    assert read_human_scores(marked) == {("d", 2, "1"): 5}
    nothing = mark(tmp_path, rows, "0", "", "", "", "1", "3")
    assert read_human_scores(nothing) == {("d", 2, "1"): 0, ("d", 2, "2"): 5}


@pytest.mark.parametrize("divider", [";", "\t"])
def test_a_sheet_as_spreadsheets_divide_it_is_read(tmp_path: Path, divider: str) -> None:
    rows = written_sheet(tmp_path)
    path = tmp_path / "marked.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0], delimiter=divider)
        writer.writeheader()
        writer.writerows(row | {"times": "1"} for row in rows)
        writer.writerow(dict.fromkeys(rows[0], ""))
    assert read_human_scores(path) == {("d", 2, "1"): 6, ("d", 2, "2"): 3}


def test_a_row_that_stands_twice_is_refused(tmp_path: Path) -> None:
    rows = written_sheet(tmp_path)
    marked = mark(tmp_path, [*rows, rows[1]], "", "1", "", "", "", "", "1")
    with pytest.raises(SettingError, match=r"record 8 can't be read.* each row once"):
        read_human_scores(marked)


@pytest.mark.parametrize("mark_", ["x", "-1", "1.5", "99999"])
def test_a_mark_that_is_no_count_is_refused_with_its_record(tmp_path: Path, mark_: str) -> None:
    marked = mark(tmp_path, written_sheet(tmp_path), "1", mark_, "", "", "", "")
    with pytest.raises(SettingError, match="record 3 can't be read: keep the sheet's other col"):
        read_human_scores(marked)


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("doctor,turns,pid\nd,1,1\n", 2),
        ("doctor,turns,pid,score\nd,one,1,2\n", 2),
        ("doctor,turns,pid,score\nd,1,1,-2\n", 2),
        ("doctor,turns,pid,score\nd,1,1,nan\n", 2),
        ("doctor,turns,pid,score\nd,1,1,1e308\n", 2),
        ("doctor,turns,pid,score\nd,1,1,2\nd,1,1,3\n", 3),
        ("doctor,turns,pid,times\nd,1,1,2\n", 2),
    ],
)
def test_scores_of_a_person_that_cannot_be_read_are_refused(
    tmp_path: Path, text: str, record: int
) -> None:
    path = tmp_path / "human.csv"
    path.write_text(text)
    with pytest.raises(SettingError, match=f"record {record} can't be read"):
        read_human_scores(path)


@pytest.mark.parametrize("text", ["", '[{"pid": "1"}]', "doctor,turns,pid,score\n", "SHEET"])
def test_a_file_without_any_score_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "human.csv"
    path.write_text(text)
    if text == "SHEET":
        path = mark(tmp_path, written_sheet(tmp_path), "", "", "", "", "", "")
    with pytest.raises(SettingError, match="holds no scores: mark dialogues of a sheet"):
        read_human_scores(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "human.csv"
    path.write_bytes(b"doctor,turns\n\xff\xfe\n")
    with pytest.raises(SettingError, match="is no CSV file in UTF-8"):
        read_human_scores(path)


def test_a_sheet_that_may_hold_marks_or_has_no_folder_is_refused(tmp_path: Path) -> None:
    inputs = {name: tmp_path / name for name in ("profiles", "guidelines", "out")}
    (tmp_path / "marked.csv").write_text("marks")
    for file, message in (("marked.csv", "may hold marks"), ("no/new.csv", "doesn't exist")):
        settings = load_preconsult_settings(**inputs, human_sheet=tmp_path / file)
        with pytest.raises(SettingError, match=message):
            settings.preconsult_paths()
    load_preconsult_settings(**inputs, human_sheet=tmp_path / "new.csv").preconsult_paths()
