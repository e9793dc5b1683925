from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.sql.conftest import SqlBench

WHOLE = "instead of a whole number"


@pytest.mark.parametrize(
    ("value", "number", "problem"),
    [
        ("22595853", 22595853, None),
        ("22595853.0", 22595853, None),
        ("022595853", 22595853, None),
        ("22595853.7", None, f"id: a decimal or signed number {WHOLE}"),
        ("22595853,0", None, f"id: a decimal or signed number {WHOLE}"),
        ("22595853.", None, f"id: a decimal or signed number {WHOLE}"),
        ("-5", None, f"id: a decimal or signed number {WHOLE}"),
        ("+5", None, f"id: a decimal or signed number {WHOLE}"),
        ("2.2595853e7", None, f"id: a number with an exponent {WHOLE}"),
        ("2.2595853E+07", None, f"id: a number with an exponent {WHOLE}"),
        ("2,2595853E+07", None, f"id: a number with an exponent {WHOLE}"),
        ("22,595,853", None, f"id: a number with thousands separators {WHOLE}"),
        ("22.595.853", None, f"id: a number with thousands separators {WHOLE}"),
        ("22 595 853", None, f"id: a number with thousands separators {WHOLE}"),
        ("1234567890123456789", None, f"id: a number of more than 18 digits {WHOLE}"),
        (" 22595853", None, f"id: a value padded with blanks {WHOLE}"),
        ("22595853\t", None, f"id: a value padded with blanks {WHOLE}"),
        ("22595853\u00a0", None, f"id: a value padded with blanks {WHOLE}"),
        ("22595853\n", None, f"id: a value padded with blanks {WHOLE}"),
        ("NA", None, f"id: a word for a missing value {WHOLE}"),
        ("#N/A", None, f"id: a word for a missing value {WHOLE}"),
        ("nan", None, f"id: a word for a missing value {WHOLE}"),
        ("NULL", None, f"id: a word for a missing value {WHOLE}"),
        ("5/7/2180", None, f"id: a date that is not year-month-day {WHOLE}"),
        ("fever", None, f"id: text {WHOLE}"),
        ("'22595853", None, f"id: text {WHOLE}"),
        ('="22595853"', None, f"id: text {WHOLE}"),
        ("0x158c8cd", None, f"id: text {WHOLE}"),
        ("٢٢٥٩", None, f"id: text {WHOLE}"),
        ("\ufeff22595853", None, f"id: text {WHOLE}"),
        (None, None, f"id: an empty field {WHOLE}"),
    ],
)
def test_conversions_read_whole_numbers_or_name_the_class_of_value(
    bench: SqlBench, value: str | None, number: int | None, problem: str | None
) -> None:
    found = bench.rows("select whole_number($1), number_problem('id', $1, true)", value)
    assert found == [(number, problem)]


@pytest.mark.parametrize(
    "value",
    [None, "", " \t\r\n", "\u00a0\n", "\v\x1c\n", "\u2003\u2028", "\u200b\ufeff", "\x85"],
)
def test_text_may_be_blank_in_any_script(bench: SqlBench, value: str | None) -> None:
    assert bench.rows("select is_blank($1)", value) == [(True,)]


@pytest.mark.parametrize("value", ["x", "\u00a0.\n", "___", "\u200bé"])
def test_text_with_a_visible_character_is_not_blank(bench: SqlBench, value: str) -> None:
    assert bench.rows("select is_blank($1)", value) == [(False,)]


SPELT = "a time in another spelling, or one that does not exist"
ORDER = "a date that is not year-month-day"


@pytest.mark.parametrize(
    ("value", "time", "refused"),
    [
        ("2180-05-06 22:23:00", datetime(2180, 5, 6, 22, 23), None),
        ("2212-02-29 00:00:00", datetime(2212, 2, 29), None),
        ("2180-05-06", None, "a date alone or a day that does not exist"),
        ("2180-02-30 10:00:00", None, SPELT),
        ("2100-02-29 10:00:00", None, SPELT),
        ("2180-13-01 10:00:00", None, SPELT),
        ("2180-05-06 24:00:00", None, SPELT),
        ("2180-05-06 23:59:60", None, SPELT),
        ("2180-05-06T22:23:00", None, SPELT),
        ("2180-05-06 22:23:00Z", None, SPELT),
        ("2180-05-06 22:23:00+00", None, SPELT),
        ("2180-05-06 22:23:00.000", None, SPELT),
        ("2180-05-06 22:23", None, SPELT),
        ("2180-05-06 10:23:00 PM", None, SPELT),
        ("2180-05-06  22:23:00", None, SPELT),
        ("5/6/2180 22:23", None, ORDER),
        ("05/06/2180 10:23:00 PM", None, ORDER),
        ("5/6/80 22:23", None, ORDER),
        ("06.05.2180 22:23:00", None, ORDER),
        ("05-06-2180", None, ORDER),
        ("2180/05/06 22:23:00", None, "a date in another spelling"),
        ("2180-5-6 22:23:00", None, "a date in another spelling"),
        ("6-May-80", None, "a date with the month in letters"),
        ("06 May 2180 22:23:00", None, "a date with the month in letters"),
        ("1899-12-30 22:23:00", None, "a date before 1971 or after 2999"),
        ("1970-01-01 00:00:00", None, "a date before 1971 or after 2999"),
        ("9999-12-31 00:00:00", None, "a date before 1971 or after 2999"),
        ("1900-01-00 00:00:00", None, SPELT),
        ("102345.93", None, "a decimal or signed number"),
        ("102345", None, "a whole number"),
        ("20180506222300", None, "a whole number"),
        ("#########", None, "text"),
        ("22:23:00", None, "text"),
    ],
)
def test_conversions_read_times_of_one_spelling(
    bench: SqlBench, value: str, time: datetime | None, refused: str | None
) -> None:
    [(read, problem)] = bench.rows("select moment($1), moment_problem('t', $1, true)", value)
    expected = refused and f"t: {refused} instead of a time as YYYY-MM-DD HH:MM:SS"
    assert (read, problem) == (time, expected)


@pytest.mark.parametrize("value", ["1899-12-30", "1970-01-01 00:00:00", "9999-12-31"])
def test_conversions_refuse_days_that_stand_for_none(bench: SqlBench, value: str) -> None:
    assert bench.rows("select calendar_day($1), day_problem('d', $1, false)", value) == [
        (None, "d: a date before 1971 or after 2999 instead of a day as YYYY-MM-DD")
    ]


@pytest.mark.parametrize("value", ["11", "0", "2"])
def test_conversions_name_the_choices(bench: SqlBench, value: str) -> None:
    assert bench.rows("select choice_problem('icd_version', $1, 9, 10)", value) == [
        ("icd_version: another number than 9 and 10",)
    ]


@pytest.mark.parametrize(
    ("value", "shortest", "kept", "refused"),
    [
        ("0042", 3, "0042", None),
        (" 4280 \t\u00a0", 3, "4280", None),
        ("V100", 3, "V100", None),
        ("0210093", 3, "0210093", None),
        (None, 3, "", None),
        ("  ", 3, "", None),
        ("42", 1, "42", None),
        ("42", 3, "42", "a code without its leading zeros, which spreadsheets drop,"),
        ("428.0", 3, "428.0", "a whole number written as a decimal"),
        ("38.93", 3, "38.93", "a decimal or signed number"),
        ("4.28E+02", 3, "4.28E+02", "a number with an exponent"),
        ("NoDx", 3, "NODX", None),
        ("v100", 3, "V100", None),
        ("\ufeff0042", 3, "\ufeff0042", "text"),
        ("V10 0", 3, "V10 0", "text"),
        ("12345678", 3, "12345678", "a whole number"),
        ("NULL", 3, "NULL", "a word for a missing value"),
    ],
)
def test_conversions_read_codes_as_text_or_name_the_class_of_value(
    bench: SqlBench, value: str | None, shortest: int, kept: str, refused: str | None
) -> None:
    found = bench.rows("select icd_code_text($1), icd_code_problem($1, $2)", value, shortest)
    told = f"{shortest} to 7 digits and letters without a dot"
    expected = refused and f"icd_code: {refused} instead of an ICD code, {told}"
    assert found == [(kept, expected)]


@pytest.mark.parametrize(
    ("table", "note_id", "note_type", "problem"),
    [
        ("discharge", "1-RR-1", "DS", "note_id: the id of a note of the other file"),
        ("discharge", "1-DS-1", "AR", "note_type: a note of the other file"),
        ("radiology", "1-DS-1", "RR", "note_id: the id of a note of the other file"),
        ("radiology", "1-RR-1", "AD", "note_type: a note of the other file"),
        ("discharge", "1-AD-1", "AD", None),
        ("radiology", "1-AR-1", "AR", None),
        ("radiology", "1-RR-1", "", None),
    ],
)
def test_notes_of_the_other_file_are_refused(
    bench: SqlBench, table: str, note_id: str, note_type: str, problem: str | None
) -> None:
    bench.stage(table, "note_id,subject_id,note_type", f"{note_id},1,{note_type}")
    assert [row[-2] for row in bench.rows(f"from staging_{table}")] == [problem]


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
        (
            f"1-{kind}-2", 1, 11, 2, datetime(2150, 1, 3), None,
            '  He said "x",\nthen slept. ', None, 0,
        ),
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
