"""What every role is given and replies: doctor, patient, organizer, comparer, diagnostician,
evaluator.
"""

from __future__ import annotations

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.preconsultation import (
    BasicInformation,
    Guideline,
    Language,
    PatientProfile,
    Turn,
)

NONE_OF_ABOVE = "None of Above"


class DoctorTask(Contract):
    """What a doctor knows: never the number of turns, never the disease. Patient text."""

    language: Language = Field(description="To speak")
    basic: BasicInformation = Field(description="Known before")
    turns: tuple[Turn, ...] = Field(description="So far")


class DoctorWords(Contract):
    """The doctor's next words."""

    reply: str = Field(description="One `Question:` and its `Options:`")


class PatientTask(Contract):
    """What a patient knows and is asked. Patient text."""

    language: Language = Field(description="To speak")
    profile: PatientProfile = Field(description="The patient")
    earlier: tuple[Turn, ...] = Field(description="So far")
    asked: Turn = Field(description="The question to answer")


class PatientWords(Contract):
    """The patient's answer."""

    reply: str = Field(description="`Answer:` and the options that fit")


class OrganizeTask(Contract):
    """A turn to take apart. Patient text."""

    language: Language = Field(description="To write")
    turn: Turn = Field(description="Question, options and answer")


class UnitDraft(Contract):
    """A fact, as a model writes it."""

    statement: str = Field(description="One clinical fact in a few words")
    is_negative: bool = Field(description="Whether it says that something is absent")


class OrganizedTurn(Contract):
    """The facts of a turn."""

    units: tuple[UnitDraft, ...] = Field(description="One clinical fact each")


class CompareTask(Contract):
    """Facts to hold against guidelines. Patient text."""

    language: Language = Field(description="Of both")
    disease: str = Field(description="The patient's disease")
    guidelines: tuple[str, ...] = Field(description="Texts of the disease's guidelines")
    statements: tuple[str, ...] = Field(description="Facts")


class ComparedTurn(Contract):
    """The guideline of each fact."""

    matches: tuple[str, ...] = Field(
        description="For each fact in order: a guideline letter for letter, or None of Above"
    )


class DiagnoseTask(Contract):
    """An interview to diagnose. ``knowledge`` is for rules alone: no model is shown it."""

    language: Language = Field(description="Of the interview")
    basic: BasicInformation = Field(description="Known before")
    turns: tuple[Turn, ...] = Field(description="The interview")
    knowledge: tuple[Guideline, ...] = Field(description="Guidelines of every disease")


class RankedDiseases(Contract):
    """A ranked diagnosis."""

    diseases: tuple[str, ...] = Field(description="Names of diseases, the likeliest first")


class EvaluateTask(Contract):
    """Diagnoses to hold against the disease."""

    language: Language = Field(description="Of the names")
    disease: str = Field(description="The patient's disease")
    diagnoses: tuple[str, ...] = Field(description="Names to judge")


class EvaluatedDiseases(Contract):
    """Which diagnoses are right."""

    right: tuple[bool, ...] = Field(description="For each diagnosis in order")
