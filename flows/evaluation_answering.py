"""Stages memories and answers: patients and systems → predictions (spec section 9)."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prefect.futures import PrefectFuture

from flows.evaluation_reading import Benchmark, ReadPatient
from flows.evaluation_run import EvaluationRun
from flows.evaluation_systems import questions_a_task
from flows.item_failures import reason_of
from flows.parameters import opaque
from tasks.adapters.recipe import step_key
from tasks.answering.keys import answers_key, memories_key
from tasks.answering.steps import answer_questions, build_memories
from tasks.answering.systems import SystemSpec
from tasks.contracts.build import ArtifactRef
from tasks.contracts.evaluation import BenchmarkPatient, Prediction, PredictionSet
from tasks.gates.tables.predictions import prediction_tables

Asked = tuple[ReadPatient, SystemSpec]


@dataclass(frozen=True)
class Chunk:
    """Some of a patient's questions, asked of one system together."""

    patient: ReadPatient
    system: SystemSpec
    memories: ArtifactRef | None
    first: int
    count: int
    failed: str = ""

    @property
    def name(self) -> str:
        """How reports name it."""
        return f"{self.patient.subject_id} {self.system.name} {self.first}"


@dataclass(frozen=True)
class AnsweredChunk:
    """A chunk with its staged answers; null where its task failed, for ``reason``."""

    chunk: Chunk
    answers: ArtifactRef | None
    reason: str = ""


@dataclass(frozen=True)
class Answered:
    """All of a system's answers to one patient's questions: ``answers`` is a PredictionSet."""

    patient: ReadPatient
    system: SystemSpec
    answers: ArtifactRef
    memories: ArtifactRef | None
    chunks: tuple[AnsweredChunk, ...]


def remember_timelines(
    run: EvaluationRun, benchmark: Benchmark
) -> dict[tuple[str, str], ArtifactRef | str]:
    """Memories of the systems that answer from some, by patient and system; else why not."""
    asked = [(patient, one) for patient in benchmark.patients for one in run.systems]
    remembering = [one for one in asked if one[1].remembers]
    if not remembering:
        return {}
    step = run.cached(build_memories)

    def submit(asked: Asked, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        patient, system = asked
        run.take_up(memories_key(patient.ref, system))
        return step.submit(patient.ref, opaque(system), run.workspace)

    outcome = run.fan_out(
        "memories",
        [[one] for one in remembering],
        submit,
        identify=lambda one: (f"{one[0].subject_id} {one[1].name}", one[0].subject_id),
    )
    ended = [chain[0] for chain in outcome.chains]
    return {
        (one.item[0].subject_id, one.item[1].name): one.result or reason_of(one) for one in ended
    }


def answer_benchmark(
    run: EvaluationRun, benchmark: Benchmark, memories: dict[tuple[str, str], ArtifactRef | str]
) -> tuple[Answered, ...]:
    """Ask every system every question, and pass the predictions gate.

    A chunk whose task failed has failed predictions in its place: the next run asks again.
    """
    chunks = [
        chunk
        for patient in benchmark.patients
        for system in run.systems
        for chunk in _chunks(patient, system, memories.get((patient.subject_id, system.name)))
    ]
    answered = [*_answer(run, [one for one in chunks if not one.failed])]
    answered += [AnsweredChunk(one, None, one.failed) for one in chunks if one.failed]
    run.stop_if_too_many_failed()
    by_asked: dict[tuple[str, str], list[AnsweredChunk]] = {}
    for one in answered:
        by_asked.setdefault((one.chunk.patient.subject_id, one.chunk.system.name), []).append(one)
    gathered = tuple(_gather(run, by_asked[key]) for key in sorted(by_asked))
    run.gate(
        "predictions",
        prediction_tables(benchmark.outlines, (load_answers(run, one) for one in gathered)),
    )
    return gathered


def load_answers(run: EvaluationRun, answered: Answered) -> PredictionSet:
    """The staged answers of a system to a patient's questions. Patient text."""
    ref = answered.answers
    return run.workspace.load(ref.path, ref.sha256, PredictionSet)


def _chunks(
    patient: ReadPatient, system: SystemSpec, memories: ArtifactRef | str | None
) -> Iterator[Chunk]:
    number = len(patient.questions)
    size = questions_a_task(system, number)
    kept = None if isinstance(memories, str) else memories
    failed = memories if isinstance(memories, str) else ""
    for first in range(0, number, size):
        yield Chunk(patient, system, kept, first, min(size, number - first), failed)


def _answer(run: EvaluationRun, chunks: Sequence[Chunk]) -> Iterator[AnsweredChunk]:
    step = run.cached(answer_questions)

    def submit(chunk: Chunk, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        asked = (chunk.patient.ref, chunk.memories, chunk.system, chunk.first, chunk.count)
        run.take_up(answers_key(*asked))
        patient, kept, system, first, count = asked
        return step.submit(patient, kept, opaque(system), first, count, run.workspace)

    outcome = run.fan_out(
        "answers",
        [[chunk] for chunk in chunks],
        submit,
        identify=lambda chunk: (chunk.name, chunk.patient.subject_id),
    )
    for chain in outcome.chains:
        yield AnsweredChunk(chain[0].item, chain[0].result, reason_of(chain[0]))


def _gather(run: EvaluationRun, chunks: Sequence[AnsweredChunk]) -> Answered:
    """One set of a patient's answers by one system, in the order of the questions."""
    ordered = sorted(chunks, key=lambda one: one.chunk.first)
    first = ordered[0].chunk
    if len(ordered) == 1 and ordered[0].answers is not None:
        answers = ordered[0].answers
    else:
        answers = _store(run, first, [_load(run, one) for one in ordered])
    return Answered(first.patient, first.system, answers, first.memories, tuple(ordered))


def _load(run: EvaluationRun, chunk: AnsweredChunk) -> PredictionSet:
    ref, asked = chunk.answers, chunk.chunk
    if ref is not None:
        return run.workspace.load(ref.path, ref.sha256, PredictionSet)
    lost = asked.patient.questions[asked.first : asked.first + asked.count]
    return PredictionSet(
        subject_id=asked.patient.subject_id,
        system=asked.system.name,
        predictions=tuple(
            Prediction(qa_id=one.qa_id, outcome="failed", reason=chunk.reason or "not asked")
            for one in lost
        ),
    )


def _store(run: EvaluationRun, chunk: Chunk, parts: Sequence[PredictionSet]) -> ArtifactRef:
    made = PredictionSet(
        subject_id=chunk.patient.subject_id,
        system=chunk.system.name,
        predictions=tuple(one for part in parts for one in part.predictions),
        requests=sum(part.requests for part in parts),
        input_tokens=sum(part.input_tokens for part in parts),
        output_tokens=sum(part.output_tokens for part in parts),
    )
    key = step_key("answered", made.subject_id, [made.model_dump_json()])
    run.used.add(key)
    return run.workspace.store(key, made, subject_id=made.subject_id)


def slice_of(run: EvaluationRun, chunk: Chunk) -> ArtifactRef:
    """The questions of a chunk as a patient without turns: all that a judge is shown."""
    asked = chunk.patient.questions[chunk.first : chunk.first + chunk.count]
    part = BenchmarkPatient(
        subject_id=chunk.patient.subject_id, sessions=(), questions=tuple(asked)
    )
    key = step_key("asked", part.subject_id, [part.model_dump_json()])
    run.used.add(key)
    return run.workspace.store(key, part, subject_id=part.subject_id)
