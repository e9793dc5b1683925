"""Invented patients and guidelines of a pre-consultation evaluation."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from tasks.contracts.preconsultation import (
    BasicInformation,
    Guideline,
    Interview,
    PatientProfile,
    ProfileStatement,
    Section,
    Turn,
)
from tasks.preconsultation.form import read_reply

GUIDELINES = (
    Guideline(disease="Asthma", weight="h", symptom="Wheezing"),
    Guideline(disease="Asthma", weight="h", symptom="Shortness of Breath"),
    Guideline(disease="Asthma", weight="m", symptom="Cough"),
    Guideline(disease="Asthma", weight="m", symptom="Cough at Night"),
    Guideline(disease="Stroke", weight="h", symptom="Speech Disturbance"),
    Guideline(disease="Stroke", weight="m", symptom="Dizziness"),
)
"""One guideline of asthma is contained in another."""


def write_guidelines(path: Path) -> None:
    """Write ``GUIDELINES`` as a file holds them."""
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("disease", "weight", "symptom"))
        writer.writerows((one.disease, one.weight, one.symptom) for one in GUIDELINES)


def raw_profile(**changed: Any) -> dict[str, Any]:
    """A profile as a file holds it."""
    return {
        "pid": "00000001",
        "disease_name": "Asthma",
        "setting": "",
        "typicality": "Typical",
        "details": {
            "basic_information": {"Age": 31, "Sex": "Female", "Height_cm": 160, "weight": "55kg"},
            "history_of_present_illness": {
                "Location": "Chest",
                "Quality": "Tight",
                "Severity": "4/10",
                "Duration": "2 weeks",
                "Timing": "Worse at night",
                "Context": "After moving to a new flat",
                "Modifying Factors": "Better with rest, worse in cold air",
                "Associated Signs and Symptoms": "Cough, wheezing",
            },
            "additional_information": ["No fever", "Mother has asthma"],
            "pain_area": [],
            "past_history": ["Hay fever as a child"],
            "social_history": ["Non-smoker", "Works in a bakery"],
        },
        "simple_info": {
            "Age": "31 years",
            "Sex": "Female",
            "Department": "Internal Medicine",
            "Chief Complaint": "I can't catch my breath",
            "Symptom Duration": "Within 3 months",
            "Symptom_Location": ["Sternal region"],
        },
    } | changed


def profile(
    pid: str = "1",
    disease: str = "Asthma",
    complaint: str = "I can't catch my breath",
    **statements: Sequence[str],
) -> PatientProfile:
    """A patient; statements by section."""
    return PatientProfile(
        pid=pid,
        disease=disease,
        spelling=disease,
        basic=BasicInformation(age="31", sex="Female", chief_complaint=complaint),
        statements=tuple(
            ProfileStatement(section=cast("Section", section), text=text)
            for section, texts in statements.items()
            for text in texts
        ),
    )


def asked(number: int, reply: str, answer: str = "") -> Turn:
    """A turn, read from the doctor's reply."""
    read = read_reply(reply)
    return Turn(
        number=number,
        reply=reply,
        questions=read.questions,
        question=read.question,
        options=read.options,
        answer=answer,
    )


def interview(*turns: tuple[str, str], ended: str = "", failed: str = "") -> Interview:
    """An interview of ``profile()`` from replies and answers."""
    return Interview(
        pid="1",
        disease="Asthma",
        basic=BasicInformation(chief_complaint="I can't catch my breath"),
        turns=tuple(asked(number, *turn) for number, turn in enumerate(turns, 1)),
        ended=ended,
        failed=failed,
    )
