from __future__ import annotations

import random
from pathlib import Path

import pytest

from tasks.adapters.mimic_files import locate_source
from tasks.adapters.mimic_inspection import inspect_files
from tasks.contracts.build import CohortRequest, SkippedItem
from tasks.contracts.errors import SettingError
from tasks.contracts.records import AdmissionBundle, PatientContext
from tasks.ehr.cohort import Cohort, open_cohort
from tests.factories.mimic_tree import (
    TABLES,
    TreePatient,
    mimic_row,
    mimic_rows,
    patient,
    with_stay,
    write_mimic_tree,
    write_table,
)

CASES = Path(__file__).resolve().parents[4] / "shared/cases/mimic_tree"


def build(
    tree: Path, workdir: Path, request: CohortRequest | None = None
) -> tuple[Cohort, list[tuple[AdmissionBundle, PatientContext]]]:
    """The cohort and all its bundles, patient by patient."""
    files = inspect_files(locate_source(tree))
    with open_cohort(files, request or CohortRequest(), workdir) as cohort:
        return cohort, [pair for who in cohort.patients for pair in cohort.bundles(who)]


def chosen(tmp_path: Path, patients: list[TreePatient], request: CohortRequest) -> list[str]:
    tree = write_mimic_tree(tmp_path / "mimic", patients)
    cohort, _ = build(tree, tmp_path / "work", request)
    return [who.subject_id for who in cohort.patients]


def items(cohort: Cohort) -> list[tuple[str, str]]:
    return [(item.id, item.reason) for item in cohort.skipped]


def counts(cohort: Cohort) -> dict[tuple[str, str], int]:
    return {(count.table, count.reason): count.count for count in cohort.skip_counts}


def test_cohort_is_ranked_by_eligible_admissions_then_id(tmp_path: Path) -> None:
    many_without_notes = patient(4, stays=5)
    for stay in (1, 2, 3):
        many_without_notes = with_stay(many_without_notes, stay, notes=())
    patients = [patient(3), patient(2), patient(1, stays=3), many_without_notes, patient(5, 1)]
    assert chosen(tmp_path, patients, CohortRequest()) == [
        "90000001",
        "90000002",
        "90000003",
        "90000004",
    ]


def test_cohort_is_cut_at_the_number_asked_for(tmp_path: Path) -> None:
    assert chosen(tmp_path, [patient(1), patient(2)], CohortRequest(patients=1)) == ["90000001"]


def test_cohort_needs_the_admissions_asked_for(tmp_path: Path) -> None:
    request = CohortRequest(minimum_admissions=3)
    assert chosen(tmp_path, [patient(1), patient(2, stays=3)], request) == ["90000002"]


def test_patients_asked_for_come_in_cohort_order(tmp_path: Path) -> None:
    request = CohortRequest(patients=1, subject_ids=("90000003", "90000002", "90000003"))
    patients = [patient(1, stays=4), patient(2), patient(3, stays=3)]
    assert chosen(tmp_path, patients, request) == ["90000003", "90000002"]


@pytest.mark.parametrize(
    ("subject_id", "told"),
    [
        ("99999999", "--subject-id 99999999: no such patient in hosp/patients"),
        ("90000002", r"--subject-id 90000002 \(1\): fewer than 2 admissions"),
        ("abc", "--subject-id abc: expected a whole number"),
        ("", "--subject-id : expected a whole number"),
    ],
)
def test_patients_that_cannot_be_built_are_named(
    tmp_path: Path, subject_id: str, told: str
) -> None:
    tree = write_mimic_tree(tmp_path / "mimic", [patient(1), patient(2, stays=1)])
    with pytest.raises(SettingError, match=told):
        build(tree, tmp_path / "work", CohortRequest(subject_ids=("90000001", subject_id)))
    assert list((tmp_path / "work").glob("*")) == []


def test_source_without_eligible_patients_gives_an_empty_cohort(tmp_path: Path) -> None:
    tree = write_mimic_tree(tmp_path / "mimic", [patient(1, stays=1)])
    cohort, bundles = build(tree, tmp_path / "work")
    assert (cohort.patients, cohort.eligible_patients, cohort.eligible_admissions) == ((), 0, 1)
    assert bundles == []


def test_patient_far_down_by_all_admissions_is_still_found(tmp_path: Path) -> None:
    crowd = [patient(number, stays=3) for number in range(1, 1001)]
    for stay in (1, 2, 3):
        crowd = [with_stay(who, stay, notes=(), reports=(), cultures=()) for who in crowd]
    tree = write_mimic_tree(tmp_path / "mimic", [*crowd, patient(2000)])
    cohort, bundles = build(tree, tmp_path / "work", CohortRequest(patients=1))
    assert [who.subject_id for who in cohort.patients] == ["90002000"]
    assert [len(bundle.discharge_notes) for bundle, _ in bundles] == [1, 1]
    assert [len(bundle.radiology_notes) for bundle, _ in bundles] == [1, 1]
    assert [len(bundle.diagnoses) for bundle, _ in bundles] == [2, 2]


def test_patient_with_one_usable_admission_is_set_aside(tmp_path: Path) -> None:
    short = with_stay(patient(1), 1, dischtime="2150-06-01 09:00:00")
    tree = write_mimic_tree(tmp_path / "mimic", [short, patient(2)])
    cohort, _ = build(tree, tmp_path / "work")
    assert [who.subject_id for who in cohort.patients] == ["90000002"]
    assert cohort.skipped == tuple(
        SkippedItem(
            id=item, subject_id="90000001", stage="bundles", outcome="skipped", reason=reason
        )
        for item, reason in (
            ("80000101", "zero_length_stay"),
            ("80000102", "patient_set_aside"),
            ("90000001", "fewer_than_two_usable_admissions"),
        )
    )
    assert cohort.eligible_patients == 2
    assert counts(cohort) == {
        ("admissions", "patient_set_aside"): 1,
        ("admissions", "zero_length_stay"): 1,
    }


def test_bundles_come_in_time_order_whatever_the_ids(tmp_path: Path) -> None:
    early = with_stay(
        patient(1), 2, admittime="2149-01-01 09:00:00", dischtime="2149-01-02 09:00:00"
    )
    tree = write_mimic_tree(tmp_path / "mimic", [early])
    _, bundles = build(tree, tmp_path / "work")
    assert [bundle.hadm_id for bundle, _ in bundles] == ["80000102", "80000101"]


def test_rows_left_out_are_counted_by_table_and_reason(tmp_path: Path) -> None:
    other = {"subject_id": "90000002", "hadm_id": "80000101"}
    unlinked = {"subject_id": "90000001", "text": "Outpatient."}
    code = {"seq_num": "1", "icd_code": "486", "icd_version": "9"}
    owners = [patient(1), with_stay(patient(2, stays=3), 3, notes=())]
    extra = {
        "patients": [mimic_rows([patient(2)])["patients"][0]],
        "d_icd_diagnoses": [
            mimic_row("d_icd_diagnoses", icd_code="486", icd_version="9", long_title="Zzz")
        ],
        "discharge": [
            mimic_row("discharge", **other, note_id="90000002-DS-8", text="Foreign."),
            mimic_row("discharge", **unlinked, note_id="90000001-DS-8"),
            mimic_row(
                "discharge",
                subject_id="90000001",
                hadm_id="80000102",
                note_id="90000001-DS-9",
                text=" \n",
            ),
        ],
        "radiology": [
            mimic_row("radiology", **unlinked, note_id="90000001-RR-8"),
            mimic_row("radiology", **unlinked, note_id="90000001-RR-9", hadm_id="70000000"),
        ],
        "diagnoses_icd": [
            mimic_row("diagnoses_icd", **other, **code),
            mimic_row("diagnoses_icd", **code, subject_id="90000001", hadm_id="80000101"),
        ],
        "microbiologyevents": [
            mimic_row("microbiologyevents", subject_id="90000001", chartdate="2150-06-01")
        ],
    }
    tree = write_mimic_tree(tmp_path / "mimic", owners, extra)
    cohort, bundles = build(tree, tmp_path / "work")
    assert counts(cohort) == {
        ("admissions", "no_discharge_note"): 1,
        ("d_icd_diagnoses", "repeated_code"): 1,
        ("diagnoses_icd", "repeated_row"): 1,
        ("diagnoses_icd", "subject_mismatch"): 1,
        ("discharge", "empty_text"): 1,
        ("discharge", "no_hadm_id"): 1,
        ("discharge", "subject_mismatch"): 1,
        ("microbiologyevents", "no_hadm_id"): 1,
        ("patients", "repeated_row"): 1,
        ("radiology", "no_hadm_id"): 1,
        ("radiology", "unknown_admission"): 1,
    }
    assert items(cohort) == [("80000203", "no_discharge_note")]
    assert sum(len(bundle.discharge_notes) for bundle, _ in bundles) == 4


@pytest.mark.parametrize(
    ("notes", "eligible"), [((), False), (("Organ donation.",), True)], ids=["no note", "a note"]
)
def test_stay_after_death_is_named_so_with_and_without_note(
    tmp_path: Path, notes: tuple[str, ...], eligible: bool
) -> None:
    owner = with_stay(patient(1, stays=3, dod="2151-06-05"), 3, notes=notes)
    tree = write_mimic_tree(tmp_path / "mimic", [owner])
    cohort, _ = build(tree, tmp_path / "work")
    [item] = cohort.skipped
    assert (item.id, item.reason, item.eligible) == ("80000103", "after_death", eligible)
    assert counts(cohort) == {("admissions", "after_death"): 1}


def test_row_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    owners = [patient(1), patient(2, stays=3)]
    tree = write_mimic_tree(tmp_path / "mimic", owners)
    expected = build(tree, tmp_path / "work")[1]
    rows = mimic_rows(owners)
    for table in TABLES:
        random.Random(table).shuffle(rows[table])
        write_table(tree, table, rows[table])
    assert build(tree, tmp_path / "work")[1] == expected


def test_files_carry_their_row_counts(tmp_path: Path) -> None:
    cohort, _ = build(write_mimic_tree(tmp_path / "mimic"), tmp_path / "work")
    assert {info.name: info.rows for info in cohort.files} == {
        "hosp/patients.csv": 2,
        "hosp/admissions.csv": 4,
        "hosp/d_icd_diagnoses.csv": 2,
        "hosp/d_icd_procedures.csv": 1,
        "hosp/diagnoses_icd.csv": 8,
        "hosp/procedures_icd.csv": 4,
        "hosp/microbiologyevents.csv": 4,
        "note/discharge.csv": 4,
        "note/radiology.csv": 4,
    }


@pytest.mark.skipif(not CASES.is_dir(), reason="../shared is missing: no reported cases to read")
def test_reported_cases_come_out_as_expected(tmp_path: Path) -> None:
    cohort, pairs = build(CASES, tmp_path)
    bundles = {bundle.hadm_id: bundle for bundle, _ in pairs}
    assert items(cohort) == [
        ("80000101", "negative_stay"),
        ("80000102", "zero_length_stay"),
        ("80000203", "after_death"),
    ]
    assert list(bundles) == ["80000103", "80000104", "80000201", "80000202", "80000301", "80000302"]
    titles = {
        hadm_id: [(row.icd_code, row.long_title) for row in bundle.diagnoses]
        for hadm_id, bundle in bundles.items()
    }
    assert titles == {
        "80000103": [("0042", "Invented title one"), ("042", "Invented title two")],
        "80000104": [("4280", "Invented heart title"), ("V100", "Invented nine-version title")],
        "80000201": [("V100", "Invented ten-version title")],
        "80000202": [],
        "80000301": [],
        "80000302": [("Z9999X", "")],
    }
    assert bundles["80000103"].procedures[0].long_title == "Invented tap"
    assert [note.note_id for note in bundles["80000103"].radiology_notes] == ["90000001-RR-1"]
    assert len(bundles["80000103"].microbiology) == 1
    assert [note.note_id for note in bundles["80000301"].discharge_notes] == ["90000003-DS-1"]
    assert counts(cohort)["microbiologyevents", "no_hadm_id"] == 2
    assert counts(cohort)["radiology", "no_hadm_id"] == 2
