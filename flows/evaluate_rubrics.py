"""Flow `evaluate-rubrics`: rubrics → coverage, discrimination, refinement → report."""

from __future__ import annotations

from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run

from flows.rubric_inputs import read_evaluated
from flows.rubric_lifecycle import open_rubric_evaluation
from flows.rubric_refining import gate_refinement, measure_refinement
from flows.rubric_report import publish_measures
from flows.rubric_settings import load_rubric_evaluation_settings
from flows.rubric_stages import (
    gate_judgments,
    measure_coverage,
    measure_discrimination,
)
from flows.run_lifecycle import close_run
from tasks.contracts.build import RunReport


def _run_name() -> str:
    given = flow_run.get_parameters()
    folder = Path(given["out"]).name if given.get("out") else "the settings' folder"
    return f"evaluate rubrics in {folder}"


@flow(name="evaluate-rubrics", flow_run_name=_run_name, persist_result=False)
def evaluate_rubrics(
    rubrics: list[str] | None = None,
    reference: str | None = None,
    queries: str | None = None,
    answers: str | None = None,
    base: str | None = None,
    out: str | None = None,
    concurrency: int | None = None,
    measure: list[str] | None = None,
    compare_with: str | None = None,
    judge: list[str] | None = None,
    role: list[str] | None = None,
    provider: str | None = None,
    model: str | None = None,
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
    allow_host: list[str] | None = None,
    prices: str | None = None,
    max_usd: float | None = None,
    max_tokens: int | None = None,
    request_seconds: float | None = None,
    deadline_seconds: float | None = None,
) -> RunReport:
    """Measure rubrics against gold ones (arXiv 2601.15161, section 4).

    Coverage splits rubrics into atomic constraints and asks which the other entails;
    discrimination asks whether a rubric prefers a reference answer to a near-miss of it;
    refinement edits frozen answers by what a critic finds with a rubric. What isn't given is taken
    from ANAMNESIS_* settings.
    """
    settings = load_rubric_evaluation_settings(**locals())
    with open_rubric_evaluation(settings) as run:
        given, measured = read_evaluated(run), settings.measure
        coverage = measure_coverage(run, given) if "coverage" in measured else None
        pairs = measure_discrimination(run, given) if "discrimination" in measured else None
        refined = measure_refinement(run, given) if "refinement" in measured else None
        gate_judgments(run, coverage, pairs)
        gate_refinement(run, given, refined)
        publish_measures(run, given, coverage, pairs, refined)
        return close_run(run)
