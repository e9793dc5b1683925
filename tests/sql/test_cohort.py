from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.sql.conftest import SqlBench

NOTE = "note_id,subject_id,hadm_id,note_seq,charttime,storetime,text"
LINKED = "subject_id,hadm_id,seq_num,icd_code,icd_version"


def test_patients_count_exact_repeats(bench: SqlBench) -> None:
    bench.load("patients", "subject_id,gender", "1,F", "1.0,F", "2,M")
    assert bench.rows(
        "select subject_id, gender, decimal_ids, records from patients order by subject_id"
    ) == [(1, "F", 1, 2), (2, "M", 0, 1)]


def test_admissions_count_exact_repeats(bench: SqlBench) -> None:
    record = "1,11,2150-01-01 08:00:00"
    bench.load("admissions", "subject_id,hadm_id,admittime", record, record)
    assert bench.rows("select hadm_id, records from admissions") == [(11, 2)]


def test_candidates_have_most_admissions_then_the_smaller_id(hospital: SqlBench) -> None:
    assert hospital.rows("from candidates order by subject_id") == [(1,), (2,)]
    hospital.run("cohort/candidates.sql", subject_ids=[3, 1], candidate_limit=2)
    assert hospital.rows("from candidates order by subject_id") == [(1,), (3,)]


def test_diagnoses_icd_keep_linked_rows_of_candidates_and_count_the_rest(
    hospital: SqlBench,
) -> None:
    hospital.load(
        "diagnoses_icd", LINKED,
        "1,11,1,486,9", "1,11,1,486,9", "1,21,1,486,9", "1,99,1,486,9", "1,,1,486,9",
        "3,31,1,486,9", "3,31,2,486,9",
    )  # fmt: skip
    assert hospital.rows(
        "select reason, kept, hadm_id, icd_code, records from diagnoses_icd order by all"
    ) == [
        ("no_hadm_id", False, None, "486", 1),
        ("subject_mismatch", False, None, "486", 1),
        ("unknown_admission", False, None, "486", 1),
        (None, False, None, "486", 2),
        (None, True, 11, "486", 2),
    ]


def test_procedures_icd_keep_linked_rows_of_candidates_and_count_the_rest(
    hospital: SqlBench,
) -> None:
    hospital.load(
        "procedures_icd",
        "subject_id,hadm_id,seq_num,chartdate,icd_code,icd_version",
        "1,11,1,2150-01-02,0331,9",
        "2,11,1,2150-01-02,0331,9",
        "3,31,1,2150-06-02,0331,9",
    )
    assert hospital.rows(
        "select reason, kept, hadm_id, chartdate, records from procedures_icd order by all"
    ) == [
        ("subject_mismatch", False, None, None, 1),
        (None, False, None, None, 1),
        (None, True, 11, date(2150, 1, 2), 1),
    ]


def test_microbiologyevents_need_a_stay_and_a_date(hospital: SqlBench) -> None:
    hospital.load(
        "microbiologyevents",
        "microevent_id,subject_id,hadm_id,chartdate,test_name",
        "1,1,11,2150-01-02 00:00:00,URINE CULTURE",
        "2,1,11,2150-01-02 00:00:00,URINE CULTURE",
        "3,1,,2150-01-02 00:00:00,URINE CULTURE",
        "4,1,11,,URINE CULTURE",
    )
    assert hospital.rows(
        "select reason, kept, test_name, records from microbiologyevents order by all"
    ) == [
        ("no_date", False, None, 1),
        ("no_hadm_id", False, None, 1),
        (None, True, "URINE CULTURE", 2),
    ]


def test_discharge_keeps_every_linked_note_and_text_for_candidates(hospital: SqlBench) -> None:
    hospital.load(
        "discharge", NOTE,
        "1-DS-1,1,11,1,,,story", "3-DS-1,3,31,1,,,story", '1-DS-2,1,12,2,,," \n"',
        "2-DS-1,2,11,1,,,story",
    )  # fmt: skip
    assert hospital.rows(
        "select reason, linked, kept, note_id, note_text from discharge order by all"
    ) == [
        ("empty_text", False, False, None, None),
        ("subject_mismatch", False, False, None, None),
        (None, True, False, "3-DS-1", None),
        (None, True, True, "1-DS-1", "story"),
    ]


def test_radiology_keeps_linked_reports_of_candidates(hospital: SqlBench) -> None:
    hospital.load(
        "radiology", NOTE,
        "1-RR-1,1,11,1,,,film", "1-RR-2,1,,2,,,film", "3-RR-1,3,31,1,,,film",
    )  # fmt: skip
    assert hospital.rows("select reason, kept, note_id, records from radiology order by all") == [
        ("no_hadm_id", False, None, 1),
        (None, False, None, 1),
        (None, True, "1-RR-1", 1),
    ]


@pytest.mark.parametrize("kind", ["diagnoses", "procedures"])
def test_d_icd_tables_keep_the_first_title_in_the_alphabet(bench: SqlBench, kind: str) -> None:
    table = f"d_icd_{kind}"
    bench.load(
        table, "icd_code,icd_version,long_title",
        "V100,9,Nine", "V100,10,Ten", "V100,9,Alpha", "V100,9,Nine",
    )  # fmt: skip
    assert bench.rows(f"from {table} order by all") == [
        ("V100", 9, None, "Alpha", 2, 0, 3),
        ("V100", 10, None, "Ten", 1, 0, 1),
    ]


def test_conflicts_name_ids_with_two_contents(hospital: SqlBench) -> None:
    assert hospital.run("cohort/conflicts.sql") == []
    hospital.load("patients", "subject_id,gender", "7,F", "7,M")
    hospital.load(
        "admissions",
        "subject_id,hadm_id,admittime",
        "7,71,2150-01-01 08:00:00",
        "8,71,2150-01-01 08:00:00",
    )
    assert hospital.run("cohort/conflicts.sql") == [
        ("admissions", "hadm_id", "71"),
        ("patients", "subject_id", "7"),
    ]


def test_note_conflicts_name_notes_with_two_texts(hospital: SqlBench) -> None:
    hospital.load("discharge", NOTE, "3-DS-1,3,31,1,,,one", "3-DS-1,3,31,1,,,two")
    hospital.load("radiology", NOTE, "1-RR-1,1,11,1,,,one", "1-RR-1,1,11,1,,,one")
    assert hospital.run("cohort/note_conflicts.sql") == [("discharge", "note_id", "3-DS-1")]


def test_unknown_patients_are_counted_with_the_first_id(hospital: SqlBench) -> None:
    assert hospital.run("cohort/unknown_patients.sql") == [(0, None)]
    hospital.load("patients", "subject_id,gender", "2,F")
    assert hospital.run("cohort/unknown_patients.sql") == [(2, 1)]


@pytest.fixture
def notes(hospital: SqlBench) -> SqlBench:
    """Patient 1 has two eligible admissions, patient 3 one, patient 2 none."""
    hospital.load(
        "discharge", NOTE,
        "1-DS-1,1,11,1,2150-01-03 00:00:00,2150-01-03 09:00:00,story",
        "1-DS-2,1,11,2,2150-01-02 00:00:00,2150-01-05 09:00:00,addendum",
        "1-DS-3,1,12,3,,,story",
        "3-DS-1,3,31,1,,,story",
        "3-DS-1,3,31,1,,,story",
        "2-DS-1,2,,1,,,story",
    )  # fmt: skip
    hospital.run("cohort/eligible_admissions.sql")
    hospital.run("cohort/eligible_patients.sql", minimum_admissions=1)
    hospital.run("cohort/cohort.sql", subject_ids=[], patients=2)
    return hospital


def test_eligible_admissions_carry_their_latest_note_times(notes: SqlBench) -> None:
    assert notes.rows("from eligible_admissions order by hadm_id") == [
        (1, 11, datetime(2150, 1, 3), datetime(2150, 1, 5, 9)),
        (1, 12, None, None),
        (3, 31, None, None),
    ]


def test_eligible_patients_are_ranked_by_admissions_then_id(hospital: SqlBench) -> None:
    hospital.load(
        "discharge", NOTE,
        "3-DS-1,3,31,1,,,a", "2-DS-1,2,21,1,,,a", "1-DS-1,1,11,1,,,a", "1-DS-2,1,12,2,,,a",
    )  # fmt: skip
    hospital.run("cohort/eligible_admissions.sql")
    hospital.run("cohort/eligible_patients.sql", minimum_admissions=1)
    assert hospital.rows("from eligible_patients order by place") == [
        (1, 2, 1),
        (2, 1, 2),
        (3, 1, 3),
    ]
    hospital.run("cohort/eligible_patients.sql", minimum_admissions=2)
    assert hospital.rows("from eligible_patients") == [(1, 2, 1)]


def test_cohort_is_the_first_by_rank_or_those_asked_for(notes: SqlBench) -> None:
    assert notes.rows("from cohort order by place") == [(1, 2, 1), (3, 1, 2)]
    notes.run("cohort/cohort.sql", subject_ids=[], patients=1)
    assert notes.rows("from cohort") == [(1, 2, 1)]
    notes.run("cohort/cohort.sql", subject_ids=[3], patients=1)
    assert notes.rows("from cohort") == [(3, 1, 2)]


def test_cohort_patients_say_whether_their_rows_were_kept(notes: SqlBench) -> None:
    assert notes.run("cohort/cohort_patients.sql") == [
        ("1", 2, "F", 60, 2150, None, True),
        ("3", 1, "F", 80, 2150, date(2151, 1, 1), False),
    ]


def test_cohort_admissions_list_eligible_and_other_admissions(notes: SqlBench) -> None:
    notes.load(
        "admissions",
        "subject_id,hadm_id,admittime,dischtime,hospital_expire_flag",
        "3,32,2150-07-01 08:00:00,2150-07-02 08:00:00,1",
        "3,31,2150-06-01 08:00:00,2150-06-03 08:00:00,0",
        "1,11,2150-01-01 08:00:00,,0",
    )
    assert notes.run("cohort/cohort_admissions.sql") == [
        ("1", "11", datetime(2150, 1, 1, 8), None, None, False, True,
         datetime(2150, 1, 3), datetime(2150, 1, 5, 9)),
        ("3", "31", datetime(2150, 6, 1, 8), datetime(2150, 6, 3, 8), None, False, True,
         None, None),
        ("3", "32", datetime(2150, 7, 1, 8), datetime(2150, 7, 2, 8), None, True, False,
         None, None),
    ]  # fmt: skip


def test_source_totals_count_eligible_patients_and_admissions(notes: SqlBench) -> None:
    assert notes.run("cohort/source_totals.sql") == [(2, 3)]


def test_asked_patients_tell_unknown_from_ineligible(notes: SqlBench) -> None:
    assert notes.run("cohort/asked_patients.sql", subject_ids=[9, 1, 2]) == [
        ("1", True, 2),
        ("2", True, 0),
        ("9", False, 0),
    ]


def test_skipped_links_count_reasons_of_the_file_and_repeats_of_the_cohort(
    notes: SqlBench,
) -> None:
    assert notes.run("cohort/skipped_links.sql", table_name="discharge") == [("no_hadm_id", 1)]
    notes.load("diagnoses_icd", LINKED, *["1,11,1,486,9"] * 3, *["2,21,1,486,9"] * 2, "1,99,1,4,9")
    assert notes.run("cohort/skipped_links.sql", table_name="diagnoses_icd") == [
        ("repeated_row", 2),
        ("unknown_admission", 1),
    ]


def test_skipped_keys_count_repeats_and_admissions_without_note(notes: SqlBench) -> None:
    titles = "icd_code,icd_version,long_title"
    notes.load("d_icd_diagnoses", titles, "486,9,A", "486,9,B", "486,9,A")
    notes.load("d_icd_procedures", titles, "0331,9,A")
    notes.load("patients", "subject_id,gender", "1,F", "1,F")
    assert notes.run("cohort/skipped_keys.sql") == [
        ("admissions", "no_discharge_note", 1),
        ("d_icd_diagnoses", "repeated_code", 2),
        ("patients", "repeated_row", 1),
    ]
