from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.adapters.mimic_files import locate_source
from tasks.adapters.mimic_inspection import inspect_files
from tasks.contracts.build import CohortRequest
from tasks.contracts.clock import parse_time
from tasks.contracts.records import AdmissionBundle, PatientContext
from tasks.ehr.bundles import BilledDiagnosis, age_at, anchor_diagnoses
from tasks.ehr.cohort import open_cohort
from tests.factories.mimic_tree import (
    Rows,
    TreePatient,
    mimic_row,
    patient,
    with_stay,
    write_mimic_tree,
)

IDS = {"subject_id": "90000001", "hadm_id": "80000101"}


def billed(number: int) -> list[BilledDiagnosis]:
    return [BilledDiagnosis(seq, "486", 9, "") for seq in range(1, number + 1)]


def anchored(number: int, start: str, end: str) -> list[str]:
    diagnoses = anchor_diagnoses(billed(number), parse_time(start), parse_time(end))
    return [f"{diagnosis.normalized_time:%H:%M:%S}" for diagnosis in diagnoses]


@pytest.mark.parametrize(
    ("number", "start", "end", "times"),
    [
        (0, "2150-06-01 09:00:00", "2150-06-05 16:30:00", []),
        (1, "2150-06-01 09:00:00", "2150-06-05 16:30:00", ["16:00:00"]),
        (3, "2150-06-01 09:00:00", "2150-06-05 16:30:00", ["15:45:00", "16:00:00", "16:15:00"]),
        (2, "2150-06-05 16:24:00", "2150-06-05 16:30:00", ["16:26:00", "16:28:00"]),
        (2, "2150-06-05 16:29:50", "2150-06-05 16:30:00", ["16:29:53", "16:29:56"]),
        (1, "2150-06-05 16:29:59", "2150-06-05 16:30:00", ["16:29:59"]),
    ],
)
def test_diagnoses_cut_the_last_hour_or_the_shorter_stay_into_equal_parts(
    number: int, start: str, end: str, times: list[str]
) -> None:
    assert anchored(number, start, end) == times


@given(st.integers(0, 60), st.integers(1, 10**6))
def test_diagnoses_keep_their_order_inside_the_window(number: int, seconds: int) -> None:
    end = datetime(2150, 6, 5, 16, 30)
    start = end - timedelta(seconds=seconds)
    times = [row.normalized_time for row in anchor_diagnoses(billed(number), start, end)]
    assert times == sorted(times)
    assert all(max(start, end - timedelta(hours=1)) <= time < end for time in times)


@pytest.mark.parametrize(
    ("age", "year", "found"), [(44, 2150, 47), (91, 2153, 91), (None, 2150, None), (44, None, None)]
)
def test_age_counts_from_the_anchor_year(
    age: int | None, year: int | None, found: int | None
) -> None:
    assert age_at(datetime(2153, 1, 1), age, year) == found


def first_admission(
    tmp_path: Path, owner: TreePatient, extra: dict[str, Rows] | None = None
) -> tuple[AdmissionBundle, PatientContext]:
    tree = write_mimic_tree(tmp_path / "mimic", [owner], extra)
    files = inspect_files(locate_source(tree))
    with open_cohort(files, CohortRequest(), tmp_path / "work") as cohort:
        return next(cohort.bundles(cohort.patients[0]))


def test_bundle_holds_every_section_with_times_and_provenance(tmp_path: Path) -> None:
    owner = with_stay(patient(1), 1, notes=("The story.",), reports=("IMPRESSION: Clear.",))
    bundle, context = first_admission(tmp_path, owner)
    assert bundle.model_dump(mode="json") == {
        "subject_id": "90000001",
        "hadm_id": "80000101",
        "admission_start": "2150-06-01 09:00:00",
        "admission_end": "2150-06-05 16:30:00",
        "previous_admission_summary": None,
        "discharge_notes": [
            {
                "note_id": "90000001-DS-1",
                "note_seq": 1,
                "charttime": "2150-06-05 00:00:00",
                "storetime": "2150-06-05 20:00:00",
                "text": "The story.",
            }
        ],
        "radiology_notes": [
            {
                "note_id": "90000001-RR-1",
                "charttime": "2150-06-01 00:00:00",
                "storetime": "2150-06-01 20:00:00",
                "text": "IMPRESSION: Clear.",
            }
        ],
        "diagnoses": [
            {
                "seq_num": 1,
                "icd_code": "486",
                "icd_version": 9,
                "long_title": "Pneumonia, organism unspecified",
                "normalized_time": "2150-06-05 15:50:00",
                "time_provenance": "discharge_phase_anchor",
            },
            {
                "seq_num": 2,
                "icd_code": "4019",
                "icd_version": 9,
                "long_title": "Unspecified essential hypertension",
                "normalized_time": "2150-06-05 16:10:00",
                "time_provenance": "discharge_phase_anchor",
            },
        ],
        "procedures": [
            {
                "seq_num": 1,
                "chartdate": "2150-06-01",
                "icd_code": "0331",
                "icd_version": 9,
                "long_title": "Spinal tap",
                "normalized_time": "2150-06-01 12:00:00",
                "time_provenance": "date_only_normalized",
            }
        ],
        "microbiology": [
            {
                "chartdate": "2150-06-01",
                "charttime": "2150-06-01 11:00:00",
                "normalized_time": "2150-06-01 11:00:00",
                "time_provenance": "recorded",
                "spec_type_desc": "URINE",
                "test_name": "URINE CULTURE",
                "org_name": "",
                "ab_name": "",
                "interpretation": "",
                "comments": "NO GROWTH.",
            }
        ],
        "timing_rules": {
            "admission_end_source": "dischtime",
            "conversation_end": "2150-06-05 16:30:00",
            "date_only_time": "12:00:00",
            "diagnosis_window_minutes": 60,
        },
    }
    assert context == PatientContext(gender="F", age_years=60, died_in_hospital=False)


def test_stay_shorter_than_an_hour_states_its_window(tmp_path: Path) -> None:
    owner = with_stay(patient(1), 1, dischtime="2150-06-01 09:25:30")
    bundle, _ = first_admission(tmp_path, owner)
    assert bundle.timing_rules.diagnosis_window_minutes == 25


def test_missing_discharge_time_is_taken_from_the_notes(tmp_path: Path) -> None:
    extra = [
        mimic_row(
            "discharge",
            **IDS,
            note_id="90000001-DS-9",
            charttime="2150-06-03 00:00:00",
            text="Addendum.",
        )
    ]
    owner = with_stay(patient(1), 1, dischtime="", notes=())
    bundle, _ = first_admission(tmp_path, owner, {"discharge": extra})
    assert bundle.admission_end == datetime(2150, 6, 3)
    assert bundle.timing_rules.admission_end_source == "discharge_charttime"


def test_exact_repeats_appear_once_and_other_rows_stay(tmp_path: Path) -> None:
    code = {"icd_code": "486", "icd_version": "9"}
    repeats: dict[str, Rows] = {
        "diagnoses_icd": [
            mimic_row("diagnoses_icd", **IDS, **code, seq_num="1"),
            mimic_row("diagnoses_icd", **IDS, **code, seq_num="3"),
        ],
        "procedures_icd": [
            mimic_row(
                "procedures_icd",
                **IDS,
                seq_num="1",
                chartdate="2150-06-01",
                icd_code="0331",
                icd_version="9",
            )
        ],
    }
    bundle, _ = first_admission(tmp_path, patient(1), repeats)
    assert [(row.seq_num, row.icd_code) for row in bundle.diagnoses] == [
        (1, "486"),
        (2, "4019"),
        (3, "486"),
    ]
    assert len(bundle.procedures) == 1


def test_death_closes_the_conversation_before_the_discharge(tmp_path: Path) -> None:
    owner = with_stay(patient(1, stays=3), 3, deathtime="2152-06-04 10:00:00")
    tree = write_mimic_tree(tmp_path / "mimic", [owner])
    files = inspect_files(locate_source(tree))
    with open_cohort(files, CohortRequest(), tmp_path / "work") as cohort:
        *_, (bundle, context) = cohort.bundles(cohort.patients[0])
    assert bundle.admission_end == datetime(2152, 6, 5, 16, 30)
    assert bundle.timing_rules.conversation_end == datetime(2152, 6, 4, 10)
    assert context.died_in_hospital
