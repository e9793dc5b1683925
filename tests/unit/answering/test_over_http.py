"""Answers and memories by a model's server, over the real protocol."""

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tasks.adapters.embedders import EmbedderSpec
from tasks.adapters.llm.embeddings import embedding_session
from tasks.adapters.llm.session import SessionOptions, model_session
from tasks.adapters.models import ModelSpec
from tasks.adapters.workspace import Workspace
from tasks.answering.steps import answer_questions, build_memories
from tasks.answering.systems import SystemSpec
from tasks.contracts.build import ArtifactRef
from tasks.contracts.evaluation import Budget, PredictionSet, Strategy
from tasks.contracts.memories import MemoryStore
from tests.servers.chat_app import Writer
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan, Message
from tests.unit.answering.timelines import SUBJECT, patient

QUESTIONS = tuple(f"Question {number}?" for number in range(1, 4))


def _numbers(messages: Sequence[Message]) -> list[int]:
    asked = messages[-1]["content"].rpartition("questions\n")[2]
    return [int(number) for number in re.findall(r"^(\d+)\. ", asked, re.MULTILINE)]


def _answer_all(messages: Sequence[Message]) -> dict[str, Any]:
    return {"answers": [{"number": n, "answer": f"answer {n}"} for n in _numbers(messages)]}


def _write_memories(messages: Sequence[Message]) -> dict[str, Any]:
    task = messages[-1]["content"]
    if "Write down what is worth remembering" in task:
        return {"candidates": [{"time": "", "text": "Potassium was 5.9."}]}
    if "Decide for" in task:
        return {"decisions": [{"observation": 1, "operation": "NOOP", "memory": 1}]}
    if "Write the summary anew" in task:
        return {"summary": "High potassium."}
    return _answer_all(messages)


@contextmanager
def _evaluated(
    server: ChatServer, out: Path, strategy: Strategy
) -> Generator[tuple[SystemSpec, Workspace, ArtifactRef]]:
    model = ModelSpec(
        provider="openai",
        model="test-model",
        base_url=server.base_url,
        server="openai",
        family="chat",
        context_tokens=8192,
        output_tokens=512,
    )
    dense = EmbedderSpec(provider="openai", model="test-model", base_url=server.base_url)
    system = SystemSpec(
        strategy=strategy,
        model=model,
        budget=Budget(context_tokens=8192, output_tokens=512, margin_tokens=512),
        embedder=None if strategy in ("full-context", "bm25") else dense,
    )
    workspace = Workspace(out=str(out))
    ref = workspace.store("patients.1", patient(questions=QUESTIONS), subject_id=SUBJECT)
    with (
        model_session(model, SessionOptions(replies=workspace.replies)),
        embedding_session(dense, SessionOptions(replies=workspace.cache / "embeddings")),
    ):
        yield system, workspace, ref


def _run(writer: Writer, out: Path, strategy: Strategy, *faults: Fault | None) -> Any:
    with (
        ChatServer(writer, faults=FaultPlan(script=faults)) as server,
        _evaluated(server, out, strategy) as (system, workspace, ref),
    ):
        memories = build_memories.fn(ref, system, workspace) if system.remembers else None
        made = answer_questions.fn(ref, memories, system, 0, 3, workspace)
        read = workspace.load(made.path, made.sha256, PredictionSet)
    return read, server


@pytest.mark.parametrize("strategy", ["full-context", "bm25", "dense", "dense-turns", "mem0"])
def test_a_second_run_makes_no_request_and_gives_the_same_answers(
    strategy: Strategy, tmp_path: Path
):
    first, server = _run(_write_memories, tmp_path, strategy)
    again, unasked = _run(_write_memories, tmp_path, strategy)
    assert {one.outcome for one in first.predictions} == {"answered"}
    assert again == first
    assert len(server.requests) > 0
    assert unasked.requests == []


def test_missing_answers_are_asked_again_once_and_only_those(tmp_path: Path):
    def forgetful(messages: Sequence[Message]) -> dict[str, Any]:
        return {"answers": _answer_all(messages)["answers"][:1]}

    read, server = _run(forgetful, tmp_path, "full-context")
    assert [_numbers(request.messages) for request in server.requests] == [[1, 2, 3], [1, 2]]
    assert "1. Question 2?\n2. Question 3?" in server.requests[1].messages[-1]["content"]
    assert [one.outcome for one in read.predictions] == ["answered", "answered", "missing"]
    assert read.requests == 2
    assert read.input_tokens == sum(request.input_tokens for request in server.requests)


def test_a_model_that_is_cut_every_time_fails_question_by_question(tmp_path: Path):
    read, server = _run(_answer_all, tmp_path, "full-context", *[Fault.LENGTH] * 20)
    assert {one.outcome for one in read.predictions} == {"failed"}
    assert all(one.reason.startswith("truncated: ") for one in read.predictions)
    # Five batches (3, 1, 2, 1, 1), each asked twice: the second time with twice the room.
    assert len(server.requests) == 10


def test_memories_by_a_server_are_searched_by_its_embeddings(tmp_path: Path):
    with (
        ChatServer(_write_memories) as server,
        _evaluated(server, tmp_path, "mem0") as (system, workspace, ref),
    ):
        kept = build_memories.fn(ref, system, workspace)
        store = workspace.load(kept.path, kept.sha256, MemoryStore)
    assert [one.operation for one in store.updates] == ["ADD", "NOOP", "NOOP"]
    assert store.requests == 8
    paths = [request.path for request in server.requests]
    # One text and its equal candidates: a single vector is asked for.
    assert paths.count("/v1/embeddings") == 1


def test_no_identifier_and_no_gold_answer_is_sent(tmp_path: Path):
    for strategy in ("bm25", "dense-turns", "mem0"):
        _, server = _run(_write_memories, tmp_path / strategy, strategy)
        for request in server.requests:
            sent = str(request.body)
            assert not re.search(r"gold-secret|1000000\d|2000000\d|_q0\d", sent)
