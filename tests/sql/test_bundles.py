from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.sql.conftest import SqlBench

NOTE = "note_id,subject_id,hadm_id,note_seq,charttime,storetime,text"


def test_discharge_notes_are_ordered_by_seq_as_number_then_times(hospital: SqlBench) -> None:
    hospital.load(
        "discharge", NOTE,
        "1-DS-9,1,11,,,,unnumbered",
        "1-DS-3,1,11,10,2150-01-03 00:00:00,,tenth",
        "1-DS-2,1,11,2,2150-01-04 00:00:00,,second later",
        "1-DS-1,1,11,2,2150-01-03 00:00:00,,second earlier",
        "2-DS-1,2,21,1,,,another patient",
    )  # fmt: skip
    found = hospital.run("bundles/discharge_notes.sql", patient=1)
    assert [row[-1] for row in found] == ["second earlier", "second later", "tenth", "unnumbered"]
    assert found[0] == (1, 11, "1-DS-1", 2, datetime(2150, 1, 3), None, "second earlier")


def test_radiology_notes_are_ordered_by_time_then_id(hospital: SqlBench) -> None:
    hospital.load(
        "radiology", NOTE,
        "1-RR-3,1,11,3,2150-01-02 10:00:00,2150-01-02 12:00:00,later stored",
        "1-RR-2,1,11,2,2150-01-02 10:00:00,2150-01-02 11:00:00,b",
        "1-RR-1,1,11,1,2150-01-02 10:00:00,2150-01-02 11:00:00,a",
        "1-RR-4,1,11,4,2150-01-01 10:00:00,,first",
    )  # fmt: skip
    found = hospital.run("bundles/radiology_notes.sql", patient=1)
    assert [row[2] for row in found] == ["1-RR-4", "1-RR-1", "1-RR-2", "1-RR-3"]


def test_diagnoses_join_titles_on_code_and_version(hospital: SqlBench) -> None:
    hospital.load(
        "d_icd_diagnoses", "icd_code,icd_version,long_title",
        "0042,9,One", "042,9,Two", "42,9,Wrong", "V100,9,Nine", "V100,10,Ten",
    )  # fmt: skip
    hospital.load(
        "diagnoses_icd", "subject_id,hadm_id,seq_num,icd_code,icd_version",
        "1,11,10,Z9999X,10", "1,11,2,042,9", "1,11,1,0042,9", "1,12,1,V100,10", "2,21,1,V100,9",
    )  # fmt: skip
    assert hospital.run("bundles/diagnoses.sql", patient=1) == [
        (1, 11, 1, "0042", 9, "One"),
        (1, 11, 2, "042", 9, "Two"),
        (1, 11, 10, "Z9999X", 10, ""),
        (1, 12, 1, "V100", 10, "Ten"),
    ]
    assert hospital.run("bundles/diagnoses.sql", patient=None)[-1] == (
        2, 21, 1, "V100", 9, "Nine",
    )  # fmt: skip


def test_procedures_happen_at_noon(hospital: SqlBench) -> None:
    hospital.load("d_icd_procedures", "icd_code,icd_version,long_title", "0331,9,Tap", "331,9,No")
    hospital.load(
        "procedures_icd",
        "subject_id,hadm_id,seq_num,chartdate,icd_code,icd_version",
        "1,11,1,2150-01-03,9999,9",
        "1,11,2,2150-01-02,0331,9",
    )
    noon = "date_only_normalized"
    assert hospital.run("bundles/procedures.sql", patient=1) == [
        (1, 11, 2, date(2150, 1, 2), "0331", 9, "Tap", datetime(2150, 1, 2, 12), noon),
        (1, 11, 1, date(2150, 1, 3), "9999", 9, "", datetime(2150, 1, 3, 12), noon),
    ]


def test_microbiology_has_the_charted_time_or_noon(hospital: SqlBench) -> None:
    hospital.load(
        "microbiologyevents",
        "subject_id,hadm_id,chartdate,charttime,spec_type_desc,test_name,org_name",
        "1,11,2150-01-02 00:00:00,,URINE,URINE CULTURE,",
        "1,11,2150-01-02 00:00:00,2150-01-02 11:00:00,URINE,URINE CULTURE,COCCUS",
        "1,11,,2150-01-01 11:00:00,SWAB,MRSA SCREEN,",
    )
    empty = ("", "", "")
    assert hospital.run("bundles/microbiology.sql", patient=1) == [
        (1, 11, None, datetime(2150, 1, 1, 11), datetime(2150, 1, 1, 11), "recorded",
         "SWAB", "MRSA SCREEN", "", *empty),
        (1, 11, date(2150, 1, 2), datetime(2150, 1, 2, 11), datetime(2150, 1, 2, 11), "recorded",
         "URINE", "URINE CULTURE", "COCCUS", *empty),
        (1, 11, date(2150, 1, 2), None, datetime(2150, 1, 2, 12), "date_only_normalized",
         "URINE", "URINE CULTURE", "", *empty),
    ]  # fmt: skip


@pytest.mark.parametrize("death", ["2150-05-02 10:00:00", ""])
def test_hosp_stays_carry_age_and_outcome(hospital: SqlBench, death: str) -> None:
    hospital.load(
        "admissions",
        "subject_id,hadm_id,admittime,deathtime,admission_type",
        f"2,21,2153-05-01 08:00:00,{death},URGENT",
        "1,12,2151-01-01 08:00:00,,EW EMER.",
    )
    moment = datetime(2150, 5, 2, 10) if death else None
    assert hospital.run("hosp/stays.sql") == [
        (1, 12, "F", 61, None, datetime(2151, 1, 1, 8), None, None, False, "EW EMER.", "", ""),
        (2, 21, "M", 73, None, datetime(2153, 5, 1, 8), None, moment, bool(death), "URGENT",
         "", ""),
    ]  # fmt: skip
