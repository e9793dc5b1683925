"""Stand-ins for what a model hasn't said yet."""

from __future__ import annotations

import pytest

from tasks.adapters.embedders import EmbedderSpec, open_embedder
from tasks.adapters.models import ModelSpec
from tasks.adapters.programmatic import ProgrammaticModel
from tasks.adapters.tokens import count_tokens
from tasks.answering.answers import asked_of
from tasks.answering.blocks import FENCE_TOKENS
from tasks.answering.estimating import (
    ANSWER,
    MARK_TOKENS,
    TOKENS_OF_THE_UNKNOWN,
    expected_answers,
    expected_store,
    most_shown_tokens,
    stand_ins,
    unknown_answers,
)
from tasks.answering.patients import ReadyPatient
from tasks.answering.systems import SystemSpec
from tasks.answering.timeline import timeline_text
from tasks.contracts.evaluation import Budget, Strategy
from tasks.scoring.abstention import abstains
from tests.unit.answering.timelines import SUBJECT, patient

QUESTIONS = tuple(f"Question {number}?" for number in range(1, 13))


def _system(strategy: Strategy) -> SystemSpec:
    return SystemSpec(
        strategy=strategy,
        model=ModelSpec(provider="openai", model="m"),
        budget=Budget(context_tokens=8192, output_tokens=512, margin_tokens=512),
        embedder=EmbedderSpec() if strategy.startswith("dense") else None,
    )


def test_an_answer_that_is_not_known_is_as_long_as_one_may_be_and_no_abstention() -> None:
    assert count_tokens(ANSWER) == TOKENS_OF_THE_UNKNOWN + MARK_TOKENS == 74
    assert not abstains("clinical", ANSWER)
    assert not abstains("medlocomo", ANSWER)
    answers = unknown_answers(asked_of(patient(questions=QUESTIONS), 0, 12))
    assert [one.answer for one in answers] == [ANSWER] * 12


@pytest.mark.parametrize("strategy", ["mem0", "mem0-star", "mem-alpha"])
def test_every_chunk_gives_32_memories_of_64_tokens_that_say_different_things(
    strategy: Strategy,
) -> None:
    model = ProgrammaticModel(stand_ins(), "0")
    timeline = timeline_text(patient())
    store = expected_store(SUBJECT, _system(strategy), timeline, model, None)
    # Three stays of two turns: one chunk each.
    assert len(store.active) == len({one.text for one in store.active}) == 3 * 32
    assert all(64 <= count_tokens(one.text) <= 67 for one in store.active)
    assert count_tokens(store.summary) == 400
    assert len(store.summary) <= 1_200
    assert store.failed_chunks == ()


def test_all_turns_are_the_most_that_admissions_show_and_forty_the_most_of_turns() -> None:
    timeline = timeline_text(patient(*[[f"Turn {n} word." for n in range(30)]] * 3))
    embedder = open_embedder(EmbedderSpec(), SUBJECT)
    whole = sum(one.tokens for one in timeline.turns)
    assert most_shown_tokens(ReadyPatient(timeline, "dense", embedder)) == whole + FENCE_TOKENS
    turn, header = timeline.turns[0].tokens, timeline.sessions[0].header_tokens
    assert most_shown_tokens(ReadyPatient(timeline, "dense-turns", embedder)) == (
        40 * turn + 3 * header + FENCE_TOKENS
    )


def test_where_it_is_not_known_what_is_found_as_much_is_shown_as_fits() -> None:
    known = patient(questions=QUESTIONS)
    system = _system("dense")
    ready = ReadyPatient(timeline_text(known), "dense", open_embedder(EmbedderSpec(), SUBJECT))
    model = ProgrammaticModel(stand_ins(), "0")
    asked = asked_of(known, 0, 12)
    exact = expected_answers(system, ready, asked, model, lambda: True)
    bound = expected_answers(system, ready, asked, model, lambda: False)
    assert [one.answer for one in exact] == [one.answer for one in bound] == [ANSWER] * 12
    for one, most in zip(exact, bound, strict=True):
        assert one.prompt_tokens <= most.prompt_tokens <= one.prompt_tokens + FENCE_TOKENS
    tight = Budget(context_tokens=600, output_tokens=16, margin_tokens=16)
    small = system.model_copy(update={"budget": tight})
    limited = expected_answers(small, ready, asked, model, lambda: False)
    assert all(one.prompt_tokens <= 568 for one in limited)
