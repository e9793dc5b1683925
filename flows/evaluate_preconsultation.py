"""Flow `evaluate-preconsultation`: simulate → organize → compare → diagnose → score → report."""

from __future__ import annotations

from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run

from flows.preconsult_files import with_scores
from flows.preconsult_holding import hold_interviews
from flows.preconsult_marks import read_human_scores
from flows.preconsult_matching import compare_with_guidelines, organize_facts
from flows.preconsult_publishing import publish_results, write_dialogues, write_human_sheet
from flows.preconsult_reading import read_patients
from flows.preconsult_run import close_preconsultation, open_preconsultation
from flows.preconsult_scoring import diagnose_patients, gate_histories, score_histories
from flows.preconsult_settings import load_preconsult_settings
from flows.run_lifecycle import close_run
from flows.score_lines import read_scores
from tasks.contracts.build import RunReport
from tasks.contracts.preconsultation import ScoreLine


def _run_name() -> str:
    given = flow_run.get_parameters()
    folder = Path(given["out"]).name if given.get("out") else "the settings' folder"
    return f"pre-consultation {folder} {given.get('language') or ''}".strip()


@flow(name="evaluate-preconsultation", flow_run_name=_run_name, persist_result=False)
def evaluate_preconsultation(
    profiles: str | None = None,
    guidelines: str | None = None,
    out: str | None = None,
    language: str | None = None,
    turns: int | None = None,
    cut_turns: list[int] | None = None,
    doctor_model: list[str] | None = None,
    doctor_base_url: str | None = None,
    doctor_server: str | None = None,
    doctor_model_family: str | None = None,
    doctor_key_variable: str | None = None,
    aliases: str | None = None,
    human_scores: str | None = None,
    human_sheet: str | None = None,
    until: str | None = None,
    concurrency: int | None = None,
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
    """Evaluate how well doctors take a history (EPAG, arXiv 2601.03627, section 3).

    Every doctor interviews every patient; the interviews, and those that people held, are taken
    apart into facts, which are held against the disease's guidelines; a diagnostician reads the
    first turns; scores, accuracy and what went wrong are reported for every number of turns.
    Every stage passes a gate before the next one begins; where the last one finds too much missing,
    the figures are written all the same and the run fails. Rows of earlier runs on the same output
    stay. What isn't given is taken from ANAMNESIS_* settings.
    """
    settings = load_preconsult_settings(**locals())
    with open_preconsultation(settings) as run:
        by_people = read_human_scores(settings.human_scores) if settings.human_scores else {}
        earlier = read_scores(Path(run.workspace.out), ScoreLine)
        patients = read_patients(run)
        held = hold_interviews(run, patients)
        write_dialogues(run, held)
        if settings.until == "interviews":
            return close_run(run)
        facts = organize_facts(run, held)
        if settings.until == "facts":
            return close_run(run)
        matches = compare_with_guidelines(run, facts)
        if settings.until == "matches":
            return close_run(run)
        diagnoses = diagnose_patients(run, held)
        scores = score_histories(run, matches, diagnoses)
        incomplete = gate_histories(run, matches, scores)
        publish_results(run, patients, with_scores(earlier, scores), by_people)
        if settings.human_sheet:
            write_human_sheet(run, patients, held, scores, settings.human_sheet)
        return close_preconsultation(run, incomplete)
