"""What a pre-consultation evaluation reads, simulates and scores (arXiv 2601.03627)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract

Language = Literal["en", "ko"]
"""Of profiles, guidelines and prompts together."""

Weight = Literal["h", "m"]
"""Importance of a guideline: high, which counts twice, or medium."""

Section = Literal[
    "location",
    "quality",
    "severity",
    "duration",
    "timing",
    "context",
    "modifying",
    "associated",
    "additional",
    "area",
    "past",
    "social",
]
"""Part of a profile that a statement comes from."""

Placed = Literal["exact", "repaired", "alias"]
"""How a disease name was found: letter for letter, by the naming rule, or by an alias table."""

FormStatus = Literal["clean", "early_stop", "qa_format_error"]

Status = Literal["clean", "early_stop", "qa_format_error", "matching_error", "failed"]
"""What became of a dialogue: the first three are the doctor's, the last two are nobody's score."""

NOT_THE_DOCTORS: tuple[Status, ...] = ("matching_error", "failed")
"""What became of a dialogue that has no scores though its doctor didn't spoil it."""


class Guideline(Contract):
    """One thing that a history of a disease should bring out."""

    disease: str = Field(description="Disease as the guidelines spell it")
    weight: Weight = Field(description="h counts 2, m counts 1")
    symptom: str = Field(description="The guideline's text")


class BasicInformation(Contract):
    """What the doctor knows before the first question."""

    age: str = Field(default="", description="As written")
    sex: str = Field(default="", description="As written")
    height: str = Field(default="", description="As written; cm where no unit is given")
    weight: str = Field(default="", description="As written; kg where no unit is given")
    department: str = Field(default="", description="Department the patient came to")
    chief_complaint: str = Field(description="First words of the patient")
    duration: str = Field(default="", description="How long it has lasted")
    areas: tuple[str, ...] = Field(default=(), description="Parts of the body")


class ProfileStatement(Contract):
    """One statement of a profile."""

    section: Section = Field(description="Where it stands")
    text: str = Field(description="As written")


class PatientProfile(Contract):
    """A patient to be interviewed. Patient text."""

    pid: str = Field(description="Id of the profile")
    disease: str = Field(description="Disease as the guidelines spell it")
    spelling: str = Field(description="Disease as the profile spells it")
    typicality: str = Field(default="", description="As written")
    basic: BasicInformation = Field(description="What the doctor knows")
    statements: tuple[ProfileStatement, ...] = Field(description="What the patient knows")


class RefusedProfile(Contract):
    """A profile that can't be used."""

    pid: str = Field(description="Id, or #n for the n-th of the file where it has none")
    reason: str = Field(description="Why; names keys and counts, never patient text")


class ProfileChunk(Contract):
    """Some profiles with the guidelines of their language. Patient text."""

    language: Language = Field(description="Of all that follows")
    profiles: tuple[PatientProfile, ...] = Field(description="In the file's order")
    guidelines: tuple[Guideline, ...] = Field(description="Of every disease")


class Turn(Contract):
    """One question and its answer. Patient text."""

    number: int = Field(ge=1, description="From 1")
    reply: str = Field(description="The doctor's reply as it came")
    questions: int = Field(ge=0, description="Questions in the reply")
    question: str = Field(default="", description="The first question; empty where there is none")
    options: tuple[str, ...] = Field(default=(), description="Its options")
    answer: str = Field(default="", description="The patient's; empty where nothing was asked")

    @property
    def is_well_formed(self) -> bool:
        """Exactly one question, with options."""
        return self.questions == 1 and bool(self.options)


class Interview(Contract):
    """A doctor's interview of one patient. Patient text."""

    pid: str = Field(description="Id of the profile")
    disease: str = Field(description="Disease as the guidelines spell it")
    basic: BasicInformation = Field(description="What the doctor was told")
    turns: tuple[Turn, ...] = Field(description="In order")
    ended: str = Field(
        default="", description="Why the doctor said no more: empty reply, refused …"
    )
    failed: str = Field(default="", description="What failed that is not the doctor's; else empty")


class InterviewSet(Contract):
    """Interviews of some profiles by one doctor."""

    doctor: str = Field(description="Name of the doctor")
    language: Language = Field(description="Of the interviews")
    turns: int = Field(ge=1, description="Turns each interview could have")
    interviews: tuple[Interview, ...] = Field(description="In the profiles' order")


class Unit(Contract):
    """One clinical fact of an interview. Patient text."""

    statement: str = Field(description="The fact")
    is_negative: bool = Field(description="Whether it says that something is absent")


class TurnUnits(Contract):
    """The facts of one turn."""

    number: int = Field(ge=1, description="The turn")
    units: tuple[Unit, ...] = Field(default=(), description="Said there first")
    unsupported: int = Field(default=0, description="Left out: about things the turn doesn't say")
    duplicates: int = Field(default=0, description="Left out: said before")
    failed: str = Field(default="", description="Why there are none; empty otherwise")


class OrganizedInterview(Contract):
    """The facts of an interview, by turn."""

    pid: str = Field(description="Id of the profile")
    turns: tuple[TurnUnits, ...] = Field(description="In order")


class OrganizedSet(Contract):
    """The facts of some interviews."""

    interviews: tuple[OrganizedInterview, ...] = Field(description="In the profiles' order")


class Match(Contract):
    """The guideline a fact fulfils."""

    unit: Unit = Field(description="The fact")
    guideline: str | None = Field(description="The guideline's text; null for none")
    is_error: bool = Field(default=False, description="No verbatim reply came, twice")


class TurnMatches(Contract):
    """The guidelines that the facts of one turn fulfil."""

    number: int = Field(ge=1, description="The turn")
    matches: tuple[Match, ...] = Field(default=(), description="A fact each")
    unsupported: int = Field(default=0, description="As in the facts")
    duplicates: int = Field(default=0, description="As in the facts")
    failed: str = Field(default="", description="Why there are none; empty otherwise")


class ComparedInterview(Contract):
    """An interview's facts beside its disease's guidelines."""

    pid: str = Field(description="Id of the profile")
    turns: tuple[TurnMatches, ...] = Field(description="In order")


class ComparedSet(Contract):
    """Some interviews' facts beside the guidelines."""

    interviews: tuple[ComparedInterview, ...] = Field(description="In the profiles' order")


class Diagnosis(Contract):
    """What a diagnostician made of an interview."""

    pid: str = Field(description="Id of the profile")
    diseases: tuple[str, ...] = Field(default=(), description="Likeliest first")
    right: tuple[bool, ...] = Field(default=(), description="Whether each is the disease")
    failed: str = Field(default="", description="Why there is none; empty otherwise")


class DiagnosisSet(Contract):
    """Diagnoses after the first turns of some interviews."""

    turns: int = Field(ge=1, description="Turns that the diagnostician read")
    diagnoses: tuple[Diagnosis, ...] = Field(description="In the profiles' order")


class HistoryScores(Contract):
    """Scores of one interview (spec section 2, step 5)."""

    unweighted: float = Field(description="Units that match a guideline")
    weighted: float = Field(description="The same, 2 for h and 1 for m")
    penalty: float = Field(description="Unweighted, 0.5 for a guideline matched again")
    reward: float = Field(description="Unweighted, 1.5 for a guideline matched again")
    coverage: float = Field(description="Distinct guidelines matched, of the disease's")
    weighted_coverage: float = Field(description="The same, by weight")


class ScoreLine(Contract):
    """One line of scores.jsonl: an interview after its first turns."""

    doctor: str = Field(description="Name of the doctor")
    roles: str = Field(description="Who played every other role")
    language: Language = Field(description="Of the interview")
    turns: int = Field(description="Turns that are scored")
    pid: str = Field(description="Id of the profile")
    disease: str = Field(description="Disease as the guidelines spell it")
    status: Status = Field(description="Only a clean dialogue has scores")
    reason: str = Field(default="", description="Why it failed or ended")
    scores: HistoryScores | None = Field(default=None, description="All units")
    scores_without_negatives: HistoryScores | None = Field(
        default=None, description="Units that say that something is absent left out"
    )
    top_1: bool | None = Field(default=None, description="The first diagnosis is right")
    top_k: bool | None = Field(default=None, description="One of the diagnoses is right")
    questions: int = Field(description="Questions asked")
    malformed_turns: int = Field(description="Turns without exactly one question with options")
    units: int = Field(description="Facts that were compared")
    unsupported: int = Field(description="Facts left out as not said")
    duplicates: int = Field(description="Facts left out as said before")
    matching_errors: int = Field(description="Facts without a verbatim reply")
    leaked_turns: tuple[int, ...] = Field(description="Turns whose answer names the disease")


class ScoreSet(Contract):
    """Scores of some interviews."""

    lines: tuple[ScoreLine, ...] = Field(description="By turns, then in the profiles' order")
