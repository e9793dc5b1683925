"""Flow `evaluate-benchmark`: release → memories → answers → judgments → scores → report."""

from __future__ import annotations

from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run

from flows.evaluation_answering import answer_benchmark, remember_timelines
from flows.evaluation_files import with_scores
from flows.evaluation_judging import judge_benchmark
from flows.evaluation_lifecycle import close_evaluation, open_evaluation, report_estimate
from flows.evaluation_publishing import (
    publish_evaluation,
    publish_scores,
    summarise_benchmark,
    write_answers,
)
from flows.evaluation_reading import read_benchmark
from flows.evaluation_scoring import gate_scores, score_benchmark
from flows.evaluation_settings import load_evaluation_settings
from flows.score_lines import read_scores
from tasks.contracts.build import RunReport
from tasks.contracts.evaluation import ItemScore


def _run_name() -> str:
    given = flow_run.get_parameters()
    folder = Path(given["out"]).name if given.get("out") else "the settings' folder"
    return f"evaluate {folder} until {given.get('until') or 'report'}"


@flow(name="evaluate-benchmark", flow_run_name=_run_name, persist_result=False)
def evaluate_benchmark(
    release: str | None = None,
    out: str | None = None,
    strategy: list[str] | None = None,
    until: str | None = None,
    concurrency: int | None = None,
    provider: str | None = None,
    model: list[str] | None = None,
    judge_model: str | None = None,
    judge_repeats: int | None = None,
    judge_temperature: float | None = None,
    judge_base_url: str | None = None,
    judge_server: str | None = None,
    judge_model_family: str | None = None,
    judge_key_variable: str | None = None,
    embeddings_model: str | None = None,
    embeddings_url: str | None = None,
    estimate: bool | None = None,
    base_url: str | None = None,
    key_variable: str | None = None,
    server: str | None = None,
    model_family: str | None = None,
    azure_deployment: str | None = None,
    azure_api_version: str | None = None,
    temperature: float | None = None,
    seed: int | None = None,
    context_tokens: int | None = None,
    output_tokens: int | None = None,
    margin_tokens: int | None = None,
    allow_host: list[str] | None = None,
    prices: str | None = None,
    max_usd: float | None = None,
    max_tokens: int | None = None,
    request_seconds: float | None = None,
    deadline_seconds: float | None = None,
) -> RunReport:
    """Evaluate models on a release in the MedLoCoMo layout (evaluation section of the paper).

    Every model is asked every question with every strategy of showing it the timeline; the
    baselines are always asked too. Answers to answerable questions are judged; answers are scored
    by two recipes and compared. Predictions, judgments and scores pass a gate before the next
    stage begins. Rows of earlier runs on the same output stay. What isn't given is taken from
    ANAMNESIS_* settings.
    """
    settings = load_evaluation_settings(**locals())
    if settings.estimate:
        return report_estimate(settings)
    with open_evaluation(settings) as run:
        earlier = read_scores(Path(run.workspace.out), ItemScore)
        benchmark = read_benchmark(run)
        memories = remember_timelines(run, benchmark)
        answered = answer_benchmark(run, benchmark, memories)
        write_answers(run, answered)
        if settings.until == "answers":
            return close_evaluation(run)
        judged = judge_benchmark(run, benchmark, answered)
        write_answers(run, answered, judged)
        if settings.until == "judgments":
            return close_evaluation(run)
        new = score_benchmark(run, benchmark, judged)
        invalid = gate_scores(run, benchmark, new)
        scores = with_scores(earlier, new)
        systems = summarise_benchmark(run, benchmark, answered, scores)
        publish_scores(run, benchmark, scores, systems)
        if settings.until != "scores":
            publish_evaluation(run, benchmark, scores, systems)
        return close_evaluation(run, invalid)
