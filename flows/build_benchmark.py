"""Flow `build-benchmark`: MIMIC-IV CSVs → bundles → dialogues → questions → verified release."""

from __future__ import annotations

from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run

from flows.auditing import audit_benchmark
from flows.bundling import bundle_admissions, read_inputs
from flows.conversing import assemble_timelines, synthesise_dialogues
from flows.estimating import estimate_requests
from flows.publishing import publish_release
from flows.questioning import generate_questions
from flows.run_lifecycle import close_run, open_run
from flows.settings import load_settings
from tasks.contracts.build import RunReport


def _run_name() -> str:
    given = flow_run.get_parameters()
    folder = Path(given["out"]).name if given.get("out") else "the settings' folder"
    return f"build {folder} until {given.get('until') or 'release'}"


@flow(name="build-benchmark", flow_run_name=_run_name, persist_result=False)
def build_benchmark(
    mimic: str | None = None,
    note: str | None = None,
    out: str | None = None,
    patients: int | None = None,
    subject_id: list[str] | None = None,
    concurrency: int | None = None,
    until: str | None = None,
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
    turn_range: list[int] | None = None,
    allow_host: list[str] | None = None,
    prices: str | None = None,
    max_usd: float | None = None,
    max_tokens: int | None = None,
    estimate: bool | None = None,
    request_seconds: float | None = None,
    deadline_seconds: float | None = None,
) -> RunReport:
    """Build a MedLoCoMo benchmark (construction section of the paper).

    One patient is one instance and each admission one session: the eligible admissions of the
    cohort become bundles; each bundle, after the patient's previous one, becomes a dialogue and a
    summary; the dialogues of a patient become a timeline; questions with cited evidence are asked
    within and across its sessions; grounding, support, answerability, wording, variety and
    duplicates are audited. Every stage passes a gate before the next one begins, and the release
    is published as a whole. What isn't given is taken from ANAMNESIS_* settings.
    """
    settings = load_settings(**locals())
    with open_run(settings) as run:
        inputs = read_inputs(run)
        cohort = bundle_admissions(run, inputs)
        if settings.estimate:
            estimate_requests(run, cohort)
            return close_run(run)
        if settings.until == "bundles":
            return close_run(run)
        dialogues = synthesise_dialogues(run, cohort)
        if settings.until == "dialogues":
            return close_run(run)
        sessions = assemble_timelines(run, dialogues)
        questions = generate_questions(run, sessions)
        if settings.until == "questions":
            return close_run(run)
        audited = audit_benchmark(run, questions)
        release = publish_release(run, cohort, audited)
        return close_run(run, release)
