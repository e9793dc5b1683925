"""Flow `generate-rubrics`: queries → evidence → facts and intent → audited rubrics."""

from __future__ import annotations

from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run

from flows.rubric_generating import read_inputs, run_pipeline
from flows.rubric_lifecycle import open_generation
from flows.rubric_publishing import publish_rubrics
from flows.rubric_settings import load_generation_settings
from flows.run_lifecycle import close_run
from tasks.contracts.build import RunReport


def _run_name() -> str:
    given = flow_run.get_parameters()
    folder = Path(given["out"]).name if given.get("out") else "the settings' folder"
    return f"rubrics for {folder}"


@flow(name="generate-rubrics", flow_run_name=_run_name, persist_result=False)
def generate_rubrics(
    queries: str | None = None,
    release: str | None = None,
    out: str | None = None,
    concurrency: int | None = None,
    search: str | None = None,
    corpus: str | None = None,
    ranking: str | None = None,
    tavily_url: str | None = None,
    without: list[str] | None = None,
    baseline: list[str] | None = None,
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
    """Generate instance-specific rubrics (arXiv 2601.15161, section 3).

    Every query is routed into searches, whose results are reranked and read; the evidence is split
    into atomic facts and filtered; the user's intent is read beside it; a rubric is drafted from
    both and audited. Every criterion names what it rests on. Ablations leave out a step. What
    isn't given is taken from ANAMNESIS_* settings.
    """
    settings = load_generation_settings(**locals())
    with open_generation(settings) as run:
        given = read_inputs(run)
        traces = run_pipeline(run, given)
        publish_rubrics(run, traces)
        return close_run(run)
