"""What audits read of a release, and what they find (docs/audits.md defines every figure)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.clock import Timestamp
from tasks.contracts.dialogue import ConversationLine
from tasks.contracts.questions import Question, QuestionType, Scope
from tasks.contracts.records import AdmissionBundle

AuditName = Literal["grounding", "support", "answerability", "wording", "variety", "duplicates"]

ClaimKind = Literal[
    "number",
    "date",
    "drug",
    "diagnosis",
    "procedure",
    "organism",
    "laterality",
    "negation",
]
"""What a turn can say that its record has to say too."""


class AuditSession(Contract):
    """One admission as an audit sees it: the published turns, and the record behind them."""

    hadm_id: str = Field(description="MIMIC admission id")
    admission_start: Timestamp = Field(description="Start of the stay")
    admission_end: Timestamp = Field(description="End of the stay")
    lines: tuple[ConversationLine, ...] = Field(description="The published turns in order")
    bundle: AdmissionBundle | None = Field(
        description="formed_packet.json with the previous summary; null where a release has none"
    )


class AuditPatient(Contract):
    """One patient of any release in the MedLoCoMo layout."""

    subject_id: str = Field(description="MIMIC patient id")
    sessions: tuple[AuditSession, ...] = Field(description="By (admission_start, hadm_id)")
    questions: tuple[Question, ...] = Field(
        description="benchmark_qa.json; evidence.turns is empty where a release cites none"
    )


class Claim(Contract):
    """Something a turn states. ``text`` is patient text: never log it or put it in an artifact."""

    kind: ClaimKind = Field(description="What sort of statement it is")
    text: str = Field(description="The words of the turn")


class TurnAudit(Contract):
    """What the grounding audit saw in one turn."""

    hadm_id: str = Field(description="MIMIC admission id")
    turn_number: int = Field(description="The turn")
    claims: dict[ClaimKind, int] = Field(description="Claims of each kind that were checked")
    unsupported: tuple[Claim, ...] = Field(
        description="Claims that neither the bundle nor the previous summary makes"
    )


class QuestionAudit(Contract):
    """What the support and answerability audits saw in one question."""

    qa_id: str = Field(description="The question's id")
    scope: Scope = Field(description="Within one admission or across several")
    question_type: QuestionType = Field(description="One of the published types")
    cited_turns: int = Field(description="Turns cited; 0 where the release cites admissions only")
    missing_turns: int = Field(default=0, description="Cited turns that don't exist")
    whole_dialogue: bool = Field(
        default=False, description="The citation is so wide that it cites nothing in particular"
    )
    supported: bool | None = Field(
        default=None,
        description="The answer follows from what is cited alone; null for adversarial questions",
    )
    dispensable_turns: int = Field(
        default=0, description="Cited turns that can be dropped without losing the answer"
    )
    contradicting_turns: tuple[str, ...] = Field(
        default=(),
        description="Uncited turns, as hadm_id:turn, that give another answer to the question",
    )
    answered: tuple[str, ...] = Field(
        default=(),
        description="Adversarial: where the target is mentioned after all, as hadm_id:turn or "
        "hadm_id:record",
    )


class PatientAudit(Contract):
    """Everything audited within one patient."""

    subject_id: str = Field(description="MIMIC patient id")
    turns: tuple[TurnAudit, ...] = Field(description="Turns with a record behind them")
    questions: tuple[QuestionAudit, ...] = Field(description="In the benchmark's order")


class AuditRate(Contract):
    """A share of items, or another figure with its n."""

    name: str = Field(description="What it says, for example unsupported drugs")
    value: float | None = Field(description="The figure; null where nothing could be judged")
    n: int = Field(ge=0, description="Items it was taken over")
