"""The audits gate's tables: what the audits found, a table or more an audit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from tasks.contracts.audit import (
    AuditDuplicates,
    AuditVariety,
    AuditWording,
    ClaimKind,
    FormVariety,
    PatientAudit,
    Separability,
    ShareOf,
    TurnAudit,
)
from tasks.gates.tables.rows import table

_SOME_PATIENTS = 20
"""Below this many the cohort knows too few absent things to ask about: wording isn't judged."""

_MANY_PATIENTS = 30
"""From here on chance alone hardly lifts an AUROC above its bound."""

_DEVIATES = 1.96
_FEW_QUESTIONS = 3
_FEW_TURNS = 10
"""A form or text may occur this often whatever share of a small release that is."""

_FEW_PATIENTS = 10
"""Below this many patients one of them moves every figure: what compares patients isn't judged."""


@dataclass(frozen=True, slots=True)
class GroundingRow:
    """One turn; ``id`` is ``HADM_ID#TURN``."""

    id: str
    unsupported_numbers: int
    unsupported_dates: int
    unsupported_drugs: int
    unsupported_diagnoses: int
    unsupported_procedures: int
    unsupported_organisms: int
    unsupported_laterality: int
    unsupported_negations: int


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """One patient; ``id`` is the subject_id."""

    id: str
    turns_without_record: int


@dataclass(frozen=True, slots=True)
class SupportRow:
    """One answerable question; ``id`` is its qa_id."""

    id: str
    supported: bool
    missing_turns: int
    dispensable_turns: int
    whole_dialogue: bool
    contradicting_turns: int


@dataclass(frozen=True, slots=True)
class CitationRow:
    """The answerable questions that cite turns, as a whole; ``id`` is ``release``."""

    id: str
    mean_cited_turns: float


@dataclass(frozen=True, slots=True)
class AnswerabilityRow:
    """One adversarial question; ``id`` is its qa_id."""

    id: str
    places_with_an_answer: int


@dataclass(frozen=True, slots=True)
class WordingRow:
    """Questions of one scope, or all; ``id`` is the scope or ``overall``.

    ``auroc`` is the figure itself from thirty patients on, below that the lower end of its 95 %
    interval, and 0 where nothing can be judged.
    """

    id: str
    auroc: float


@dataclass(frozen=True, slots=True)
class VarietyRow:
    """One kind of text; ``id`` names it.

    A share is that of the commonest text or form, at the lower end of its 95 % interval; it is 0
    for a form of questions that occurs three times at most and for a text or form of turns that
    occurs ten times at most.
    """

    id: str
    question_form_share: float
    turn_text_share: float
    turn_form_share: float
    repeated_share: float
    copied_share: float
    longest_copied_words: int


@dataclass(frozen=True, slots=True)
class DuplicateRow:
    """Questions within or across patients, or sessions; ``id`` says which."""

    id: str
    duplicates_within: int
    share_across: float
    like_sessions: int


def audit_tables(
    patients: Sequence[PatientAudit],
    turns: dict[str, int],
    wording: AuditWording,
    variety: AuditVariety,
    duplicates: AuditDuplicates,
) -> dict[str, pl.DataFrame]:
    """The tables of the audits gate; ``turns`` is how many each patient has."""
    return {
        "audits_grounding": table(
            (_grounding_row(turn) for one in patients for turn in one.turns), GroundingRow
        ),
        "audits_grounding_coverage": table(
            (
                CoverageRow(one.subject_id, turns[one.subject_id] - len(one.turns))
                for one in patients
            ),
            CoverageRow,
        ),
        "audits_support": table(_support_rows(patients), SupportRow),
        "audits_support_citations": table(_citation_rows(patients), CitationRow),
        "audits_answerability": table(_answerability_rows(patients), AnswerabilityRow),
        "audits_wording": table(_wording_rows(wording), WordingRow),
        "audits_variety": table(_variety_rows(variety), VarietyRow),
        "audits_duplicates": table(_duplicate_rows(duplicates, len(patients)), DuplicateRow),
    }


def _grounding_row(turn: TurnAudit) -> GroundingRow:
    counts: Counter[ClaimKind] = Counter(claim.kind for claim in turn.unsupported)
    return GroundingRow(
        id=f"{turn.hadm_id}#{turn.turn_number}",
        unsupported_numbers=counts["number"],
        unsupported_dates=counts["date"],
        unsupported_drugs=counts["drug"],
        unsupported_diagnoses=counts["diagnosis"],
        unsupported_procedures=counts["procedure"],
        unsupported_organisms=counts["organism"],
        unsupported_laterality=counts["laterality"],
        unsupported_negations=counts["negation"],
    )


def _support_rows(patients: Iterable[PatientAudit]) -> Iterator[SupportRow]:
    for patient in patients:
        for question in patient.questions:
            if question.supported is not None:
                yield SupportRow(
                    id=question.qa_id,
                    supported=question.supported,
                    missing_turns=question.missing_turns,
                    dispensable_turns=question.dispensable_turns,
                    whole_dialogue=question.whole_dialogue,
                    contradicting_turns=len(question.contradicting_turns),
                )


def _citation_rows(patients: Iterable[PatientAudit]) -> Iterator[CitationRow]:
    cited = [
        question.cited_turns
        for patient in patients
        for question in patient.questions
        if question.supported is not None and question.cited_turns
    ]
    yield CitationRow("release", sum(cited) / len(cited) if cited else 0.0)


def _answerability_rows(patients: Iterable[PatientAudit]) -> Iterator[AnswerabilityRow]:
    for patient in patients:
        for question in patient.questions:
            if question.supported is None:
                yield AnswerabilityRow(question.qa_id, len(question.answered))


def _wording_rows(wording: AuditWording) -> Iterator[WordingRow]:
    yield WordingRow("overall", _judged(wording.overall))
    for scope, figures in wording.scopes.items():
        yield WordingRow(scope, _judged(figures))


def _judged(figures: Separability) -> float:
    if figures.auroc is None or figures.lower is None or figures.patients < _SOME_PATIENTS:
        return 0.0
    return figures.auroc if figures.patients >= _MANY_PATIENTS else figures.lower


def _variety_rows(variety: AuditVariety) -> Iterator[VarietyRow]:
    for question_type, forms in variety.questions.items():
        yield VarietyRow(
            f"{question_type} questions", _share(forms, _FEW_QUESTIONS), 0.0, 0.0, 0.0, 0.0, 0
        )
    yield VarietyRow(
        id="turns",
        question_form_share=0.0,
        turn_text_share=_share(variety.turn_texts, _FEW_TURNS),
        turn_form_share=_share(variety.turn_forms, _FEW_TURNS),
        repeated_share=variety.repeated_in_session.share or 0.0,
        copied_share=_beyond_few(variety.copied),
        longest_copied_words=variety.longest_copy,
    )


def _share(forms: FormVariety, few: int) -> float:
    return _surely(forms.largest, forms.n) if forms.largest > few else 0.0


def _surely(count: int, n: int) -> float:
    """Lower end of Wilson's 95 % interval of a share: in a small release chance lifts it."""
    share, square = count / n, _DEVIATES**2
    middle = share + square / (2 * n)
    width = _DEVIATES * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    return (middle - width) / (1 + square / n)


def _duplicate_rows(duplicates: AuditDuplicates, patients: int) -> Iterator[DuplicateRow]:
    across: ShareOf = duplicates.across_patients
    yield DuplicateRow("within patients", duplicates.within_patients.count, 0.0, 0)
    judged = _beyond_few(across) if patients >= _FEW_PATIENTS else 0.0
    yield DuplicateRow("across patients", 0, judged, 0)
    yield DuplicateRow("sessions", 0, 0.0, duplicates.sessions.count)


def _beyond_few(found: ShareOf) -> float:
    return (found.share or 0.0) if found.count > _FEW_QUESTIONS else 0.0
