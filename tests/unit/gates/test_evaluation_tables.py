from __future__ import annotations

from typing import Any

import pytest

from tasks.contracts.evaluation import (
    BenchmarkPatient,
    ItemScore,
    Judgment,
    OverlapScore,
    Prediction,
    Recipe,
)
from tasks.gates.suites import run_gate
from tasks.gates.tables.judgments import judgment_tables
from tasks.gates.tables.predictions import prediction_tables
from tasks.gates.tables.scores import score_tables
from tests.gates.evaluation_tables import (
    PATIENTS,
    SYSTEMS,
    judgments,
    predictions,
    question_types,
    scores,
)

SYSTEM = SYSTEMS[0]
SUBJECT = PATIENTS[0].subject_id
FIRST, SECOND = (one.qa_id for one in PATIENTS[0].questions)


def prediction_row(**changes: Any) -> dict[str, Any]:
    """The row of the first question after a change of its prediction."""
    given = predictions(SYSTEM, PATIENTS[0])
    changed = given.predictions[0].model_copy(update=changes)
    held = given.model_copy(update={"predictions": (changed, *given.predictions[1:])})
    rows = prediction_tables(PATIENTS, [held])["predictions_items"].to_dicts()
    return next(row for row in rows if row["id"] == f"{SYSTEM} {SUBJECT} {FIRST}")


@pytest.mark.parametrize(
    ("changes", "column", "value"),
    [
        ({"answer": "  "}, "blank_answer", True),
        ({"outcome": "missing", "asked_times": 2}, "answer_though_none", True),
        ({"outcome": "failed", "answer": ""}, "reason_missing", True),
        ({"outcome": "failed", "answer": "", "reason": "refused"}, "reason_missing", False),
        ({"outcome": "missing", "answer": "", "asked_times": 1}, "given_up_early", True),
        ({"outcome": "missing", "answer": "", "asked_times": 2}, "given_up_early", False),
        ({"shown_turns": 5}, "turns_beyond", 2),
        ({"shown_sessions": ("80000002",)}, "unknown_sessions", 1),
        ({}, "predictions", 1),
    ],
)
def test_a_prediction_is_judged_by_what_it_says(
    changes: dict[str, Any], column: str, value: object
) -> None:
    assert prediction_row(**changes)[column] == value


def test_missing_repeated_and_foreign_predictions_have_rows_of_their_own() -> None:
    given = predictions(SYSTEM, PATIENTS[0])
    foreign = Prediction(qa_id="7", outcome="answered", answer="x")
    held = given.model_copy(update={"predictions": (*given.predictions[:1] * 2, foreign)})
    tables = prediction_tables(PATIENTS, [held])
    rows = {row["id"]: row for row in tables["predictions_items"].to_dicts()}
    assert rows[f"{SYSTEM} {SUBJECT} {FIRST}"]["predictions"] == 2
    assert rows[f"{SYSTEM} {SUBJECT} {SECOND}"]["predictions"] == 0
    assert rows[f"{SYSTEM} {SUBJECT} 7"]["is_asked"] is False
    # Of four questions of two patients one was answered, and one patient not asked about.
    assert tables["predictions_systems"].to_dicts() == [
        {"id": SYSTEM, "patients_missing": 1, "questions": 4, "predictions_missing": 3}
    ]


def judgment_rows(*made: Judgment) -> dict[str, dict[str, Any]]:
    judged = judgments(SYSTEM, PATIENTS[0]).model_copy(update={"judgments": made})
    given = [(predictions(SYSTEM, PATIENTS[0]), judged)]
    rows = judgment_tables(PATIENTS, given, repeats=3)["judgments"].to_dicts()
    return {row["id"]: row for row in rows}


@pytest.mark.parametrize(
    ("judgment", "column", "value"),
    [
        ({"outcome": "right", "verdicts": (True, True)}, "verdicts_missing", 1),
        ({"outcome": "right", "verdicts": (True, None, True)}, "not_the_majority", False),
        ({"outcome": "right", "verdicts": (True, False, False)}, "not_the_majority", True),
        ({"outcome": "wrong", "verdicts": (), "asked": False}, "right_unasked", False),
        ({"outcome": "right", "verdicts": (), "asked": False}, "right_unasked", True),
        ({"outcome": "error", "verdicts": (None,) * 3}, "reason_missing", True),
        ({"outcome": "error", "verdicts": (), "reason": "lost"}, "verdicts_missing", 0),
        ({"outcome": "error", "verdicts": (), "reason": "lost"}, "not_the_majority", False),
    ],
)
def test_a_judgment_is_judged_by_its_verdicts(
    judgment: dict[str, Any], column: str, value: object
) -> None:
    rows = judgment_rows(Judgment(qa_id=FIRST, **judgment))
    assert rows[f"{SYSTEM} {SUBJECT} {FIRST}"][column] == value


def test_missing_and_undue_judgments_have_rows_of_their_own() -> None:
    rows = judgment_rows(Judgment(qa_id=SECOND, outcome="wrong", verdicts=(False,) * 3))
    assert rows[f"{SYSTEM} {SUBJECT} {FIRST}"]["judgments"] == 0
    assert rows[f"{SYSTEM} {SUBJECT} {SECOND}"]["is_due"] is False


def score_row(**changes: Any) -> dict[str, Any]:
    first = scores(SYSTEM, PATIENTS[0])[0].model_copy(update=changes)
    rows = score_tables(question_types(), [first], [SYSTEM])["scores_items"].to_dicts()
    return rows[0]


def overlaps(f1: float) -> dict[Recipe, OverlapScore]:
    return {"medlocomo": OverlapScore.model_construct(precision=1.0, recall=1.0, f1=f1)}


@pytest.mark.parametrize(
    ("changes", "column", "value"),
    [
        ({"overlap": overlaps(float("nan"))}, "values_out_of_bounds", 1),
        ({"overlap": overlaps(1.5)}, "values_out_of_bounds", 1),
        ({"judge_agreement": -0.5}, "values_out_of_bounds", 1),
        ({"overlap": None}, "overlap_misplaced", True),
        ({"judged": None}, "verdict_misplaced", True),
        ({"abstained": None}, "abstention_misplaced", True),
        ({"outcome": "missing"}, "missing_not_zero", True),
        ({"qa_id": SECOND}, "is_asked", False),
        ({"qa_id": "7"}, "is_asked", False),
        ({}, "lines", 1),
    ],
)
def test_a_score_is_judged_by_what_it_belongs_to(
    changes: dict[str, Any], column: str, value: object
) -> None:
    assert score_row(**changes)[column] == value


def test_errors_are_a_share_of_the_questions_and_lost_lines_are_counted() -> None:
    lines: list[ItemScore] = [*scores(SYSTEM, PATIENTS[0]), *scores(SYSTEM, PATIENTS[1])[:1]]
    failed = {"outcome": "failed", "overlap": None, "judged": None, "abstained": None}
    lines[0] = lines[0].model_copy(update=failed)
    lines[2] = lines[2].model_copy(update={"judged": "error"})
    table = score_tables(question_types(), lines, SYSTEMS)["scores_systems"]
    assert table.to_dicts() == [
        {"id": SYSTEM, "questions": 4, "lines_missing": 1, "error_share": 0.5},
        {"id": SYSTEMS[1], "questions": 4, "lines_missing": 4, "error_share": 0.0},
    ]


def test_a_release_without_answerable_questions_has_nothing_to_judge() -> None:
    asked = PATIENTS[0].model_copy(update={"questions": PATIENTS[0].questions[1:]})
    empty = judgments(SYSTEM, asked).model_copy(update={"judgments": ()})
    tables = judgment_tables([asked], [(predictions(SYSTEM, asked), empty)], repeats=1)
    assert tables["judgments"].height == 0
    assert run_gate("judgments", tables).success


def test_one_qa_id_in_two_patients_passes_every_gate() -> None:
    asked = [renumbered(one) for one in PATIENTS]
    types = {(one.subject_id, q.qa_id): q.question_type for one in asked for q in one.questions}
    lines = [line for one in asked for line in scores(SYSTEM, one)]
    pairs = [(predictions(SYSTEM, one), judgments(SYSTEM, one)) for one in asked]
    tables = {
        "predictions": prediction_tables(asked, [given for given, _ in pairs]),
        "judgments": judgment_tables(asked, pairs, repeats=2),
        "scores": score_tables(types, lines, [SYSTEM]),
    }
    for stage, given in tables.items():
        assert [one for one in run_gate(stage, given).results if not one.success] == []


def renumbered(patient: BenchmarkPatient) -> BenchmarkPatient:
    """A patient whose questions are q01 and q02."""
    questions = tuple(
        one.model_copy(update={"qa_id": f"q0{place}"})
        for place, one in enumerate(patient.questions, start=1)
    )
    return patient.model_copy(update={"questions": questions})
