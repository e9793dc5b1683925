"""Stage audits: is every statement grounded, every answer supported, every wording mute?"""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import itertools
from collections.abc import Sequence

from prefect.futures import PrefectFuture

from flows.audit_files import FINDINGS, AuditPlaces, publish_audit, write_audit
from flows.build_run import BuildRun
from flows.parameters import opaque
from tasks.adapters.retrying import patiently
from tasks.audit.report import audit_report
from tasks.audit.steps import (
    audit_staged_patient,
    audit_staged_texts,
    collect_terms,
    patient_key,
    terms_key,
    texts_key,
)
from tasks.contracts.audit import PatientAudit
from tasks.contracts.audit_report import AuditSizes, AuditTexts
from tasks.contracts.build import ArtifactRef, SkippedItem
from tasks.contracts.errors import GateFailed, TooManyFailed
from tasks.contracts.release import PatientSources, PatientTimeline
from tasks.gates.tables.audits import audit_tables

_NAMED = 3


def audit_benchmark(
    run: BuildRun, patients: Sequence[PatientSources]
) -> tuple[PatientSources, ...]:
    """Audit each patient and all texts together, report it, and pass the audits gate.

    Returns the patients that it judged: of a language model's those with a fault that its own
    checks didn't see are set aside first. Raises GateFailed where a bound of
    expectations/audits_*.json isn't met.
    """
    found = _audit_patients(run, patients)
    if run.spec.provider == "programmatic":
        _judge(run, patients, found)
        return tuple(patients)
    sound = [not faults_of(audit) for audit in found]
    run.set_aside(_with_faults(audit) for audit in found if faults_of(audit))
    run.stop_if_too_many_failed()
    kept = tuple(itertools.compress(patients, sound))
    _judge(run, kept, list(itertools.compress(found, sound)))
    return kept


def faults_of(audit: PatientAudit) -> list[str]:
    """Turns as hadm_id#turn and questions by qa_id that an audit found fault with."""
    turns = [f"{turn.hadm_id}#{turn.turn_number}" for turn in audit.turns if turn.unsupported]
    return [*turns, *(one.qa_id for one in audit.questions if one.has_fault)]


def _with_faults(audit: PatientAudit) -> SkippedItem:
    faults = faults_of(audit)
    return SkippedItem(
        id=audit.subject_id,
        subject_id=audit.subject_id,
        stage="audits",
        outcome="failed",
        reason=f"the audits find fault with {len(faults)} turns or questions: "
        + ", ".join(faults[:_NAMED]),
    )


def _judge(
    run: BuildRun, patients: Sequence[PatientSources], audited: Sequence[PatientAudit]
) -> None:
    texts = _audit_texts(run, patients)
    sizes = _sizes(run, patients, audited)
    tables = audit_tables(audited, sizes.turns, texts.wording, texts.variety, texts.duplicates)
    failure: GateFailed | None = None
    try:
        run.gate("audits", tables)
    except GateFailed as error:
        failure = error
    verdict = run.gates[-1]
    report = audit_report(audited, texts, sizes, verdict)
    places = AuditPlaces(run.workspace.report, run.workspace.cache / FINDINGS)
    page = write_audit(places, report, verdict, audited)
    patiently(lambda: publish_audit(report))
    if failure is not None:
        raise GateFailed(
            f"{failure}\nthe figures are in {page}, the findings with their words in "
            f"{places.findings}",
            failure.result,
        )


def _audit_patients(run: BuildRun, patients: Sequence[PatientSources]) -> list[PatientAudit]:
    run.take_up(terms_key(patients))
    terms = run.cached(collect_terms)(opaque(tuple(patients)), run.workspace)
    step = run.cached(audit_staged_patient)

    def submit(patient: PatientSources, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        run.take_up(patient_key(patient, terms))
        return step.submit(opaque(patient), terms, run.workspace)

    outcome = run.fan_out(
        "audits",
        [[patient] for patient in patients],
        submit,
        identify=lambda patient: (patient.subject_id, patient.subject_id),
    )
    found = {one.item.subject_id: one.result for one in outcome.of("done")}
    refs = [found.get(patient.subject_id) for patient in patients]
    kept = [ref for ref in refs if ref is not None]
    if len(kept) < len(patients):
        raise TooManyFailed(
            f"{len(patients) - len(kept)} patients could not be audited; the old release stands. "
            f"First: {outcome.of('failed')[0].item.subject_id}"
        )
    return [run.workspace.load(ref.path, ref.sha256, PatientAudit) for ref in kept]


def _audit_texts(run: BuildRun, patients: Sequence[PatientSources]) -> AuditTexts:
    run.take_up(texts_key(patients))
    ref = run.cached(audit_staged_texts)(opaque(tuple(patients)), run.workspace)
    return run.workspace.load(ref.path, ref.sha256, AuditTexts)


def _sizes(
    run: BuildRun, patients: Sequence[PatientSources], audited: Sequence[PatientAudit]
) -> AuditSizes:
    turns: dict[str, int] = {}
    for patient in patients:
        if patient.timeline is not None:
            ref = patient.timeline
            made = run.workspace.load(ref.path, ref.sha256, PatientTimeline)
            turns[patient.subject_id] = made.summary.conversation_stats.total_turns
    return AuditSizes(
        sessions=sum(len(patient.dialogues) for patient in patients),
        turns=turns,
        questions=sum(len(one.questions) for one in audited),
    )
