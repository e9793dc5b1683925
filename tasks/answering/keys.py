"""Cache keys of the answering stages, and where readable memories lie."""

from __future__ import annotations

import re

from tasks.adapters.recipe import step_key
from tasks.answering.systems import SystemSpec, system_recipe
from tasks.contracts.build import ArtifactRef


def memories_key(patient: ArtifactRef, system: SystemSpec) -> str:
    """Cache key: the patient and the system decide what is remembered."""
    return step_key("memories", patient.subject_id, [patient.sha256, system_recipe(system)])


def answers_key(
    patient: ArtifactRef, memories: ArtifactRef | None, system: SystemSpec, first: int, count: int
) -> str:
    """Cache key: the patient, the memories, the system and which questions are asked."""
    held = memories.sha256 if memories else ""
    asked = f"{first} {count}"
    recipe = system_recipe(system)
    return step_key("answers", patient.subject_id, [patient.sha256, held, recipe, asked])


def readable_memories(system: SystemSpec, subject_id: str) -> str:
    """Path below the cache of the memories that people read; another run may overwrite it."""
    return f"memories/{re.sub(r'[^A-Za-z0-9.+-]+', '_', system.name)}/{subject_id}.json"
