"""Prefect tasks of the audits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from prefect import task

from tasks.adapters.failures import guarded
from tasks.adapters.recipe import domain_recipe, step_key
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.audit.grounding.terms import ReleaseTerms, build_terms
from tasks.audit.sources import load_patient
from tasks.audit.term_names import TermNames, names_of, terms_of
from tasks.audit.within import audit_patient
from tasks.contracts.build import ArtifactRef
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.records import AdmissionBundle
from tasks.contracts.release import PatientSources


def terms_key(patients: Sequence[PatientSources]) -> str:
    """Cache key: the records and the recipe decide what counts as a term."""
    return step_key("audits", "terms", [domain_recipe("audit"), *_dialogues(patients)])


def texts_key(patients: Sequence[PatientSources]) -> str:
    """Cache key: all that is said and asked, and the recipe, decide what texts betray."""
    asked = [one.questions.sha256 for one in patients if one.questions is not None]
    parts = [domain_recipe("audit"), *_dialogues(patients), *asked]
    return step_key("audits", "texts", parts)


def patient_key(patient: PatientSources, terms: ArtifactRef) -> str:
    """Cache key: a patient's dialogues and questions, the terms and the recipe decide it."""
    asked = [patient.questions.sha256] if patient.questions is not None else []
    parts = [domain_recipe("audit"), terms.sha256, *_dialogues([patient]), *asked]
    return step_key("audits", patient.subject_id, parts)


def _dialogues(patients: Sequence[PatientSources]) -> list[str]:
    return [ref.sha256 for patient in patients for ref in patient.dialogues]


def _terms_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return terms_key(given["patients"])


def _texts_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return texts_key(given["patients"])


def _patient_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return patient_key(given["patient"], given["terms"])


@task(
    name="collect-terms",
    task_run_name="terms of the cohort",
    cache_key_fn=_terms_cache_key,
    **CACHED,
)
@guarded
def collect_terms(patients: tuple[PatientSources, ...], workspace: Workspace) -> ArtifactRef:
    """Collect what counts as a drug, diagnosis, procedure or organism in this release."""
    names = names_of(build_terms(_bundles(patients, workspace)))
    return workspace.store(terms_key(patients), names, subject_id="")


@task(
    name="audit-patient",
    task_run_name="audit {patient.subject_id}",
    cache_key_fn=_patient_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def audit_staged_patient(
    patient: PatientSources, terms: ArtifactRef, workspace: Workspace
) -> ArtifactRef:
    """Audit a patient's turns against the record, and the questions against their citations."""
    known = _read_terms(terms.path, terms.sha256, workspace.out)
    audited = audit_patient(load_patient(patient, workspace), known)
    return workspace.store(patient_key(patient, terms), audited, subject_id=patient.subject_id)


@task(
    name="audit-texts",
    task_run_name="wording, variety and duplicates",
    cache_key_fn=_texts_cache_key,
    **CACHED,
)
@guarded
def audit_staged_texts(patients: tuple[PatientSources, ...], workspace: Workspace) -> ArtifactRef:
    """Compare the texts of all patients."""
    # scikit-learn takes a second to import: only who comes this far waits for it.
    from tasks.audit.texts.release import audit_texts

    texts = audit_texts(load_patient(one, workspace) for one in patients)
    return workspace.store(texts_key(patients), texts, subject_id="")


def _bundles(patients: Sequence[PatientSources], workspace: Workspace) -> Iterator[AdmissionBundle]:
    for patient in patients:
        for ref in patient.dialogues:
            yield workspace.load(ref.path, ref.sha256, AdmissionDialogue).bundle


@lru_cache(maxsize=1)
def _read_terms(path: str, sha256: str, out: str) -> ReleaseTerms:
    return terms_of(Workspace(out=out).load(path, sha256, TermNames))
