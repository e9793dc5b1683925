"""How memories are made of a timeline, by a scripted model."""

from typing import Any

import pytest

from tasks.adapters.models import ModelSpec
from tasks.answering.chunks import chunked
from tasks.answering.memory_building import build_store, shortened
from tasks.answering.memory_shapes import (
    Candidate,
    CandidatesReply,
    Decision,
    DecisionsReply,
    SummaryReply,
    TypedCandidate,
    TypedCandidatesReply,
)
from tasks.answering.systems import SystemSpec
from tasks.answering.timeline import timeline_text
from tasks.contracts.chat import ChatRequest
from tasks.contracts.errors import ItemFailed, ModelFailed
from tasks.contracts.evaluation import Strategy
from tasks.contracts.memories import MemoryStore
from tests.unit.answering.timelines import SUBJECT, Scripted, ScriptModel, given, patient

CUT = ModelFailed("the reply was cut at its output limit", "truncated")
BUSY = ModelFailed("no reply in time", "transient")


def _found(*texts: str, time: str = "") -> CandidatesReply:
    return CandidatesReply(candidates=[Candidate(time=time, text=text) for text in texts])


def _build(strategy: Strategy, *script: Scripted) -> tuple[MemoryStore, ScriptModel]:
    model = ScriptModel(script)
    system = SystemSpec(strategy=strategy, model=ModelSpec(provider="openai", model="m"))
    store = build_store(SUBJECT, system, timeline_text(patient()), model, None)
    return store, model


def _asked(model: ScriptModel) -> list[str]:
    return [request.response_model.__name__ for request in model.requests]


def _star(request: ChatRequest[Any]) -> Any:
    if request.response_model is CandidatesReply:
        return _found("Potassium was 5.9.")
    return SummaryReply(summary="So far.")


def test_mem0_extracts_decides_and_sums_up_chunk_by_chunk():
    store, model = _build(
        "mem0",
        _found("Potassium was 5.9.", time="2150-01-10 10:00:00"),
        SummaryReply(summary="High potassium in January."),
        _found("Furosemide 40 mg was given."),
        DecisionsReply(decisions=[Decision(observation=1, operation="ADD")]),
        SummaryReply(summary="High potassium; swelling in March."),
        _found("Furosemide was raised to 80 mg.", time="2150-06-20 10:01:00"),
        DecisionsReply(
            decisions=[
                Decision(observation=1, operation="UPDATE", memory=2, text="Furosemide 40, then 80")
            ]
        ),
        SummaryReply(summary="word " * 400),
    )
    assert _asked(model) == [
        "CandidatesReply",
        "SummaryReply",
        *("CandidatesReply", "DecisionsReply", "SummaryReply") * 2,
    ]
    assert [(one.text, one.hadm_id) for one in store.active] == [
        ("Potassium was 5.9.", "20000001"),
        ("Furosemide 40, then 80", "20000003"),
    ]
    assert [one.operation for one in store.updates] == ["ADD", "ADD", "UPDATE"]
    assert str(store.memories[1].time) == "2150-03-05 10:00:00"
    assert str(store.memories[2].time) == "2150-06-20 10:01:00"
    assert len(store.summary) == 1199
    assert (store.requests, store.input_tokens, store.output_tokens) == (8, 30, 4)
    assert MemoryStore.model_validate_json(store.model_dump_json()) == store


def test_each_step_sees_the_running_summary_and_no_identifier():
    _, model = _build("mem0-star", _star)
    assert ["So far." in request.task_message for request in model.requests] == [
        *(False, False),
        *(True, True, True, True),
    ]
    for request in model.requests:
        assert SUBJECT not in request.system_message + request.task_message
        assert "2000000" not in request.task_message


def test_mem0_star_only_adds_and_shows_what_it_has_when_it_looks_for_more():
    store, model = _build("mem0-star", _star)
    assert [one.operation for one in store.updates] == ["ADD"] * 3
    assert "DecisionsReply" not in _asked(model)
    shown = [len(given(r).existing) for r in model.requests if hasattr(r.payload, "existing")]
    assert shown == [0, 1, 2]
    assert "Potassium was 5.9." in model.requests[2].task_message


def test_mem_alpha_only_adds_and_keeps_kinds():
    def alpha(request: ChatRequest[Any]) -> Any:
        if request.response_model is SummaryReply:
            return SummaryReply(summary="s")
        kinds = ("core", " Episodic ", "semantic", "other")
        said = [TypedCandidate(time="", text=f"About {kind}", kind=kind) for kind in kinds]
        return TypedCandidatesReply(candidates=said)

    store, model = _build("mem-alpha", alpha)
    assert [one.kind for one in store.memories[:4]] == ["core", "episodic", "semantic", "episodic"]
    assert len(store.active) == 12
    assert "core: what holds for good" in model.requests[0].task_message


def test_at_most_32_candidates_of_a_chunk_count():
    def many(request: ChatRequest[Any]) -> Any:
        if request.response_model is CandidatesReply:
            return _found(*[f"Fact {n}." for n in range(40)], " ")
        return SummaryReply(summary="s")

    store, _ = _build("mem0-star", many)
    assert len(store.memories) == 96


def test_ten_memories_like_each_candidate_are_shown_for_decisions():
    def steps(request: ChatRequest[Any]) -> Any:
        if request.response_model is CandidatesReply:
            talk = given(request).lines[0].text
            if talk.startswith("Your potassium"):
                return _found(*[f"Sodium was {n}." for n in range(20)])
            return _found("Sodium was 3.")
        if request.response_model is DecisionsReply:
            return DecisionsReply(decisions=[Decision(observation=1, operation="NOOP", memory=1)])
        return SummaryReply(summary="s")

    store, model = _build("mem0", steps)
    (first, *_) = [given(r) for r in model.requests if r.response_model is DecisionsReply]
    assert len(first.memories) == 10
    assert "Sodium was 3." in [one.text for one in first.memories]
    assert [one.operation for one in store.updates[20:]] == ["NOOP", "NOOP"]


def test_a_chunk_that_is_too_much_is_remembered_by_halves():
    def steps(request: ChatRequest[Any]) -> Any:
        if request.response_model is CandidatesReply:
            if len(given(request).lines) > 1:
                raise CUT
            return _found(given(request).lines[0].text)
        return SummaryReply(summary="s")

    store, _ = _build("mem0-star", steps)
    assert len(store.memories) == 6
    assert store.failed_chunks == ()


def test_a_chunk_that_fails_is_noted_and_the_others_go_on():
    store, _ = _build("mem0-star", BUSY, _star)
    assert [(one.hadm_id, one.chunk, one.reason) for one in store.failed_chunks] == [
        ("20000001", 1, "transient: no reply in time")
    ]
    assert [one.hadm_id for one in store.memories] == ["20000002", "20000003"]


def test_a_summary_that_fails_is_noted_and_the_last_one_stays():
    def steps(request: ChatRequest[Any]) -> Any:
        if request.response_model is CandidatesReply:
            return _found("x")
        raise BUSY

    store, _ = _build("mem0-star", steps)
    assert len(store.memories) == 3
    assert store.failed_chunks[0].reason == "summary not refreshed: transient: no reply in time"


def test_a_patient_of_whom_nothing_could_be_remembered_fails():
    with pytest.raises(ItemFailed, match="no part of the timeline could be remembered; transient"):
        _build("mem0", BUSY)


def test_chunks_are_whole_turns_of_one_admission_below_the_limit():
    timeline = timeline_text(patient(["a", "b", "c"], ["d"]))
    size = timeline.turns[0].tokens
    pieces = [
        (c.hadm_id, c.number, [t.shown.text for t in c.turns]) for c in chunked(timeline, 2 * size)
    ]
    assert pieces == [
        ("20000001", 1, ["a", "b"]),
        ("20000001", 2, ["c"]),
        ("20000002", 1, ["d"]),
    ]


def test_a_text_is_cut_between_words():
    assert shortened("one two\nthree", 7) == "one two"
    assert shortened("one two three", 9) == "one two"
    assert shortened("abcdefgh", 3) == "abc"
