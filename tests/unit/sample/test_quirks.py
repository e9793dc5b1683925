from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from tasks.sample.writing import write_sample

Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    write_sample(folder, patients=30, seed=2, quirks=True)
    return folder


def _read(folder: Path, name: str) -> Rows:
    with (folder / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_some_stays_end_before_or_when_they_begin(odd: Path) -> None:
    rows = _read(odd, "hosp/admissions.csv")
    assert any(r["dischtime"] < r["admittime"] for r in rows)
    assert any(r["dischtime"] == r["admittime"] for r in rows)


def test_a_stay_begins_after_the_patients_death(odd: Path) -> None:
    rows = _read(odd, "hosp/admissions.csv")
    deaths = {r["subject_id"]: r["deathtime"] for r in rows if r["deathtime"]}
    after = [r for r in rows if r["admittime"] > deaths.get(r["subject_id"], "9999")]
    assert after
    assert all(r["hospital_expire_flag"] == "0" and not r["deathtime"] for r in after)


def test_some_events_have_no_stay_and_some_cultures_no_time(odd: Path) -> None:
    radiology = _read(odd, "note/radiology.csv")
    cultures = _read(odd, "hosp/microbiologyevents.csv")
    assert any(not r["hadm_id"] for r in radiology)
    assert any(not r["hadm_id"] for r in cultures)
    assert any(not r["charttime"] and r["chartdate"] for r in cultures)
    assert any(r["dilution_comparison"] == "<=        " for r in cultures)


def test_codes_are_padded_unknown_or_repeated(odd: Path) -> None:
    rows = _read(odd, "hosp/diagnoses_icd.csv")
    titles = _read(odd, "hosp/d_icd_diagnoses.csv")
    known = {(r["icd_code"], r["icd_version"]) for r in titles}
    assert any(r["icd_code"].endswith(" ") for r in rows)
    assert any((r["icd_code"].strip(), r["icd_version"]) not in known for r in rows)
    assert any(n == 2 for n in Counter(tuple(r.values()) for r in rows).values())


def test_store_times_precede_chart_times_or_are_empty(odd: Path) -> None:
    notes = _read(odd, "note/discharge.csv")
    assert any(n["storetime"] and n["storetime"] < n["charttime"] for n in notes)
    assert any(not n["storetime"] for n in notes)
    assert all(n["charttime"].endswith(" 00:00:00") for n in notes)


def test_notes_have_gaps_repeats_addenda_and_orphans(odd: Path) -> None:
    notes = _read(odd, "note/discharge.csv")
    stays = {r["hadm_id"] for r in _read(odd, "hosp/admissions.csv")}
    assert any(n["note_type"] == "AD" for n in notes)
    assert any(not n["hadm_id"] for n in notes)
    assert any(n["hadm_id"] and n["hadm_id"] not in stays for n in notes)
    assert any(n == 2 for n in Counter(tuple(r.values()) for r in notes).values())
    per_stay = Counter(n["hadm_id"] for n in notes if n["note_type"] == "DS")
    assert max(per_stay.values()) >= 2
    assert stays - set(per_stay)
    numbers: dict[str, set[int]] = {}
    for note in notes:
        numbers.setdefault(note["subject_id"], set()).add(int(note["note_seq"]))
    assert any(max(found) > len(found) + 1 for found in numbers.values())


def test_one_note_id_never_has_two_contents(odd: Path) -> None:
    notes = {tuple(n.values()) for n in _read(odd, "note/discharge.csv")}
    assert len({n[0] for n in notes}) == len(notes)


def test_notes_without_headings_and_with_hard_quoting(odd: Path) -> None:
    texts = [n["text"] for n in _read(odd, "note/discharge.csv")]
    assert any("Brief Hospital Course:" not in text for text in texts)
    raw = (odd / "note/discharge.csv").read_text(encoding="utf-8")
    assert '""it rattles"",' in raw


def test_attributes_can_be_unknown(odd: Path) -> None:
    rows = _read(odd, "hosp/admissions.csv")
    assert any(r["language"] == "?" and not r["marital_status"] for r in rows)
