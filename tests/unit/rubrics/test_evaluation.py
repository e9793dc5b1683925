from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from tasks.contracts.errors import ModelFailed, ReplyInvalid, ReplyMalformed
from tasks.contracts.rubric_results import NearMiss
from tasks.rubrics.evaluation import shapes
from tasks.rubrics.evaluation.covering import atomize, cover
from tasks.rubrics.evaluation.judging import judge_pair
from tasks.rubrics.evaluation.rules import meets
from tasks.rubrics.evaluation.spoiling import KINDS, change_faults, first_kind, spoil
from tests.unit.rubrics.building import query
from tests.unit.rubrics.evaluated import (
    ANSWER,
    GOLD,
    WATER,
    criterion,
    rubric,
    rules,
    scripted,
)


def near_miss() -> NearMiss:
    return NearMiss(
        query_id="7",
        kind="dropped_red_flag",
        original="Drink enough water.",
        replacement="",
        reference=ANSWER,
        text=ANSWER.replace(" Drink enough water.", ""),
        generator="test",
    )


def test_a_rubric_is_split_at_sentences_semicolons_and_further_demands() -> None:
    found = atomize(
        rubric(
            criterion("Mentions water and recommends rest; warns about fever if it lasts."),
            criterion("说明病因；提醒就医。", 5, "completeness"),
        ),
        "gold",
        rules(),
    )
    assert [(one.text, one.axis) for one in found.atoms] == [
        ("Mentions water", "accuracy"),
        ("recommends rest", "accuracy"),
        ("warns about fever if it lasts.", "accuracy"),
        ("说明病因", "completeness"),
        ("提醒就医。", "completeness"),
    ]


def test_an_empty_rubric_has_no_atoms_and_asks_nobody() -> None:
    model = scripted({})
    assert atomize(rubric(), "gold", model).atoms == ()
    assert model.requests == []


@pytest.mark.parametrize(
    ("atoms", "told"),
    [
        ([(1, "Advises to drink enough water")], "none for criteria \\[2, 3\\]"),
        ([(1, "water"), (2, "gout"), (3, "herbal"), (9, "x")], "there is no criterion \\[9\\]"),
        ([(1, "drink 3 litres of water"), (2, "gout"), (3, "herbal")], "numbers \\['3'\\]"),
        ([(1, "Calls an ambulance"), (2, "gout"), (3, "herbal")], "only split, never add"),
    ],
)
def test_an_atomizer_may_lose_and_add_nothing(atoms: list[tuple[int, str]], told: str) -> None:
    reply = shapes.AtomizeReply(
        atoms=[shapes.DraftAtom(criterion=number, text=text) for number, text in atoms]
    )
    model = scripted({shapes.AtomizeReply: [reply]})
    with pytest.raises(ReplyInvalid):
        atomize(GOLD, "gold", model)
    assert re.search(told, model.requests[1].exchanges[0].answer)


def test_coverage_judges_both_ways_one_by_one() -> None:
    own = rubric(criterion("Advises to drink enough water every day"))
    gold_atoms, own_atoms = atomize(GOLD, "gold", rules()), atomize(own, "full", rules())
    model = scripted({})
    found = cover(gold_atoms, own_atoms, GOLD, own, model)
    assert [one.entailed for one in found.gold] == [True, False, False]
    assert [one.entailed for one in found.own] == [True]
    assert len(model.requests) == 4


def test_a_verdict_that_can_t_be_read_is_null_not_no() -> None:
    error = ReplyMalformed("no", "maybe", ("entailed: no true or false",))
    own = rubric(WATER)
    atoms = atomize(own, "full", rules())
    found = cover(atoms, atoms, own, own, scripted({shapes.EntailReply: [error]}))
    assert [one.entailed for one in (*found.gold, *found.own)] == [None, None]


@pytest.mark.parametrize(
    ("said", "entailed"),
    [
        (True, True), ("true", True), ("Yes.", True), (" YES\n", True), (1, True),
        (False, False), ("false", False), ("No", False), (0, False),
    ],
)  # fmt: skip
def test_a_verdict_is_read_as_it_is_said(said: object, entailed: bool) -> None:
    assert shapes.EntailReply.model_validate({"entailed": said}).entailed is entailed
    both = {"number": 1, "a_meets": said, "b_meets": said}
    assert shapes.PairVerdict.model_validate(both).b_meets is entailed
    assert shapes.ScoreVerdict.model_validate({"number": 1, "met": said}).met is entailed


@pytest.mark.parametrize("said", [None, "", "maybe", "yes and no", "null", "yesterday", 2, 1.0, []])
def test_what_says_neither_yes_nor_no_is_no_verdict(said: object) -> None:
    with pytest.raises(ValidationError):
        shapes.EntailReply.model_validate({"entailed": said})


def test_nothing_is_entailed_by_an_empty_rubric() -> None:
    gold = atomize(GOLD, "gold", rules())
    none = atomize(rubric(), "full", rules())
    found = cover(gold, none, GOLD, rubric(), rules())
    assert [one.entailed for one in found.gold] == [False, False, False]
    assert found.own == ()


@pytest.mark.parametrize(
    ("turn", "kind"),
    [
        (0, "dropped_red_flag"),
        (1, "changed_urgency"),
        (2, "removed_contraindication"),
        (3, "unsupported_reassurance"),
        (4, "dropped_red_flag"),
    ],
)
def test_each_kind_of_near_miss_changes_one_place(turn: int, kind: str) -> None:
    found = spoil(query(), ANSWER, turn, rules())
    assert found.kind == kind
    assert ANSWER.count(found.original) == 1
    assert found.text == ANSWER.replace(found.original, found.replacement).strip()
    assert found.text != ANSWER


@pytest.mark.parametrize(
    ("kind", "original", "replacement", "told"),
    [
        ("dropped_red_flag", "No such words.", "", "stands 0 times"),
        ("dropped_red_flag", "in", "", "stands 4 times"),
        ("dropped_red_flag", "Drink enough water.", "Drink enough water.", "changes nothing"),
        ("dropped_red_flag", "Drink enough water.", "Drink very little water, please.", "removes"),
        ("dropped_red_flag", "Drink enough water.", "Take aspirin.", "adds none"),
        (
            "removed_contraindication",
            "Do not take aspirin in high doses.",
            "Take ibuprofen.",
            "adds none",
        ),
        ("changed_urgency", "Drink enough water.", "drink  enough water", "changes nothing"),
        ("changed_urgency", "Drink enough water.", "", "another urgency"),
        ("changed_urgency", "Drink enough water.", "Drink later. Rest.", "in one sentence"),
        ("unsupported_reassurance", "Drink enough water.", "All is well.", "keeps all"),
        (
            "removed_contraindication",
            "Drink enough water. Do not take aspirin in high doses.",
            "",
            "more than one sentence",
        ),
    ],
)
def test_what_is_not_exactly_one_change_of_its_kind_is_refused(
    kind: str, original: str, replacement: str, told: str
) -> None:
    reply = shapes.PerturbReply.model_validate(
        {"kind": kind, "original": original, "replacement": replacement}
    )
    assert told in " ".join(change_faults(reply, ANSWER))


@pytest.mark.parametrize(
    ("original", "replacement"),
    [
        ("Call a doctor for a rash, fever or stiff neck.", "Call a doctor for a rash."),
        ("If it hurts, and you have a fever, see a doctor.", "If it hurts see the doctor."),
        ("如出现胸痛或呼吸困难，请立即就医。", "如出现胸痛，请就医。"),
    ],
)
def test_a_warning_may_be_removed_in_part(original: str, replacement: str) -> None:
    change = {"original": original, "replacement": replacement, "kind": "dropped_red_flag"}
    reply = shapes.PerturbReply.model_validate(change)
    assert change_faults(reply, f"Rest. {original}") == ()


def first_is_better(reply: shapes.PairReply) -> shapes.PairReply:
    verdicts = [
        one.model_copy(update={"a_meets": True, "b_meets": False}) for one in reply.verdicts
    ]
    return reply.model_copy(update={"verdicts": verdicts})


def test_a_judge_of_places_ties_and_is_asked_in_six_different_ways() -> None:
    model = scripted({shapes.PairReply: [first_is_better]})
    found = judge_pair(query(), near_miss(), rubric(WATER), "full", "places", model).result
    assert found.decision == "tie"
    assert found.delta == 0
    assert [one.delta for one in found.runs] == [6, -6, 6, -6, 6, -6]
    assert len({(one.attempt, one.task_message) for one in model.requests}) == 6


def test_the_rules_see_what_is_missing_whatever_the_order() -> None:
    found = judge_pair(query(), near_miss(), GOLD, "full", "rules", rules()).result
    assert (found.decision, found.delta) == ("win", 6)


def test_without_a_rubric_answers_are_compared_and_have_no_delta() -> None:
    better = shapes.CompareReply(better="A")
    model = scripted({shapes.CompareReply: [better]})
    found = judge_pair(query(), near_miss(), None, "none", "places", model).result
    assert (found.name, found.decision, found.delta) == ("none", "tie", None)


def test_a_judge_that_is_never_readable_is_an_error_not_a_tie() -> None:
    error = ReplyMalformed("no", "yes and no", ("verdicts: unreadable",))
    found = judge_pair(
        query(), near_miss(), GOLD, "full", "mute", scripted({shapes.PairReply: [error]})
    ).result
    assert (found.decision, found.failed_runs, found.delta) == ("error", 6, None)


def test_one_refused_run_makes_the_pair_an_error() -> None:
    refused = ModelFailed("declined", "refused")
    model = scripted({shapes.PairReply: [lambda reply: reply, refused, lambda reply: reply]})
    found = judge_pair(query(), near_miss(), GOLD, "full", "shy", model).result
    assert (found.decision, found.failed_runs) == ("error", 1)


def test_verdicts_that_lack_a_criterion_are_sent_back() -> None:
    def lacking(reply: shapes.PairReply) -> shapes.PairReply:
        return reply.model_copy(update={"verdicts": reply.verdicts[:1]})

    model = scripted({shapes.PairReply: [lacking, lambda reply: reply]})
    found = judge_pair(query(), near_miss(), GOLD, "full", "lazy", model)
    assert found.result.decision == "win"
    assert "found for criteria [1], expected each of [1, 2, 3] once" in (
        model.requests[1].exchanges[0].answer
    )


@pytest.mark.parametrize(
    ("text", "said", "met"),
    [
        ("Warns about this danger sign: fever with a stiff neck", "Fever, stiff neck: go.", True),
        ("Fails to mention water", "Drink water.", False),
        ("Fails to mention water", "Rest.", True),
        ("Recommends aspirin", "Rest.", False),
        ("提醒以下危险信号：呼吸困难", "出现呼吸困难要就医。", True),
    ],
)
def test_the_rules_judge_by_words(text: str, said: str, met: bool) -> None:
    assert meets(criterion(text), said) is met


def test_the_first_kind_hangs_on_the_query_alone_and_all_four_come_first() -> None:
    kinds = [KINDS[first_kind(str(number))] for number in range(100)]
    assert first_kind("7") == first_kind("7")
    assert {kind for kind in KINDS if kinds.count(kind) >= 15} == set(KINDS)
