"""Who plays the roles of a pre-consultation, by name."""

from __future__ import annotations

from tasks.adapters.models import ModelSpec, model_name
from tasks.preconsultation.rules import RULES_VERSION

PATIENT = "patient"
"""What a patient is asked for: the same question has the same answer, whoever asks."""

HUMAN = "human:"
"""Begins the name of a person who asked."""


def doctor_name(doctor: ModelSpec) -> str:
    """Name of a doctor as scores and reports state it."""
    if doctor.provider == "programmatic":
        return f"programmatic-rules-{RULES_VERSION}"
    return model_name(doctor)
