"""What audits read of a release, and what they find (docs/audits.md defines every figure)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.clock import Timestamp
from tasks.contracts.dialogue import ConversationLine, SourcedLine
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

    @classmethod
    def of(cls, bundle: AdmissionBundle, lines: Iterable[SourcedLine]) -> AuditSession:
        """A staged dialogue as its release will show it."""
        return cls(
            hadm_id=bundle.hadm_id,
            admission_start=bundle.admission_start,
            admission_end=bundle.admission_end,
            lines=tuple(line.published() for line in lines),
            bundle=bundle,
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

    @property
    def has_fault(self) -> bool:
        """Whether the audits find anything wrong with the question."""
        return (
            self.supported is False
            or self.missing_turns > 0
            or self.dispensable_turns > 0
            or self.whole_dialogue
            or bool(self.contradicting_turns)
            or bool(self.answered)
        )


class PatientAudit(Contract):
    """Everything audited within one patient."""

    subject_id: str = Field(description="MIMIC patient id")
    turns: tuple[TurnAudit, ...] = Field(description="Turns with a record behind them")
    questions: tuple[QuestionAudit, ...] = Field(description="In the benchmark's order")


class ShareOf(Contract):
    """A share with the count and the n it comes from."""

    count: int = Field(ge=0, description="Items it is true of")
    n: int = Field(ge=0, description="Items looked at")
    share: float | None = Field(description="count / n, four digits; null where n is 0")


class Separability(Contract):
    """How well adversarial questions can be told from answerable ones by their text alone."""

    patients: int = Field(ge=0, description="Patients with a question of this scope")
    adversarial: int = Field(ge=0, description="Adversarial questions")
    answerable: int = Field(ge=0, description="Other questions")
    folds: int = Field(ge=0, description="Folds of the cross-validation; 0 where none was possible")
    auroc: float | None = Field(
        description="Worst out-of-fold area under the ROC curve; null with fewer than 2 patients "
        "or one class only"
    )
    lower: float | None = Field(description="2.5th percentile over resampled patients")
    upper: float | None = Field(description="97.5th percentile over resampled patients")
    by: str = Field(description="The reading that gave the worst figure, as text/classifier")
    readings: dict[str, float] = Field(description="AUROC of each text/classifier")


class TermCount(Contract):
    """A masked word or phrase found in the questions of at least three patients."""

    term: str = Field(description="Words; # stands for a date or a number")
    adversarial: int = Field(ge=0, description="Adversarial questions that hold it")
    answerable: int = Field(ge=0, description="Other questions that hold it")
    patients: int = Field(ge=3, description="Patients whose questions hold it")
    weight: float | None = Field(
        default=None, description="Log-odds of being adversarial by a linear classifier"
    )


class LengthCount(Contract):
    """Questions of one length."""

    words: int = Field(ge=0, description="Words without the opening dates")
    adversarial: int = Field(ge=0, description="Adversarial questions of that length")
    answerable: int = Field(ge=0, description="Other questions of that length")


class AuditWording(Contract):
    """What can be had from the text of the questions alone, without reading a dialogue."""

    overall: Separability = Field(description="All questions")
    scopes: dict[Scope, Separability] = Field(description="Questions of each scope")
    first_words: tuple[TermCount, ...] = Field(description="First words, most frequent first")
    lengths: tuple[LengthCount, ...] = Field(description="By length")
    telling_terms: tuple[TermCount, ...] = Field(description="By weight, adversarial ones first")
    always_abstain: dict[str, ShareOf] = Field(
        description="Right answers of a system that always abstains: overall, adversarial, "
        "answerable"
    )
    guesser: dict[str, ShareOf] = Field(
        description="Right answers of a system that sees the question only and gives the commonest "
        "answer of that form among other patients: by type, and overall with abstention among the "
        "answers"
    )


class FormVariety(Contract):
    """How many forms a kind of text has once what differs by patient is masked."""

    n: int = Field(ge=0, description="Texts")
    distinct: int = Field(ge=0, description="Distinct ones")
    largest: int = Field(ge=0, description="Occurrences of the commonest")
    share: float | None = Field(description="largest / n, four digits; null where n is 0")
    allowed: int = Field(ge=0, description="Occurrences accepted: a share of n, at least 3")
    items: tuple[str, ...] = Field(
        default=(), description="The first qa_ids, or hadm_id:turn, of forms above what is allowed"
    )


class AuditVariety(Contract):
    """How varied questions and turns are, and how much is copied from the notes."""

    questions: dict[QuestionType, FormVariety] = Field(description="Masked forms by type")
    turn_texts: FormVariety = Field(description="Exact texts of turns")
    turn_forms: FormVariety = Field(description="Masked forms of turns")
    recurring: ShareOf = Field(description="Turns whose exact text occurs more than once")
    repeated_in_session: ShareOf = Field(
        description="Turns whose exact text was said before in the same session"
    )
    repeated_items: tuple[str, ...] = Field(description="The first of these, as hadm_id:turn")
    copied: ShareOf = Field(
        description="Turns with 12 or more consecutive words of a note within one clause, or 24 "
        "over several (numbers and units don't count), among turns of sessions that have notes"
    )
    longest_copy: int = Field(ge=0, description="Most consecutive words of a note in one turn")
    copied_items: tuple[str, ...] = Field(description="The first copied turns, as hadm_id:turn")


class AuditDuplicates(Contract):
    """Questions and sessions that say nearly the same."""

    within_patients: ShareOf = Field(
        description="Questions that repeat an earlier one of the same patient"
    )
    within_items: tuple[tuple[str, str], ...] = Field(description="The first pairs of qa_ids")
    across_patients: ShareOf = Field(
        description="Questions asked with the same answer of another patient, dates masked"
    )
    across_items: tuple[tuple[str, str], ...] = Field(description="The first pairs of qa_ids")
    sessions: ShareOf = Field(description="Sessions nearly equal to another one")
    session_items: tuple[tuple[str, str], ...] = Field(description="The first pairs of hadm_ids")
