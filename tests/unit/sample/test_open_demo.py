from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tasks.sample.writing import write_notes_for

DEMO = Path(__file__).resolve().parents[4] / "shared" / "data" / "mimic-iv-demo"
pytestmark = pytest.mark.skipif(
    not DEMO.is_dir(), reason="the open MIMIC-IV demo is not beside the checkout"
)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    folder = tmp_path_factory.mktemp("demo")
    write_notes_for(DEMO, folder, seed=1)
    return _rows(folder / "note" / "discharge.csv")


def test_every_stay_of_the_demo_gets_one_summary(notes: list[dict[str, str]]) -> None:
    stays = {r["hadm_id"]: r["subject_id"] for r in _rows(DEMO / "hosp" / "admissions.csv")}
    assert {n["hadm_id"]: n["subject_id"] for n in notes} == stays
    assert len(notes) == 275


def test_the_dead_are_written_as_dead(notes: list[dict[str, str]]) -> None:
    rows = _rows(DEMO / "hosp" / "admissions.csv")
    died = {r["hadm_id"] for r in rows if r["hospital_expire_flag"] == "1"}
    expired = {n["hadm_id"] for n in notes if "Disposition:\nExpired" in n["text"]}
    assert expired == died


def test_organisms_of_the_stay_stand_in_its_note(notes: list[dict[str, str]]) -> None:
    texts = {n["hadm_id"]: n["text"] for n in notes}
    rows = _rows(DEMO / "hosp" / "microbiologyevents.csv")
    grown = {
        r["hadm_id"]
        for r in rows
        if r["hadm_id"]
        and r["test_name"] == "URINE CULTURE"
        and r["org_name"] == "ESCHERICHIA COLI"
    }
    assert grown
    assert all("ESCHERICHIA COLI" in texts[hadm_id] for hadm_id in grown)
