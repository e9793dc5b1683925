"""``audit.json``: every figure of a release's audits, with ids and without text."""

from __future__ import annotations

from pydantic import Field

from tasks.contracts.audit import (
    AuditDuplicates,
    AuditName,
    AuditVariety,
    AuditWording,
    ClaimKind,
    ShareOf,
)
from tasks.contracts.base import Contract
from tasks.contracts.questions import QuestionType, Scope


class ClaimFigures(Contract):
    """How many claims of one kind the turns make, and how many the record doesn't."""

    kind: ClaimKind = Field(description="What sort of statement it is")
    claims: int = Field(ge=0, description="Claims that were checked")
    unsupported: int = Field(ge=0, description="Claims that record and previous summary lack")


class AuditGrounding(Contract):
    """Whether what is said stands in the record."""

    turns: ShareOf = Field(description="Turns whose record the release holds, of all turns")
    unsupported_turns: ShareOf = Field(description="Turns with an unsupported claim")
    claims: tuple[ClaimFigures, ...] = Field(description="By kind")


class SupportFigures(Contract):
    """Support of one scope and type."""

    scope: Scope = Field(description="Within one admission or across several")
    question_type: QuestionType = Field(description="One of the published types")
    supported: ShareOf = Field(description="Questions whose answer follows from what is cited")
    minimal: ShareOf = Field(description="Of those that cite turns, questions that need them all")
    mean_cited_turns: float | None = Field(description="Cited turns of a question")
    contradicted: int = Field(ge=0, description="Questions that an uncited turn contradicts")
    whole_dialogue: int = Field(ge=0, description="Questions whose citation is no citation")
    missing_turns: int = Field(ge=0, description="Cited turns that don't exist")


class AuditSupport(Contract):
    """Whether answers follow from their citations."""

    overall: ShareOf = Field(description="Answerable questions that are supported")
    mean_cited_turns: float | None = Field(description="Cited turns of an answerable question")
    types: tuple[SupportFigures, ...] = Field(description="Answerable ones, by scope and type")


class AuditAnswerability(Contract):
    """Whether adversarial questions have an answer after all."""

    answered: ShareOf = Field(description="Adversarial questions whose target is mentioned")
    by_scope: dict[Scope, ShareOf] = Field(description="The same within each scope")


class AuditTexts(Contract):
    """The audits that compare texts across the whole release."""

    wording: AuditWording = Field(description="What the text of questions betrays")
    variety: AuditVariety = Field(description="Forms, repetitions and copies")
    duplicates: AuditDuplicates = Field(description="Questions and sessions that are alike")


class AuditSizes(Contract):
    """How much a release has of what is audited."""

    sessions: int = Field(ge=0, description="Admissions with a dialogue")
    turns: dict[str, int] = Field(description="Turns by patient")
    questions: int = Field(ge=0, description="Questions")


class AuditReport(Contract):
    """What the audits found in a release; docs/audits.md defines every figure."""

    patients: int = Field(ge=0, description="Patients")
    sessions: int = Field(ge=0, description="Admissions with a dialogue")
    turns: int = Field(ge=0, description="Turns")
    questions: int = Field(ge=0, description="Questions")
    passed: dict[AuditName, bool] = Field(description="Whether each audit's bounds are met")
    grounding: AuditGrounding = Field(description="Statements against the record")
    support: AuditSupport = Field(description="Answers against their citations")
    answerability: AuditAnswerability = Field(description="Adversarial questions")
    wording: AuditWording = Field(description="What the text of questions betrays")
    variety: AuditVariety = Field(description="Forms, repetitions and copies")
    duplicates: AuditDuplicates = Field(description="Questions and sessions that are alike")
