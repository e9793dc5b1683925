from __future__ import annotations

import pytest

from tests.sql.conftest import SqlBench

BILLED = "subject_id,hadm_id,seq_num,icd_code,icd_version"
TITLED = "icd_code,icd_version,long_title"


@pytest.fixture
def codes(hospital: SqlBench) -> SqlBench:
    """Two diagnoses lack a title: 42 in the shape of 0042, and Z9999X; procedures have theirs."""
    hospital.load("d_icd_diagnoses", TITLED, "0042,9,A", "0389,9,B", "486,9,C", "J189,10,D")
    hospital.load("d_icd_procedures", TITLED, "0331,9,E", "Z9999X,10,F")
    hospital.load(
        "diagnoses_icd", BILLED,
        "1,11,1,486,9", "1,11,2,038,9", "3,31,1,389,9", "1,11,3,Z9999X,10", "2,21,1,J189,10",
    )  # fmt: skip
    hospital.load(
        "procedures_icd", f"{BILLED},chartdate", "1,11,1,0331,9,2150-01-02",
        "1,11,1,0331,9,2150-01-02",
    )  # fmt: skip
    return hospital


def test_code_spellings_count_records_by_how_they_fit(codes: SqlBench) -> None:
    # kind, records, titles, padded titles, untitled, zeros lost, zeros lost by the dictionary,
    # titled by the other dictionary, different padded codes
    assert codes.run("cohort/code_spellings.sql") == [
        ("diagnoses", 5, 4, 2, 3, 1, 0, 1, 1),
        ("procedures", 2, 2, 1, 0, 0, 0, 0, 1),
    ]


def test_code_spellings_see_a_dictionary_without_zeros(codes: SqlBench) -> None:
    codes.load("d_icd_procedures", TITLED, "331,9,E")
    assert codes.run("cohort/code_spellings.sql")[1] == ("procedures", 2, 1, 0, 2, 0, 2, 0, 1)


def test_first_lost_zeros_names_the_record(codes: SqlBench) -> None:
    found = codes.run(
        "cohort/first_lost_zeros.sql",
        view_name="staging_diagnoses_icd",
        dictionary="d_icd_diagnoses",
    )
    assert found == [(3,)]


def test_completeness_counts_strays_of_known_patients_only(codes: SqlBench) -> None:
    codes.load(
        "discharge",
        "note_id,subject_id,hadm_id,text",
        "1-DS-1,1,11,a", "1-DS-2,1,12,b", "1-DS-3,1,99,c", "9-DS-1,9,98,d", "3-DS-1,3,31,e",
    )  # fmt: skip
    # linked notes, stray notes, kept admissions with a note, those with a diagnosis
    assert codes.run("cohort/completeness.sql") == [(3, 1, 2, 1)]
