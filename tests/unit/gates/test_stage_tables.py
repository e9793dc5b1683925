from __future__ import annotations

from datetime import timedelta
from typing import Any

import polars as pl
import pytest

from tasks.contracts.build import CohortBuild, PatientPlan, SkippedItem
from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import PromptRecord
from tasks.contracts.records import AdmissionBundle, AdmissionSummary
from tasks.contracts.release import PatientSessions
from tasks.gates.tables.bundles import bundle_tables
from tasks.gates.tables.cohort import cohort_tables
from tasks.gates.tables.dialogues import dialogue_tables, turn_range
from tasks.gates.tables.source import source_tables
from tasks.gates.tables.timelines import timeline_tables
from tests.factories.records import (
    bundle,
    diagnosis,
    discharge_note,
    microbiology,
    procedure,
    radiology_note,
    rich_bundle,
)
from tests.factories.released_patients import patient_dialogues, patient_sessions
from tests.factories.releases import cohort_build, source_files

FIRST, SECOND = patient_dialogues()


def value(table: pl.DataFrame, column: str, row: int = -1) -> Any:
    return table[column][row]


# source and cohort


@pytest.mark.parametrize(
    ("table", "update", "column", "expected"),
    [
        ("patients", {"rows": 0}, "needed_but_empty", True),
        ("discharge", {"rows": 0}, "needed_but_empty", True),
        ("radiology", {"rows": 0}, "needed_but_empty", False),
        ("radiology", {"rows": None}, "was_read", False),
        ("radiology", {"sha256": "abc"}, "digest_ok", False),
        ("radiology", {"bytes": 0}, "bytes", 0),
    ],
)
def test_source_rows_say_what_is_wrong_with_a_file(
    table: str, update: dict[str, Any], column: str, expected: object
) -> None:
    file = next(one for one in source_files() if one.table == table)
    rows = source_tables([file.model_copy(update=update)])["source"]
    assert value(rows, column) == expected


def build_of(*patients: PatientPlan, skipped: tuple[SkippedItem, ...] = ()) -> CohortBuild:
    return cohort_build().model_copy(update={"patients": patients, "skipped": skipped})


@pytest.mark.parametrize("reason", ["no_discharge_note", "after_death"])
def test_cohort_rows_account_for_every_eligible_admission(reason: str) -> None:
    plan = cohort_build().patients[0].model_copy(update={"eligible_admissions": 4})
    lost = SkippedItem(
        id="88000009",
        subject_id=plan.subject_id,
        stage="bundles",
        outcome="skipped",
        reason="zero_length_stay",
    )
    never = lost.model_copy(update={"id": "88000008", "reason": reason, "eligible": False})
    rows = cohort_tables(build_of(plan, skipped=(lost, never)))["cohort"]
    assert value(rows, "unaccounted_admissions") == 1


def test_cohort_rows_notice_rank_order_and_foreign_stays() -> None:
    first, second = cohort_build().patients
    rows = cohort_tables(build_of(second, first))["cohort"]
    assert rows["ranked_out_of_order"].to_list() == [False, True]

    more = second.model_copy(update={"eligible_admissions": 3})
    assert not value(cohort_tables(build_of(more, first))["cohort"], "ranked_out_of_order")

    mixed = first.model_copy(update={"bundles": (first.bundles[1], *second.bundles)})
    rows = cohort_tables(build_of(mixed))["cohort"]
    assert value(rows, "foreign_admissions") == 2
    assert value(rows, "admissions_out_of_order") == 1

    twice = first.model_copy(update={"bundles": (first.bundles[0], *first.bundles)})
    assert value(cohort_tables(build_of(twice))["cohort"], "repeated_admissions") == 1


# bundles


def bundle_row(*bundles: AdmissionBundle, died_in: tuple[str, ...] = ()) -> dict[str, Any]:
    return bundle_tables([bundles], died_in)["bundles"].row(-1, named=True)


def test_a_sound_rich_bundle_has_nothing_to_hold_against_it() -> None:
    row = bundle_row(rich_bundle())
    assert row["window_seconds"] == row["speaking_seconds"] == 372_600
    faults = ("empty_notes", "repeated_items", "items_out_of_order", "events_off_rule",
              "foreign_notes", "window_off_rule")  # fmt: skip
    assert [row[name] for name in faults] == [0, 0, 0, 0, 0, False]


@pytest.mark.parametrize(
    ("given", "column", "expected"),
    [
        (bundle(end="2150-06-01 08:00:00"), "window_seconds", -3600),
        (bundle(conversation_end="2150-06-01 09:00:00"), "speaking_seconds", 0),
        (bundle(conversation_end="2150-06-05 16:30:01"), "speaking_seconds_after_end", 1),
        (bundle(notes=[]), "discharge_notes", 0),
        (bundle(notes=[discharge_note("  \n ")]), "empty_notes", 1),
        (bundle(notes=[discharge_note(), discharge_note()]), "repeated_items", 1),
        (bundle(diagnoses=[diagnosis(), diagnosis()]), "repeated_items", 1),
        (
            bundle(notes=[discharge_note(sequence=2), discharge_note(sequence=1)]),
            "items_out_of_order",
            1,
        ),
        (
            bundle(
                radiology=[
                    radiology_note(charttime="2150-06-03 10:00:00"),
                    radiology_note(sequence=2),
                ]
            ),
            "items_out_of_order",
            1,
        ),
        (
            bundle(radiology=[radiology_note(charttime=None), radiology_note(sequence=2)]),
            "items_out_of_order",
            0,
        ),
        (bundle(diagnoses=[diagnosis(), diagnosis(sequence=0)]), "items_out_of_order", 1),
        (
            bundle(procedures=[procedure(), procedure(chartdate="2150-06-02")]),
            "items_out_of_order",
            1,
        ),
        (
            bundle(microbiology_events=[microbiology("2150-06-03 01:00:00"), microbiology()]),
            "items_out_of_order",
            1,
        ),
        (bundle(start="2150-06-05 16:15:00", diagnoses=[diagnosis()]), "events_off_rule", 1),
        (bundle(diagnoses=[diagnosis(time="2150-06-05 16:01:00")]), "events_off_rule", 1),
        (bundle(diagnoses=[diagnosis(), diagnosis(sequence=2)]), "events_off_rule", 2),
        (bundle(start="2150-06-05 16:15:00"), "window_off_rule", True),
        (
            bundle(notes=[discharge_note().model_copy(update={"note_id": "99000002-DS-1"})]),
            "foreign_notes",
            1,
        ),
    ],
)
def test_bundle_rows_measure_what_is_wrong(
    given: AdmissionBundle, column: str, expected: int
) -> None:
    assert bundle_row(given)[column] == expected


@pytest.mark.parametrize(
    ("time", "provenance", "charttime", "faults"),
    [
        ("2150-06-02 12:00:00", "date_only_normalized", None, 0),
        ("2150-06-02 13:00:00", "date_only_normalized", None, 1),
        ("2150-06-02 12:00:00", "recorded", None, 1),
        ("2150-06-02 08:00:00", "recorded", "2150-06-02 08:00:00", 0),
        ("2150-06-02 08:00:00", "recorded", "2150-06-02 09:00:00", 1),
    ],
)
def test_microbiology_times_follow_their_rule(
    time: str, provenance: str, charttime: str | None, faults: int
) -> None:
    event = microbiology().model_copy(
        update={
            "normalized_time": parse_time(time),
            "time_provenance": provenance,
            "charttime": parse_time(charttime) if charttime else None,
        }
    )
    assert bundle_row(bundle(microbiology_events=[event]))["events_off_rule"] == faults


def test_a_stay_after_death_is_noticed_from_the_bundle_or_from_the_record() -> None:
    dead = bundle(conversation_end="2150-06-04 10:00:00")
    after = bundle(hadm_id="88000002", start="2150-06-05 17:00:00", end="2150-06-06 10:00:00")
    assert bundle_row(dead, after)["starts_after_death"]
    alive = bundle()
    assert not bundle_row(alive, after)["starts_after_death"]
    assert bundle_row(alive, after, died_in=("88000001",))["starts_after_death"]


def test_stays_out_of_time_order_are_noticed() -> None:
    row = bundle_row(bundle(), bundle(start="2150-06-01 08:59:00", hadm_id="88000002"))
    assert row["seconds_since_previous_start"] == -60


# dialogues


@pytest.mark.parametrize(
    ("stay", "turns"),
    [
        (timedelta(hours=1), (18, 28)),
        (timedelta(hours=24) - timedelta(seconds=1), (18, 28)),
        (timedelta(days=1), (40, 60)),
        (timedelta(days=3), (40, 60)),
        (timedelta(days=3, seconds=1), (50, 70)),
        (timedelta(days=7), (50, 70)),
        (timedelta(days=7, seconds=1), (60, 85)),
        (timedelta(days=60), (60, 85)),
    ],
)
def test_turn_ranges_follow_the_length_of_stay(stay: timedelta, turns: tuple[int, int]) -> None:
    assert turn_range(stay) == turns


def test_a_turn_may_speak_of_earlier_stays_and_of_the_rows_of_the_bundle() -> None:
    lines = list(SECOND.lines)
    text = "From 2150-06-01 on; cultures of 2150-06-02; a scan on 2150-08-30."
    lines[2] = lines[2].model_copy(update={"text": text})
    changed = SECOND.model_copy(update={"lines": tuple(lines)})
    rows = dialogue_tables([(FIRST, changed)])["dialogues_turns"]
    assert rows.filter(pl.col("id") == "88001002#3")["unknown_dates"].to_list() == [2]
    told = changed.bundle.model_copy(
        update={
            "procedures": (procedure(chartdate="2150-08-30"),),
            "microbiology": (microbiology("2150-06-02 09:00:00"),),
        }
    )
    rows = dialogue_tables([(FIRST, changed.model_copy(update={"bundle": told}))])[
        "dialogues_turns"
    ]
    assert rows.filter(pl.col("id") == "88001002#3")["unknown_dates"].to_list() == [0]


@pytest.mark.parametrize(
    ("update", "column", "expected"),
    [
        ({"turn_number": 5}, "turn_number", 5),
        ({"time": parse_time("2150-06-01 09:01:00")}, "seconds_since_previous", -60),
        ({"time": parse_time("2150-06-01 08:59:00")}, "seconds_after_start", -60),
        ({"time": parse_time("2150-06-01 20:00:01")}, "seconds_before_end", -1),
        ({"text": "   "}, "words", 0),
        ({"text": "Dear ___, hello"}, "has_removed_mark", True),
        ({"text": "You are 99000001."}, "has_identifier", True),
        ({"text": "You are 88001002."}, "has_identifier", True),
        ({"text": "It says hadm_id here."}, "names_source", True),
        ({"text": "Furo\u200bsemide."}, "has_odd_character", True),
        ({"text": "It was done on 2150-05-31."}, "unknown_dates", 1),
        ({"text": "It was done on 2150-06-01."}, "unknown_dates", 0),
        ({"text": "It was done on 2150-13-01."}, "unknown_dates", 1),
        ({"text": "Your discharge date is 2150-06-02."}, "misstates_stay", True),
        ({"text": "Your length of stay is 3 days."}, "misstates_stay", True),
        (
            {"text": "Discharge date 2150-06-01, length of stay less than one day."},
            "misstates_stay",
            False,
        ),
        (
            {"text": "The admission date on your bracelet should read 2150-06-02."},
            "misstates_stay",
            True,
        ),
        ({"text": "We put 2150-06-02 as the discharge date."}, "misstates_stay", True),
    ],
)
def test_turn_rows_measure_what_is_wrong(
    update: dict[str, Any], column: str, expected: object
) -> None:
    lines = list(FIRST.lines)
    lines[2] = lines[2].model_copy(update=update)
    changed = FIRST.model_copy(update={"lines": tuple(lines)})
    rows = dialogue_tables([(changed, SECOND)])["dialogues_turns"]
    assert value(rows, column, row=2) == expected
    assert value(rows, "id", row=2) == "88001001#3"


def record_with(**update: Any) -> dict[str, PromptRecord]:
    return {"prompt_record": SECOND.prompt_record.model_copy(update=update)}


def summary_with(**update: Any) -> dict[str, AdmissionSummary]:
    return {"summary": SECOND.summary.model_copy(update=update)}


@pytest.mark.parametrize(
    ("update", "column", "expected"),
    [
        ({"lines": SECOND.lines[:38]}, "turns_too_few", 2),
        ({"lines": SECOND.lines * 2}, "turns_too_many", 20),
        ({"lines": SECOND.lines[::2]}, "patient_turns", 0),
        ({"lines": SECOND.lines[1::2]}, "doctor_turns", 0),
        ({"lines": SECOND.lines[:39]}, "differs_from_reply", True),
        (summary_with(summary_paragraph="Another."), "differs_from_reply", True),
        ({"lines": SECOND.lines[1::2]}, "carries_previous_problem", False),
        (summary_with(admission_end=parse_time("2150-09-04 00:00:00")),
         "summary_times_differ", True),
        (summary_with(summary_paragraph="One.\n\nTwo."), "summary_paragraphs", 2),
        (summary_with(problems=()), "problems", 0),
        (summary_with(problems=("pneumonia", " ")), "empty_problems", 1),
        (summary_with(problems=("seen by Dr. ___",)), "summary_wording_faults", 1),
        (summary_with(summary_paragraph="Stay 88001002."), "summary_wording_faults", 1),
        (summary_with(summary_paragraph="A\u200b stay."), "summary_wording_faults", 1),
        (record_with(stay_days=99.0), "request_differs", True),
        (record_with(recommended_turn_range=(18, 28)), "request_differs", True),
        (record_with(task_message="Write."), "request_differs", True),
        (record_with(task_message="Write.\n{\n"), "request_differs", True),
        ({"bundle": SECOND.bundle.model_copy(update={"procedures": (procedure(),)})},
         "request_differs", True),
        (record_with(system_message="Write another."), "request_differs", False),
    ],
)  # fmt: skip
def test_conversation_rows_measure_what_is_wrong(
    update: dict[str, Any], column: str, expected: object
) -> None:
    changed = SECOND.model_copy(update=update)
    rows = dialogue_tables([(FIRST, changed)])["dialogues_conversations"]
    assert value(rows, column) == expected


def test_a_previous_summary_must_be_the_one_of_the_session_before() -> None:
    alone = dialogue_tables([(SECOND,)])["dialogues_conversations"]
    assert value(alone, "previous_summary_differs")
    forgotten = SECOND.prompt_record.model_copy(update={"previous_admission_summary": None})
    changed = SECOND.model_copy(update={"prompt_record": forgotten})
    rows = dialogue_tables([(FIRST, changed)])["dialogues_conversations"]
    assert rows["previous_summary_differs"].to_list() == [False, True]


# timelines


def timeline_row(column: str, **update: Any) -> Any:
    sessions = patient_sessions()
    for name, changes in update.items():
        part = getattr(sessions, name).model_copy(update=changes)
        sessions = sessions.model_copy(update={name: part})
    tables = timeline_tables([sessions])
    table = next(one for one in tables.values() if column in one.columns)
    return table[column].to_list()


STATS = patient_sessions().summary.conversation_stats
SESSIONS = patient_sessions().timeline.admissions


@pytest.mark.parametrize(
    ("part", "update", "column", "expected"),
    [
        ("timeline", {"admissions": SESSIONS[::-1]}, "starts_out_of_order", [False, True]),
        ("timeline", {"admissions": SESSIONS[::-1]}, "listed_in_place", [False, False]),
        ("timeline", {"admissions": SESSIONS[::-1]}, "seconds_since_previous_start", [0, -7952400]),
        ("timeline", {"admissions": SESSIONS[:1]}, "dialogues_missing", [1]),
        ("timeline", {"admissions": SESSIONS[:1]}, "sessions", [1]),
        ("timeline", {"admissions": SESSIONS * 2}, "repeated_sessions", [2]),
        ("timeline", {"subject_id": "99000009"}, "foreign_subject", [True]),
        ("summary", {"processed_admissions": 3}, "ids_differ", [True]),
        ("summary", {"eligible_admissions": 3}, "unaccounted_admissions", [1]),
        ("summary", {"conversation_stats": STATS.model_copy(update={"total_turns": 57})},
         "turns_difference", [-1]),
        ("summary", {"conversation_stats": STATS.model_copy(update={"mean_turns": 29.5})},
         "means_differ", [True]),
        ("summary", {"conversation_stats": STATS.model_copy(update={"tokenizer": "words"})},
         "other_tokenizer", [True]),
        ("summary", {"conversation_stats": STATS.model_copy(update={
            "total_tokens": STATS.total_tokens + 2})}, "tokens_difference", [2]),
    ],
)  # fmt: skip
def test_timeline_rows_measure_what_is_wrong(
    part: str, update: dict[str, Any], column: str, expected: list[object]
) -> None:
    assert timeline_row(column, **{part: update}) == expected


def test_a_session_must_be_its_dialogue_word_for_word() -> None:
    sessions = patient_sessions()
    lines = sessions.dialogues[1].lines
    other = lines[4].model_copy(update={"text": "The creatinine is 1.5 today."})
    changed = sessions.dialogues[1].model_copy(update={"lines": (*lines[:4], other, *lines[5:])})
    mixed = PatientSessions(
        dialogues=(sessions.dialogues[0], changed),
        timeline=sessions.timeline,
        summary=sessions.summary,
    )
    rows = timeline_tables([mixed])["timelines_sessions"]
    assert rows["differs_from_dialogue"].to_list() == [False, True]
