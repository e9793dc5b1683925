import json
import math
import random

import pytest

from tasks.contracts.evaluation import ItemScore, RetrievalScore, SystemScores
from tasks.contracts.questions import ABSTENTION, QuestionType
from tasks.scoring.items import SystemIdentity, score_timeline
from tasks.scoring.summary import SystemUsage, summarise
from tasks.scoring.timeline import TimelineIndex
from tests.unit.scoring.builders import (
    adversarial,
    item,
    judged,
    patient,
    predicted,
    question,
    session,
)


def summary(*items: ItemScore, **given: object) -> SystemScores:
    (one,) = summarise(items, seed=1, resamples=50, **given)  # pyright: ignore[reportArgumentType]
    return one


def three_patients() -> list[ItemScore]:
    """Patient 1: answerable 1, 1, 0, adversarial 1. 2: answerable 0, adversarial 0. 3: 1 and 1."""
    return [
        item("1", "q1", 1, f1=1.0),
        item("1", "q2", 1, f1=0.5),
        item("1", "q3", 0, f1=0.0),
        item("1", "a1", 1, adversarial=True),
        item("2", "q4", 0, f1=0.1),
        item("2", "a2", 0, adversarial=True),
        item("3", "q5", 1, f1=0.9),
        item("3", "a3", 1, adversarial=True),
    ]


def test_micro_figures_weigh_questions():
    one = summary(*three_patients())
    assert one.overall.judge.mean == pytest.approx(3 / 5)
    assert one.overall.judge.n == 5
    assert one.overall.abstention["medlocomo"].mean == pytest.approx(2 / 3)
    assert one.overall.abstention["medlocomo"].n == 3
    # (J x n answerable + Acc x n adversarial) / n = (3 + 2) / 8.
    assert one.overall.score["medlocomo"].mean == pytest.approx(5 / 8)
    assert one.overall.score["medlocomo"].n == 8
    # (1 + 0.5 + 0 + 0.1 + 0.9) / 5.
    assert one.overall.f1["clinical"].mean == pytest.approx(0.5)
    assert one.overall.f1["clinical"].patients == 3


def test_macro_figures_weigh_patients():
    one = summary(*three_patients())
    # J by patient: 2/3, 0, 1. Acc: 1, 0, 1. Score: 3/4, 0, 1. F1: 1/2, 1/10, 9/10.
    assert one.macro.judge.mean == pytest.approx(5 / 9)
    assert one.macro.abstention["clinical"].mean == pytest.approx(2 / 3)
    assert one.macro.score["clinical"].mean == pytest.approx(7 / 12)
    assert one.macro.f1["medlocomo"].mean == pytest.approx(0.5)
    assert (one.macro.judge.n, one.macro.judge.patients) == (5, 3)


def test_failed_calls_and_judge_errors_are_counted_and_in_no_mean():
    items = [
        *three_patients(),
        item("1", "q8", None, f1=0.6),
        item("2", "a9", None, adversarial=True),
        item("2", "q9", 0, outcome="failed", overlap=None, judged=None, abstained=None),
    ]
    one = summary(*items)
    assert one.overall.judge.n == 5
    assert one.overall.abstention["clinical"].n == 3
    assert one.overall.score["clinical"].n == 8
    # The answer without a verdict still overlaps the gold answer: (2.5 + 0.6) / 6.
    assert one.overall.f1["clinical"].mean == pytest.approx(3.1 / 6)
    assert one.counts.model_dump() == {
        "questions": 11,
        "answered": 9,
        "missing": 0,
        "failed": 2,
        "judge_errors": 1,
        "truncated": 0,
    }


def test_missing_answers_are_zeros_in_every_mean():
    one = summary(
        item("1", "q1", 1, f1=1.0),
        item("1", "q2", 0, f1=0.0, outcome="missing"),
        item("1", "a1", 0, adversarial=True, outcome="missing"),
    )
    assert one.counts.missing == 2
    assert one.overall.judge.mean == 0.5
    assert one.overall.abstention["clinical"].mean == 0
    assert one.abstention_counts["clinical"] == (0, 0)


@pytest.mark.parametrize(("errors", "valid"), [(0, True), (1, True), (2, False)])
def test_a_run_with_too_many_errors_is_invalid(errors: int, valid: bool):
    items = [item("1", f"q{number}", None if number < errors else 1) for number in range(20)]
    assert summary(*items).valid is valid


def test_the_limit_of_errors_can_be_another():
    items = [item("1", f"q{number}", None if number < 2 else 1) for number in range(20)]
    assert summary(*items, error_share_limit=0.1).valid


def test_a_verdict_that_is_lacking_is_a_judge_error():
    assert summary(item("1", "q1", 1, judged=None)).counts.judge_errors == 1
    assert summary(item("1", "q1", 1, judged=None, judge="")).counts.judge_errors == 0


def test_no_score_is_made_of_one_kind_of_question_where_the_other_has_none():
    unjudged = [
        item("1", "q1", 1, judged=None, judge=""),
        item("1", "a1", 1, adversarial=True, judge=""),
    ]
    one = summary(*unjudged)
    assert one.overall.judge.mean is None
    assert one.overall.abstention["clinical"].mean == 1
    assert (one.overall.score["clinical"].mean, one.overall.score["clinical"].n) == (None, 0)
    assert (one.macro.score["medlocomo"].mean, one.macro.score["medlocomo"].n) == (None, 0)
    # A group of adversarial questions only has a Score all the same.
    assert one.by_type[QuestionType.ADVERSARIAL].score["clinical"].mean == 1


def test_figures_by_group():
    items = [
        item("1", "q1", 1, evidence_position=0.0, timeline_tokens=500),
        item("1", "q2", 0, evidence_position=0.5, evidence_span_admissions=1),
        item("1", "q3", 1, evidence_position=1.0, evidence_span_admissions=2),
        item("1", "q4", 0, evidence_position=0.5, evidence_span_admissions=5),
        item("3", "q6", 1, evidence_position=None, timeline_sessions=1),
        item("1", "q7", 0, evidence_position=None),
        item("2", "q5", 1, scope="cross_admission", timeline_tokens=40_000),
        item("2", "a1", 0, adversarial=True, timeline_tokens=200_000),
    ]
    one = summary(*items)
    assert {key: group.score["clinical"].mean for key, group in one.by_position.items()} == {
        "first third": pytest.approx(2 / 3),
        "middle third": 0,
        "last third": 1,
        "single session": 1,
        "no cited admission": 0,
    }
    assert {key: group.judge.n for key, group in one.by_span.items()} == {
        "one admission": 3,
        "next admission": 1,
        "2-4 admissions on": 1,
        "5 or more admissions on": 1,
        "no cited admission": 1,
    }
    assert list(one.by_length) == ["under 8k", "32k-64k", "128k or more"]
    assert list(one.by_scope) == ["single_admission", "cross_admission"]
    assert one.by_scope["cross_admission"].judge.mean == 1
    assert one.by_type[QuestionType.MEDICAL_REASONING].judge.n == 7


@pytest.mark.parametrize(
    ("position", "group"),
    [
        (0.0, "first third"),
        (0.33, "first third"),
        (0.34, "middle third"),
        (0.66, "middle third"),
        (0.67, "last third"),
        (1.0, "last third"),
    ],
)
def test_thirds_of_the_timeline(position: float, group: str):
    assert list(summary(item("1", "q1", 1, evidence_position=position)).by_position) == [group]


def test_errors_and_abstentions_are_counted_by_kind():
    yes = {"medlocomo": False, "clinical": True}
    one = summary(
        item("1", "q1", 0, error_kind="stale_value"),
        item("1", "q2", 0, error_kind="wrong_abstention", abstained=yes),
        item("1", "q3", 0, error_kind="stale_value"),
        item("1", "a1", 0, adversarial=True),
        item("1", "a2", 0, adversarial=True, abstained=yes),
    )
    assert one.errors == {
        "stale_value": 2,
        "other_admission": 0,
        "wrong_abstention": 1,
        "unsupported": 0,
        "other": 0,
    }
    assert one.abstention_counts == {"medlocomo": (0, 2), "clinical": (1, 1)}


def test_recall_is_the_mean_over_answerable_questions():
    def found(admissions: float, turns: float | None) -> RetrievalScore:
        return RetrievalScore(
            admissions_at=dict.fromkeys((1, 2, 3, 5, 10), admissions),
            turns_at=None if turns is None else dict.fromkeys((1, 5, 10, 20, 50), turns),
        )

    one = summary(
        item("1", "q1", 1, retrieval=found(1, 0.5)),
        item("1", "q2", 1, retrieval=found(0.5, None)),
        item("1", "q3", 1),
        item("1", "a1", 1, adversarial=True, retrieval=found(0, 0)),
    )
    assert one.recall_admissions[1].mean == 0.75
    assert one.recall_admissions[1].n == 2
    assert one.recall_turns[50].mean == 0.5
    assert one.recall_turns[50].n == 1
    without = summary(item("1", "q1", 1))
    assert (without.recall_admissions, without.recall_turns) == ({}, {})


def test_agreement_is_the_mean_over_repeated_verdicts():
    one = summary(
        item("1", "q1", 1, judge_agreement=1.0),
        item("1", "q2", 1, judge_agreement=0.5),
        item("1", "q3", 1),
    )
    assert (one.judge_agreement.mean, one.judge_agreement.n) == (0.75, 2)


def test_systems_are_sorted_and_the_order_of_scores_does_not_matter():
    items = [
        *three_patients(),
        *(one.model_copy(update={"system": "b"}) for one in three_patients()),
    ]
    shuffled = items.copy()
    random.Random(3).shuffle(shuffled)
    assert summarise(items, seed=1) == summarise(shuffled, seed=1)
    assert [one.system for one in summarise(items, seed=1)] == ["b", "model/bm25"]


def test_usage_is_taken_over():
    used = SystemUsage(requests=3, input_tokens=10, output_tokens=2, usd=0.5)
    one = summary(item("1", "q1", 1), usage={"model/bm25": used})
    assert (one.requests, one.input_tokens, one.output_tokens, one.usd) == (3, 10, 2, 0.5)


def test_scores_of_two_releases_are_refused():
    with pytest.raises(ValueError, match="one release, found 2"):
        summarise([item("1", "q1", 1), item("1", "q1", 1, release="other")], seed=1)


def test_no_scores_make_no_summary():
    assert summarise([], seed=1) == ()


def test_a_summary_is_strict_json():
    written = summary(item("1", "q1", 1)).model_dump_json()

    def refuse(constant: str) -> float:
        raise AssertionError(constant)

    again = json.loads(written, parse_constant=refuse)
    assert again["overall"]["abstention"]["clinical"] == {
        "mean": None,
        "n": 0,
        "patients": 0,
        "lower": None,
        "upper": None,
    }
    assert SystemScores.model_validate_json(written) == summary(item("1", "q1", 1))


def scored(answers: dict[str, str], verdicts: dict[str, str]) -> SystemScores:
    stays = [session("1", ["Furosemide is 80 mg."]), session("2", ["Go home."], day=9)]
    asked = patient(stays, [question("q1"), question("q2", answer="edema"), adversarial("a1")])
    identity = SystemIdentity(release="r", system="s", strategy="s", judge="judge")
    given = judged(verdicts)  # pyright: ignore[reportArgumentType]
    return summary(*score_timeline(TimelineIndex(asked), predicted(answers), given, identity))


def test_an_oracle_has_a_perfect_score():
    one = scored({"q1": "80 mg", "q2": "edema", "a1": ABSTENTION}, {"q1": "right", "q2": "right"})
    means = [one.overall.judge, one.overall.f1["clinical"], one.overall.f1["medlocomo"]]
    assert [estimate.mean for estimate in means] == [1, 1, 1]
    assert {estimate.mean for estimate in one.overall.abstention.values()} == {1}
    assert {estimate.mean for estimate in one.overall.score.values()} == {1}
    assert sum(one.errors.values()) == 0


def test_who_always_abstains_is_right_on_adversarial_questions_only():
    one = scored(
        {"q1": ABSTENTION, "q2": ABSTENTION, "a1": ABSTENTION}, {"q1": "wrong", "q2": "wrong"}
    )
    assert (one.overall.judge.mean, one.overall.abstention["medlocomo"].mean) == (0, 1)
    assert one.overall.score["medlocomo"].mean == pytest.approx(1 / 3)
    assert one.errors["wrong_abstention"] == 2
    assert one.abstention_counts["medlocomo"] == (2, 0)
    assert math.isclose(one.macro.score["clinical"].mean or 0, 1 / 3)
