"""Stage scores: answers and judgments → one line a question and system, and their figures."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence

from prefect.futures import PrefectFuture

from flows.evaluation_judging import Judged
from flows.evaluation_reading import Benchmark
from flows.evaluation_run import EvaluationRun
from flows.evaluation_systems import model_of
from flows.parameters import opaque
from tasks.contracts.build import ArtifactRef
from tasks.contracts.errors import GateFailed, TooManyFailed
from tasks.contracts.evaluation import ItemScore
from tasks.gates.tables.scores import score_tables
from tasks.judging.judges import judge_name
from tasks.scoring.items import ItemScores, SystemIdentity
from tasks.scoring.steps import score_answers, scores_key


def score_benchmark(
    run: EvaluationRun, benchmark: Benchmark, judged: Sequence[Judged]
) -> tuple[ItemScore, ...]:
    """Score every answer; raises TooManyFailed where one can't be scored."""
    step = run.cached(score_answers)

    def submit(one: Judged, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        asked = one.answered
        identity = _identity(run, benchmark, one)
        run.take_up(scores_key(asked.patient.ref, asked.answers, one.judgments, identity))
        return step.submit(
            asked.patient.ref, asked.answers, one.judgments, opaque(identity), run.workspace
        )

    outcome = run.fan_out("scores", [[one] for one in judged], submit, identify=_identify)
    refs = [one.result for one in outcome.of("done") if one.result is not None]
    if len(refs) < len(judged):
        first = _identify(outcome.of("failed")[0].item)[0]
        raise TooManyFailed(
            f"{len(judged) - len(refs)} patients' answers could not be scored. First: {first}"
        )
    loaded = (run.workspace.load(ref.path, ref.sha256, ItemScores) for ref in refs)
    return tuple(line for one in loaded for line in one.scores)


def gate_scores(
    run: EvaluationRun, benchmark: Benchmark, scores: Sequence[ItemScore]
) -> GateFailed | None:
    """Pass the scores gate; a run that is only invalid for its errors is returned as a failure.

    Its figures are worth reading, marked as what they are. Raises GateFailed for anything else.
    """
    asked = {
        (patient.subject_id, one.qa_id): one.question_type
        for patient in benchmark.patients
        for one in patient.questions
    }
    try:
        run.gate("scores", score_tables(asked, scores, [one.name for one in run.systems]))
    except GateFailed as failure:
        broken = [one for one in failure.result.results if not one.success]
        if all(one.column == "error_share" and not one.error for one in broken):
            return failure
        raise
    return None


def _identify(one: Judged) -> tuple[str, str]:
    asked = one.answered
    return f"{asked.patient.subject_id} {asked.system.name}", asked.patient.subject_id


def _identity(run: EvaluationRun, benchmark: Benchmark, one: Judged) -> SystemIdentity:
    system = one.answered.system
    return SystemIdentity(
        release=benchmark.digest,
        system=system.name,
        model=model_of(system),
        strategy=system.strategy,
        judge=judge_name(run.judge),
    )
