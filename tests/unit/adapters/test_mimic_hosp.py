from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest

from tasks.adapters.mimic_hosp import (
    HospDiagnosis,
    HospMicrobiology,
    HospProcedure,
    read_hosp_stays,
)
from tasks.contracts.errors import SourceError
from tests.factories.mimic_tree import (
    mimic_row,
    patient,
    with_stay,
    write_mimic_tree,
    write_table,
)

DEMO = Path(__file__).resolve().parents[4] / "shared/data/mimic-iv-demo"


def test_stays_come_by_patient_and_time_with_their_rows(tmp_path: Path) -> None:
    owner = with_stay(patient(2, dod="2151-06-07"), 2, deathtime="2151-06-05 10:00:00")
    tree = write_mimic_tree(tmp_path / "mimic", [owner, patient(1, stays=1)])
    stays = list(read_hosp_stays(tree, tmp_path / "work", "--mimic"))
    assert [(stay.subject_id, stay.hadm_id, stay.died) for stay in stays] == [
        ("90000001", "80000101", False),
        ("90000002", "80000201", False),
        ("90000002", "80000202", True),
    ]
    last = stays[2]
    assert (last.gender, last.age, last.dod) == ("F", 61, date(2151, 6, 7))
    assert last.admission_location == "EMERGENCY ROOM"
    assert last.diagnoses == (
        HospDiagnosis(1, "486", 9, "Pneumonia, organism unspecified"),
        HospDiagnosis(2, "4019", 9, "Unspecified essential hypertension"),
    )
    assert last.procedures == (HospProcedure(1, date(2151, 6, 1), "0331", 9, "Spinal tap"),)
    assert last.microbiology == (
        HospMicrobiology(
            date(2151, 6, 1), datetime(2151, 6, 1, 11), "URINE", "URINE CULTURE", "", "", "",
            "NO GROWTH.",
        ),
    )  # fmt: skip


def test_notes_are_not_looked_at(tmp_path: Path) -> None:
    tree = write_mimic_tree(tmp_path / "mimic")
    (tree / "note").rename(tmp_path / "elsewhere")
    assert len(list(read_hosp_stays(tree, tmp_path / "work", "--mimic"))) == 4
    assert list((tmp_path / "work").iterdir()) == []


def test_rows_that_fit_no_stay_are_left_out(tmp_path: Path) -> None:
    stray = mimic_row(
        "diagnoses_icd", subject_id="90000000", hadm_id="80000101", seq_num="1", icd_version="9"
    )
    tree = write_mimic_tree(tmp_path / "mimic", [patient(1, stays=1)], {"diagnoses_icd": [stray]})
    [stay] = read_hosp_stays(tree, tmp_path / "work", "--mimic")
    assert len(stay.diagnoses) == 2


def test_stays_without_rows_are_kept(tmp_path: Path) -> None:
    tree = write_mimic_tree(tmp_path / "mimic", [patient(1), patient(2)])
    kept = mimic_row(
        "diagnoses_icd", subject_id="90000002", hadm_id="80000201", seq_num="1", icd_version="9"
    )
    write_table(tree, "diagnoses_icd", [kept])
    stays = list(read_hosp_stays(tree, tmp_path / "work", "--mimic"))
    assert [len(stay.diagnoses) for stay in stays] == [0, 0, 1, 0]


def test_missing_file_is_refused(tmp_path: Path) -> None:
    tree = write_mimic_tree(tmp_path / "mimic")
    (tree / "hosp/procedures_icd.csv").unlink()
    with pytest.raises(SourceError, match=r"^hosp/procedures_icd\.csv: looked for"):
        list(read_hosp_stays(tree, tmp_path / "work", "--mimic"))


@pytest.mark.skipif(not DEMO.is_dir(), reason="../shared is missing: no MIMIC-IV demo to read")
def test_open_demo_is_read_whole(tmp_path: Path) -> None:
    stays = list(read_hosp_stays(DEMO, tmp_path, "--mimic"))
    assert len(stays) == 275
    assert len({stay.subject_id for stay in stays}) == 100
    assert sum(len(stay.diagnoses) for stay in stays) == 4506
    assert sum(len(stay.procedures) for stay in stays) == 722
    assert all(row.long_title for stay in stays for row in stay.diagnoses + stay.procedures)
