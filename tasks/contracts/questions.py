"""Questions with cited evidence, and what they are drawn from (spec section 7)."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import AdmissionBundle, Fact

ABSTENTION = "the question is not answerable"
"""The only gold answer of an adversarial question."""

Scope = Literal["single_admission", "cross_admission"]

_AS_PLANNED = "qa_ids in the words of the rules, as those of the language model were no good"
_PLANNED = "qa_ids about one stay worked out by rules, as the language model's own were no good"


class QuestionType(StrEnum):
    """The published question types."""

    MEDICAL_REASONING = "medical_reasoning"
    CARE_PLAN_RATIONALE = "care_plan_rationale"
    ADVERSARIAL = "adversarial"
    LONGITUDINAL_PROGRESSION = "longitudinal_progression"
    CROSS_ADMISSION_COMPARISON = "cross_admission_comparison"
    FREQUENCY_PATTERN = "frequency_pattern"


class CitedTurn(Contract):
    """A turn of one admission's dialogue."""

    hadm_id: str = Field(description="MIMIC admission id")
    turn_number: int = Field(ge=1, description="Turn of that admission's dialogue")


class Evidence(Contract):
    """The smallest sufficient set of turns an answer follows from.

    Single-admission questions fill ``admissions`` with their one admission, ``turn_ids`` with the
    cited turns and ``turns`` with the same turns; cross-admission ones fill ``turns`` (covering
    exactly ``admissions``, in time order) and leave ``turn_ids`` out of the file.
    """

    admissions: tuple[str, ...] = Field(description="hadm_ids in time order")
    turn_ids: tuple[int, ...] | None = Field(
        default=None, description="Cited turns of the one admission, sorted; null across admissions"
    )
    turns: tuple[CitedTurn, ...] = Field(description="Cited turns, in time order")


class Question(Contract):
    """A released question."""

    qa_id: str = Field(description="{subject}_{hadm}_q01 or {subject}_cross_q01")
    scope: Scope = Field(description="Within one admission or across several")
    question_type: QuestionType = Field(description="One of the published types")
    question: str = Field(min_length=1, description="Third person, no identifiers")
    answer: str = Field(min_length=1, description="At most 10 words")
    evidence: Evidence = Field(description="What the answer follows from")


class QuestionSet(Contract):
    """``qa.json``, ``cross_admission_qa.json`` and ``benchmark_qa.json``."""

    qas: tuple[Question, ...] = Field(description="The questions")


class TargetCount(Contract):
    """How common a target of questions is in the cohort, in admissions of whole patients."""

    kind: str = Field(description="Family of question forms that ask about it")
    label: str = Field(description="The target as a question would name it")
    having: int = Field(ge=1, description="Stays, or patients' admissions, asked about it")
    lacking: int = Field(ge=0, description="Stays, or patients' admissions, that surely lack it")


class AnswerShare(Contract):
    """How often a family of forms has one answer: what can be guessed is asked rarely."""

    kind: str = Field(description="Family of question forms")
    answer: str = Field(description="An answer that several patients could be asked for")
    share: float = Field(gt=0, le=1, description="Share of what the family could be asked about")


class Lexicon(Contract):
    """Targets of the whole cohort, from which absent ones are drawn by frequency."""

    admissions: int = Field(ge=0, description="Admissions of the cohort that have a dialogue")
    targets: tuple[TargetCount, ...] = Field(description="By kind, then label")
    answers: tuple[AnswerShare, ...] = Field(default=(), description="By kind, then answer")


class ChartAdmission(Contract):
    """One admission as question writing sees it: record, facts and dialogue."""

    bundle: AdmissionBundle = Field(description="The source rows, to prove a target absent")
    facts: tuple[Fact, ...] = Field(description="Facts of the record")
    lines: tuple[SourcedLine, ...] = Field(
        description="The dialogue with the facts each turn states"
    )


class PatientChart(Contract):
    """All admissions of a patient that have a dialogue, in time order."""

    subject_id: str = Field(description="MIMIC patient id")
    admissions: tuple[ChartAdmission, ...] = Field(description="By (admission_start, hadm_id)")


class AdmissionQuestionsInput(Contract):
    """What a provider is given to write one admission's questions."""

    chart: PatientChart = Field(description="The whole patient, to prove targets absent")
    hadm_id: str = Field(description="The admission asked about")
    lexicon: Lexicon = Field(description="Targets of the cohort")
    refused: tuple[str, ...] = Field(
        default=(), description="Normalized questions that an audit doubted; none is asked again"
    )


class CrossQuestionsInput(Contract):
    """What a provider is given to write a patient's cross-admission questions."""

    chart: PatientChart = Field(description="The whole patient")
    lexicon: Lexicon = Field(description="Targets of the cohort")
    refused: tuple[str, ...] = Field(
        default=(), description="Normalized questions that an audit doubted; none is asked again"
    )


class AdmissionQuestionsReply(Contract):
    """One admission's three questions."""

    qas: tuple[Question, ...] = Field(description="Medical reasoning, care plan, adversarial")
    substitutions: dict[str, int] = Field(
        default_factory=dict,
        description="Questions of a type that the record lacked, filled with dates of the stay",
    )
    planned: tuple[str, ...] = Field(default=(), description=_PLANNED)
    as_planned: tuple[str, ...] = Field(default=(), description=_AS_PLANNED)


class CrossQuestionsReply(Contract):
    """A patient's cross-admission questions."""

    qas: tuple[Question, ...] = Field(description="3n questions for n admissions")
    substitutions: dict[str, int] = Field(
        default_factory=dict,
        description="Questions of a type that the record lacked, filled from another or with dates",
    )
    as_planned: tuple[str, ...] = Field(default=(), description=_AS_PLANNED)
