"""Cache keys of the question steps: each depends on just what decides the step's result."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.adapters.models import ModelSpec, model_recipe
from tasks.adapters.recipe import digest, domain_recipe, step_key
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.release import PatientSources

ACROSS = "cross"
"""In place of a hadm_id: the questions across a patient's admissions."""


def lexicon_key(patients: Sequence[PatientSources]) -> str:
    """Cache key: the cohort's records and dialogues and the recipe decide the lexicon."""
    contents = [ref.sha256 for one in patients for ref in (*one.bundles, *one.dialogues)]
    return step_key("lexicon", "cohort", [domain_recipe("qa"), *contents])


def record_lexicon_key(patients: Sequence[Sequence[BundleRef]]) -> str:
    """Cache key: the cohort's records and the recipe decide the lexicon drawn from them."""
    contents = [ref.sha256 for bundles in patients for ref in bundles]
    return step_key("lexicon", "records", [domain_recipe("qa"), *contents])


def admission_key(
    records: Sequence[BundleRef], dialogue: ArtifactRef, lexicon: ArtifactRef, spec: ModelSpec
) -> str:
    """Cache key: the patient's records, the admission's dialogue, lexicon and recipe decide."""
    recipe = digest([domain_recipe("audit", "qa"), model_recipe(spec)])
    contents = [dialogue.sha256, *(ref.sha256 for ref in records)]
    item = f"{dialogue.subject_id}-{dialogue.hadm_id}"
    return step_key("questions", item, [recipe, lexicon.sha256, *contents])


def across_key(patient: PatientSources, lexicon: ArtifactRef, spec: ModelSpec) -> str:
    """Cache key: the patient's records and dialogues, lexicon and recipe decide."""
    recipe = digest([domain_recipe("audit", "qa"), model_recipe(spec)])
    contents = [ref.sha256 for ref in (*patient.bundles, *patient.dialogues)]
    item = f"{patient.subject_id}-{ACROSS}"
    return step_key("questions", item, [recipe, lexicon.sha256, *contents])


def questions_key(
    patient: PatientSources, about: str, lexicon: ArtifactRef, spec: ModelSpec
) -> str:
    """Cache key: the patient's records and dialogues, the lexicon and the recipe decide them."""
    recipe = digest([domain_recipe("qa"), model_recipe(spec)])
    contents = [ref.sha256 for ref in (*patient.bundles, *patient.dialogues)]
    item = f"{patient.subject_id}-{about}"
    return step_key("questions", item, [recipe, lexicon.sha256, *contents])


def benchmark_key(
    patient: PatientSources, written: Sequence[ArtifactRef], lexicon: ArtifactRef, spec: ModelSpec
) -> str:
    """Cache key: the sets of questions, what they are drawn from and the recipe decide it."""
    recipe = digest([domain_recipe("audit", "qa"), model_recipe(spec)])
    contents = [ref.sha256 for ref in (*written, *patient.bundles, *patient.dialogues)]
    return step_key("benchmark", patient.subject_id, [recipe, lexicon.sha256, *contents])
