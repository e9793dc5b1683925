from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.sql.conftest import SqlBench


@pytest.mark.parametrize(
    ("value", "number", "problem"),
    [
        ("'22595853'", 22595853, None),
        ("'22595853.0'", 22595853, None),
        ("'22595853.7'", None, "id: a decimal or signed number instead of a whole number"),
        ("'2.2595853e7'", None, "id: a number with an exponent instead of a whole number"),
        ("' 22595853'", None, "id: a value padded with blanks instead of a whole number"),
        ("'NA'", None, "id: a word for a missing value instead of a whole number"),
        ("'-5'", None, "id: a decimal or signed number instead of a whole number"),
        ("'5/7/2180'", None, "id: a date that is not year-month-day instead of a whole number"),
        ("'fever'", None, "id: text instead of a whole number"),
        ("null", None, "id: an empty field instead of a whole number"),
    ],
)
def test_conversions_read_whole_numbers_or_name_the_class_of_value(
    bench: SqlBench, value: str, number: int | None, problem: str | None
) -> None:
    found = bench.rows(f"select whole_number({value}), number_problem('id', {value}, true)")
    assert found == [(number, problem)]


@pytest.mark.parametrize(
    ("value", "time", "refused"),
    [
        ("2180-05-06 22:23:00", datetime(2180, 5, 6, 22, 23), None),
        ("2180-05-06", None, "a date alone or a day that does not exist"),
        ("2180-02-30 10:00:00", None, "a time in another spelling, or one that does not exist"),
        ("2180-05-06 24:00:00", None, "a time in another spelling, or one that does not exist"),
        ("2180-05-06T22:23:00", None, "a time in another spelling, or one that does not exist"),
        ("5/6/2180 22:23", None, "a date that is not year-month-day"),
        ("05-06-2180", None, "a date that is not year-month-day"),
    ],
)
def test_conversions_read_times_of_one_spelling(
    bench: SqlBench, value: str, time: datetime | None, refused: str | None
) -> None:
    [(read, problem)] = bench.rows(
        f"select moment('{value}'), moment_problem('t', '{value}', true)"
    )
    expected = refused and f"t: {refused} instead of a time as YYYY-MM-DD HH:MM:SS"
    assert (read, problem) == (time, expected)


def test_conversions_read_days_with_or_without_midnight(bench: SqlBench) -> None:
    found = bench.rows(
        "select calendar_day(v), day_problem('d', v, false) from (values ('2180-05-06'),"
        " ('2180-05-06 00:00:00'), ('2180-05-06 10:00:00'), (null)) as t(v)"
    )
    assert found == [
        (date(2180, 5, 6), None),
        (date(2180, 5, 6), None),
        (
            None,
            "d: a time in another spelling, or one that does not exist instead of a day as "
            "YYYY-MM-DD",
        ),
        (None, None),
    ]


def test_patients_keep_only_f_and_m_as_gender(bench: SqlBench) -> None:
    bench.stage(
        "patients",
        "subject_id,gender,anchor_age,anchor_year,dod",
        "1,F,44,2150,2161-05-03",
        "2.0,?,,,",
        "x,M,44,2150,",
    )
    assert bench.rows("from staging_patients") == [
        (1, "F", 44, 2150, date(2161, 5, 3), None, 0),
        (2, "", None, None, None, None, 1),
        (None, "M", 44, 2150, None, "subject_id: text instead of a whole number", 0),
    ]


def test_admissions_are_fatal_by_flag_or_by_location(bench: SqlBench) -> None:
    bench.stage(
        "admissions",
        "subject_id,hadm_id,admittime,dischtime,discharge_location,hospital_expire_flag",
        "1,11,2150-01-01 08:00:00,,HOME ,0",
        "1,12,2150-02-01 08:00:00,,,1",
        "1,13,2150-03-01 08:00:00,,DIED,0",
        "1,14,,,HOME,0",
    )
    assert bench.rows(
        "select hadm_id, admittime, dischtime, discharge_location, recorded_as_died, problem "
        "from staging_admissions"
    ) == [
        (11, datetime(2150, 1, 1, 8), None, "HOME", False, None),
        (12, datetime(2150, 2, 1, 8), None, "", True, None),
        (13, datetime(2150, 3, 1, 8), None, "DIED", True, None),
        (
            14, None, None, "HOME", False,
            "admittime: an empty field instead of a time as YYYY-MM-DD HH:MM:SS",
        ),
    ]  # fmt: skip


def test_diagnoses_icd_keep_codes_as_trimmed_text(bench: SqlBench) -> None:
    bench.stage(
        "diagnoses_icd",
        "subject_id,hadm_id,seq_num,icd_code,icd_version",
        "1,11,1,0042,9",
        "1,11,2,4280   ,9",
        "1,,x,V100,10",
    )
    assert bench.rows("from staging_diagnoses_icd") == [
        (1, 11, 1, "0042", 9, None, 0),
        (1, 11, 2, "4280", 9, None, 0),
        (1, None, None, "V100", 10, "seq_num: text instead of a whole number", 0),
    ]


def test_procedures_icd_need_a_day(bench: SqlBench) -> None:
    bench.stage(
        "procedures_icd",
        "subject_id,hadm_id,seq_num,chartdate,icd_code,icd_version",
        "1,11.0,1,2150-01-02,0331,9",
        "1,11,2,5/7/2180,331,9",
    )
    assert bench.rows("from staging_procedures_icd") == [
        (1, 11, 1, date(2150, 1, 2), "0331", 9, None, 1),
        (
            1, 11, 2, None, "331", 9,
            "chartdate: a date that is not year-month-day instead of a day as YYYY-MM-DD", 0,
        ),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["diagnoses", "procedures"])
def test_d_icd_tables_keep_leading_zeros(bench: SqlBench, kind: str) -> None:
    bench.stage(f"d_icd_{kind}", "icd_code,icd_version,long_title", " 0042,9,First ", "0042,ten,")
    assert bench.rows(f"from staging_d_icd_{kind}") == [
        ("0042", 9, "First", None, 0),
        ("0042", None, "", "icd_version: text instead of a whole number", 0),
    ]


def test_microbiologyevents_read_a_date_without_time(bench: SqlBench) -> None:
    bench.stage(
        "microbiologyevents",
        "subject_id,hadm_id,chartdate,charttime,spec_type_desc,test_name,comments",
        "1,,2150-01-02 00:00:00,,URINE,URINE CULTURE,NO GROWTH.  ",
    )
    assert bench.rows("from staging_microbiologyevents") == [
        (1, None, date(2150, 1, 2), None, "URINE", "URINE CULTURE", "", "", "", "NO GROWTH.",
         None, 0),
    ]  # fmt: skip


@pytest.mark.parametrize(("table", "kind"), [("discharge", "DS"), ("radiology", "RR")])
def test_notes_keep_their_text_as_it_is(bench: SqlBench, table: str, kind: str) -> None:
    bench.stage(
        table,
        "note_id,subject_id,hadm_id,note_seq,charttime,storetime,text",
        f'1-{kind}-2,1,11,2,2150-01-03 00:00:00,,"  He said ""x"",\nthen slept. "',
        "scar,1,11,2,,,x",
    )
    assert bench.rows(f"from staging_{table}") == [
        (f"1-{kind}-2", 1, 11, 2, datetime(2150, 1, 3), None, '  He said "x",\nthen slept. ', None, 0),
        (
            "scar", 1, 11, 2, None, None, "x",
            "note_id: text instead of an id such as 90000001-DS-1", 0,
        ),
    ]  # fmt: skip


def test_load_result_sums_records_and_finds_refused_ones(bench: SqlBench) -> None:
    columns = "subject_id,gender"
    bench.load("patients", columns, "1.0,F", "1.0,F", "2,M")
    assert bench.run("staging/load_result.sql", table_name="patients") == [(3, 2, False)]
    bench.load("patients", columns, "x,F")
    assert bench.run("staging/load_result.sql", table_name="patients") == [(1, 0, True)]
    bench.load("patients", columns)
    assert bench.run("staging/load_result.sql", table_name="patients") == [(0, 0, False)]


def test_first_refused_names_the_first_record_by_number(bench: SqlBench) -> None:
    bench.stage("patients", "subject_id,gender", "1,F", ",F", "x,F")
    assert bench.run("staging/first_refused.sql", view_name="staging_patients") == [
        (2, "subject_id: an empty field instead of a whole number")
    ]
