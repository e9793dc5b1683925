from __future__ import annotations

import pytest

from tasks.contracts.rubrics import Criterion, Fact
from tasks.rubrics.pipeline.enforcing import enforce
from tasks.rubrics.pipeline.templates import generic_criteria
from tasks.rubrics.pipeline.wording_rules import sign_agrees


def criterion(text: str, points: int = 5, support: tuple[str, ...] = ("f1",)) -> Criterion:
    return Criterion(criterion=text, axis="accuracy", points=points, support=support)


def fact(number: int, kind: str) -> Fact:
    return Fact.model_validate(
        {
            "fact_id": f"f{number}",
            "kind": kind,
            "text": f"Fact {number}.",
            "passage_ids": ("p1",),
        }
    )


def test_the_audit_drops_the_unsupported_merges_repeats_and_adds_what_is_missing() -> None:
    facts = [fact(1, "positive"), fact(2, "red_flag"), fact(3, "negative")]
    given = [
        criterion("Says fact 1."),
        criterion("says fact 1", support=("f9", "f2")),
        criterion("Says that cherries help", support=("f9",)),
        criterion("Fails to greet", points=3),
    ]
    found, dropped = enforce(given, facts, frozenset({"f1", "f2", "f3"}), "en")
    assert [(one.points, one.support) for one in found] == [(5, ("f1", "f2")), (-8, ("f3",))]
    assert [one.reason for one in dropped] == [
        "repeats another",
        "nothing supports it",
        "sign against its wording",
    ]


def test_too_long_a_rubric_keeps_the_heaviest_and_all_dangers() -> None:
    given = [criterion(f"Says {number}", points=6) for number in range(24)]
    facts = [fact(1, "positive"), fact(2, "red_flag"), fact(3, "negative")]
    found, dropped = enforce(given, facts, frozenset({"f1", "f2", "f3"}), "en")
    assert len(found) == 20
    assert {"f2", "f3"} <= {id for one in found for id in one.support}
    assert [one.reason for one in dropped] == ["over the limit"] * 6


def test_each_danger_keeps_a_criterion_however_many_are_about_one_of_them() -> None:
    facts = [fact(number, "red_flag") for number in range(1, 5)]
    given = [criterion(f"Says {number}", points=10) for number in range(24)]
    given += [criterion("Says less", points=1, support=("f2",))]
    found, _ = enforce(given, facts, frozenset({"f1", "f2", "f3", "f4"}), "en")
    assert len(found) == 20
    assert [one.support for one in found if one.support != ("f1",)][:3] == [
        ("f2",),
        ("f3",),
        ("f4",),
    ]
    assert any(one.points < 0 for one in found)


def test_dangers_that_one_criterion_lumps_together_are_taken_apart() -> None:
    facts = [fact(1, "positive"), fact(2, "red_flag"), fact(3, "red_flag"), fact(4, "negative")]
    given = [
        criterion("Says 1 to 3", points=9, support=("f1", "f2", "f3")),
        criterion("Recommends fact 4", points=-8, support=("f4",)),
        criterion("Omits danger signs", points=-6, support=("f3", "f4")),
    ]
    found, dropped = enforce(given, facts, frozenset({"f1", "f2", "f3", "f4"}), "en")
    assert [one.support for one in found] == [("f4",), ("f3", "f4"), ("f2",), ("f3",)]
    assert [one.reason for one in dropped] == ["lumps dangers together"]


def test_an_audited_rubric_without_a_fault_gets_one() -> None:
    found, _ = enforce([criterion("Says fact 1.")], [fact(1, "positive")], frozenset({"f1"}), "en")
    assert [one.points for one in found] == [5, -7]


@pytest.mark.parametrize(
    ("text", "points", "agrees"),
    [
        ("Fails to mention aspirin", -5, True),
        ("Fails to mention aspirin", 5, False),
        ("The response omits the dose", 4, False),
        ("Response fails to state the dose", 4, False),
        ("Failure to ask about age", 4, False),
        ("Failing to ask about age", -4, True),
        ("Accurately lists vaccines", -4, False),
        ("Recommends aspirin", -8, True),
        ("Recommends water", 8, True),
        ("遗漏剂量", 5, False),
        ("Incorrectly states the dose", 5, False),
        ("This response incorrectly states the dose", -5, True),
        ("Overlooks red flags", 5, False),
        ("未提及就医时机", 5, False),
        ("未提及就医时机", -5, True),
    ],
)
def test_the_sign_of_the_weight_fits_the_wording(text: str, points: int, agrees: bool) -> None:
    assert sign_agrees(text, points) is agrees


def test_the_generic_rubric_fits_every_rule_in_both_languages() -> None:
    for language in ("en", "zh"):
        criteria = generic_criteria(language)
        assert any(one.points < 0 for one in criteria)
        assert all(sign_agrees(one.criterion, one.points) for one in criteria)
