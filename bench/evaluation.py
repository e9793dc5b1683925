"""What answering a whole benchmark takes beside the model: 100 patients, 17,800 questions, bm25.

Timelines of the published size (30 sessions, 1,670 turns, 74,500 tokens a patient in the mean) are
made of common words. A model that answers at once, but reads its messages, is asked every question
as ``anamnesis evaluate`` asks it: in chunks of 20, each stored and none kept in memory. Measured is
all of it: reading staged patients, counting tokens, the index, rankings, prompts, storing.

    .venv/bin/python bench/evaluation.py [--patients 100] [--strategy bm25]

The baselines do the same work for fewer patients and are scaled up: one makes the index anew for
every chunk, the other counts the tokens of every prompt instead of adding up those of its turns.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import cast

from tasks.adapters.embedders import EmbedderSpec, open_embedder
from tasks.adapters.models import ModelSpec
from tasks.adapters.tokens import count_tokens
from tasks.adapters.workspace import Workspace
from tasks.answering.answers import answer_by_model, asked_of
from tasks.answering.keys import answers_key
from tasks.answering.loading import load_patient, ready_patient
from tasks.answering.patients import ReadyPatient
from tasks.answering.replies import AnswersInput, AnswersReply, NumberedAnswer
from tasks.answering.systems import DENSE_STRATEGIES, SystemSpec
from tasks.answering.timeline import timeline_text
from tasks.contracts.build import ArtifactRef
from tasks.contracts.chat import ChatReply, ChatRequest, Reply
from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import ConversationLine, TokenUsage
from tasks.contracts.evaluation import BenchmarkPatient, BenchmarkSession
from tasks.contracts.questions import Evidence, Question, QuestionType

SEED = 11
CHUNK = 20
QUESTIONS = 178
SESSIONS = (20, 40)
TURNS = (40, 71)
WORDS = (10, 30)
BASELINE_PATIENTS = 2
MOST_SECONDS = 120.0
MOST_GIGABYTES = 2.0

_LIST = Path(__file__).parent.parent / "tasks" / "audit" / "texts" / "general_words.txt"
_WORDS = [
    word
    for line in _LIST.read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
]

Ready = Callable[[ArtifactRef, SystemSpec, Workspace], ReadyPatient]


@dataclass
class InstantModel:
    """Reads what it is sent, counts it if told so, and answers at once."""

    counts: bool = False
    provider: str = "openai"
    model: str = "instant"
    temperature: float | None = None
    characters: int = 0
    requests: int = 0

    @property
    def used(self) -> TokenUsage:
        return TokenUsage()

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        """An answer to every question, once the messages are written."""
        messages = (request.system_message, request.task_message)
        self.characters += sum(map(len, messages))
        self.requests += 1
        if self.counts:
            sum(map(count_tokens, messages))
        asked = cast("AnswersInput", request.payload).questions
        said = [NumberedAnswer(number=n, answer="5 mg") for n in range(1, len(asked) + 1)]
        reply = AnswersReply(answers=said)
        return ChatReply(parsed=cast("Reply", reply), usage=TokenUsage())


def main() -> None:
    """Measure, print, and fail where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=100)
    parser.add_argument("--strategy", default="bm25")
    given = parser.parse_args()
    system = SystemSpec(
        strategy=given.strategy,
        model=ModelSpec(provider="openai", model="instant"),
        embedder=EmbedderSpec() if given.strategy in DENSE_STRATEGIES else None,
    )
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(out=folder)
        workspace.prepare()
        refs = [_staged(number, workspace) for number in range(given.patients)]
        model = InstantModel()
        seconds = _run(refs, system, workspace, model, _shared)
        gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        few = refs[:BASELINE_PATIENTS]
        scale = len(refs) / len(few)
        rebuilt = _run(few, system, workspace, InstantModel(), _anew) * scale
        counted = _run(few, system, workspace, InstantModel(counts=True), _shared) * scale
    print(
        f"{given.strategy}: {len(refs)} patients, {model.requests} requests, "
        f"{model.characters / 1e9:.2f} billion characters of prompts\n"
        f"{seconds:.1f} s outside the model (limit {MOST_SECONDS:.0f}), "
        f"peak {gigabytes:.2f} GB (limit {MOST_GIGABYTES:.0f})\n"
        f"index made anew for every chunk: {rebuilt:.0f} s, {rebuilt / seconds:.1f} times as long\n"
        f"tokens of every prompt counted: {counted:.0f} s, {counted / seconds:.1f} times as long"
    )
    if seconds > MOST_SECONDS or gigabytes > MOST_GIGABYTES:
        raise SystemExit(1)


def _run(
    refs: list[ArtifactRef],
    system: SystemSpec,
    workspace: Workspace,
    model: InstantModel,
    make_ready: Ready,
) -> float:
    """Seconds that all questions of these patients take."""
    began = time.perf_counter()
    for ref in refs:
        for first in range(0, QUESTIONS, CHUNK):
            ready = make_ready(ref, system, workspace)
            asked = asked_of(load_patient(ref, workspace), first, CHUNK)
            answered = answer_by_model(ref.subject_id, system, ready, asked, model)
            key = answers_key(ref, None, system, first, CHUNK)
            workspace.store(key, answered, subject_id=ref.subject_id)
    return time.perf_counter() - began


def _shared(ref: ArtifactRef, system: SystemSpec, workspace: Workspace) -> ReadyPatient:
    return ready_patient(ref, None, system, workspace)


def _anew(ref: ArtifactRef, system: SystemSpec, workspace: Workspace) -> ReadyPatient:
    patient = workspace.load(ref.path, ref.sha256, BenchmarkPatient)
    embedder = open_embedder(system.embedder, ref.subject_id) if system.embedder else None
    return ReadyPatient(timeline_text(patient), system.strategy, embedder)


def _staged(number: int, workspace: Workspace) -> ArtifactRef:
    patient = made_patient(number)
    key = f"patients.{patient.subject_id}.bench"
    return workspace.store(key, patient, subject_id=patient.subject_id)


def made_patient(number: int) -> BenchmarkPatient:
    """A patient of the published size, made of common words."""
    subject_id = str(10_000_000 + number)
    draw = random.Random(SEED + number)
    return BenchmarkPatient(
        subject_id=subject_id,
        sessions=tuple(_sessions(draw)),
        questions=tuple(_question(subject_id, place, draw) for place in range(QUESTIONS)),
    )


def _sessions(draw: random.Random) -> Iterator[BenchmarkSession]:
    start = parse_time("2150-01-01 08:00:00")
    for number in range(draw.randint(*SESSIONS)):
        turns = draw.randint(*TURNS)
        yield BenchmarkSession(
            hadm_id=str(20_000_000 + number),
            admission_start=start,
            admission_end=start + timedelta(days=3),
            lines=tuple(
                ConversationLine(
                    turn_number=turn,
                    time=start + timedelta(minutes=turn),
                    speaker="Doctor" if turn % 2 else "Patient",
                    text=_said(draw),
                )
                for turn in range(1, turns + 1)
            ),
        )
        start += timedelta(days=draw.randint(5, 60))


def _said(draw: random.Random) -> str:
    words = draw.choices(_WORDS, k=draw.randint(*WORDS))
    words.insert(draw.randint(0, len(words)), f"{draw.randint(1, 400)} mg")
    return " ".join(words).capitalize() + "."


def _question(subject_id: str, place: int, draw: random.Random) -> Question:
    words = " ".join(draw.choices(_WORDS, k=12))
    return Question(
        qa_id=f"{subject_id}_q{place}",
        scope="cross_admission",
        question_type=QuestionType.FREQUENCY_PATTERN,
        question=f"Which dose of {words} was taken?",
        answer="5 mg",
        evidence=Evidence(admissions=(), turns=()),
    )


if __name__ == "__main__":
    main()
