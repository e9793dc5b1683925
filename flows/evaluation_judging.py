"""Stage judgments: answers to answerable questions → verdicts."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prefect.futures import PrefectFuture

from flows.evaluation_answering import Answered, AnsweredChunk, load_answers, slice_of
from flows.evaluation_reading import Benchmark, ReadPatient
from flows.evaluation_run import EvaluationRun
from flows.item_failures import reason_of
from tasks.adapters.recipe import step_key
from tasks.contracts.build import ArtifactRef
from tasks.contracts.evaluation import Judgment, JudgmentSet, PredictionSet
from tasks.contracts.questions import QuestionType
from tasks.gates.tables.judgments import judgment_tables
from tasks.judging.judges import judge_name
from tasks.judging.steps import judge_answers, judgments_key


@dataclass(frozen=True)
class Judged:
    """A system's answers to one patient's questions with their judgments, a JudgmentSet."""

    answered: Answered
    judgments: ArtifactRef


@dataclass(frozen=True)
class _Due:
    """A chunk of answers that a judge is to be asked about."""

    questions: ArtifactRef
    answers: ArtifactRef
    chunk: AnsweredChunk


def judge_benchmark(
    run: EvaluationRun, benchmark: Benchmark, answered: Sequence[Answered]
) -> tuple[Judged, ...]:
    """Have every answer to an answerable question judged, and pass the judgments gate."""
    found = _judge(run, _all_due(run, answered))
    run.stop_if_too_many_failed()
    judged = tuple(_gather(run, one, found) for one in answered)
    pairs = ((load_answers(run, one.answered), load_judgments(run, one)) for one in judged)
    run.gate("judgments", judgment_tables(benchmark.outlines, pairs, run.settings.judge_repeats))
    return judged


def load_judgments(run: EvaluationRun, judged: Judged) -> JudgmentSet:
    """The staged judgments of a system's answers to a patient's questions."""
    ref = judged.judgments
    return run.workspace.load(ref.path, ref.sha256, JudgmentSet)


def _all_due(run: EvaluationRun, answered: Sequence[Answered]) -> list[_Due]:
    """Every chunk that has answers; systems that were asked the same questions share them."""
    questions: dict[tuple[str, int, int], ArtifactRef] = {}
    due: list[_Due] = []
    for one in (chunk for asked in answered for chunk in asked.chunks):
        if one.answers is not None:
            which = (one.chunk.patient.subject_id, one.chunk.first, one.chunk.count)
            if which not in questions:
                questions[which] = slice_of(run, one.chunk)
            due.append(_Due(questions[which], one.answers, one))
    return due


def _judge(run: EvaluationRun, due: Sequence[_Due]) -> dict[str, ArtifactRef | str]:
    """The staged judgments of every chunk by its name; else why there are none."""
    step = run.cached(judge_answers)
    repeats = run.settings.judge_repeats

    def submit(one: _Due, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        run.take_up(judgments_key(one.questions, one.answers, run.judge, repeats))
        return step.submit(one.questions, one.answers, run.judge, repeats, run.workspace)

    outcome = run.fan_out(
        "judgments",
        [[one] for one in due],
        submit,
        identify=lambda one: (one.chunk.chunk.name, one.chunk.chunk.patient.subject_id),
    )
    ended = [chain[0] for chain in outcome.chains]
    return {one.item.chunk.chunk.name: one.result or reason_of(one) for one in ended}


def _gather(run: EvaluationRun, answered: Answered, found: dict[str, ArtifactRef | str]) -> Judged:
    """One set of judgments of a system's answers to a patient's questions."""
    refs = [found.get(one.chunk.name, "") for one in answered.chunks]
    if len(refs) == 1 and isinstance(refs[0], ArtifactRef):
        return Judged(answered, refs[0])
    parts = [
        judgment
        for chunk, ref in zip(answered.chunks, refs, strict=True)
        for judgment in _judgments(run, answered.patient, chunk, ref)
    ]
    made = JudgmentSet(
        subject_id=answered.patient.subject_id,
        system=answered.system.name,
        judge=judge_name(run.judge),
        judgments=tuple(parts),
    )
    key = step_key("judged", made.subject_id, [made.model_dump_json()])
    run.used.add(key)
    return Judged(answered, run.workspace.store(key, made, subject_id=made.subject_id))


def _judgments(
    run: EvaluationRun, patient: ReadPatient, chunk: AnsweredChunk, ref: ArtifactRef | str
) -> Iterator[Judgment]:
    """A chunk's judgments; errors where its task failed, none where nothing was answered."""
    if isinstance(ref, ArtifactRef):
        yield from run.workspace.load(ref.path, ref.sha256, JudgmentSet).judgments
    elif chunk.answers is not None:
        answers = run.workspace.load(chunk.answers.path, chunk.answers.sha256, PredictionSet)
        types = {one.qa_id: one.question_type for one in patient.questions}
        for one in answers.predictions:
            if types[one.qa_id] is not QuestionType.ADVERSARIAL and one.outcome != "failed":
                yield Judgment(
                    qa_id=one.qa_id, outcome="error", verdicts=(), reason=ref or "not judged"
                )
