"""Patients of a release with the texts that audits of wording, variety and duplicates read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tasks.contracts.audit import AuditPatient, AuditSession
from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import ConversationLine
from tasks.contracts.questions import (
    ABSTENTION,
    CitedTurn,
    Evidence,
    Question,
    QuestionType,
    Scope,
)
from tests.factories.charts import make_bundle

START, END = "2150-03-01 10:00:00", "2150-03-04 12:00:00"
NO_ANSWER = "-"
OPENING = "During the hospitalization from 2150-03-01 to 2150-03-04, "


def asked(
    text: str,
    answer: str = "5 mg",
    *,
    scope: Scope = "single_admission",
    kind: QuestionType = QuestionType.CARE_PLAN_RATIONALE,
    turns: Iterable[tuple[str, int]] = (),
    admissions: Sequence[str] = (),
) -> Question:
    """A question without its id; an answer of ``-`` makes it adversarial."""
    cited = tuple(CitedTurn(hadm_id=hadm_id, turn_number=number) for hadm_id, number in turns)
    return Question(
        qa_id="",
        scope=scope,
        question_type=QuestionType.ADVERSARIAL if answer == NO_ANSWER else kind,
        question=text,
        answer=ABSTENTION if answer == NO_ANSWER else answer,
        evidence=Evidence(
            admissions=tuple(admissions) or tuple(dict.fromkeys(one.hadm_id for one in cited)),
            turns=cited,
        ),
    )


def spoken(hadm_id: str, turns: Sequence[str], note: str = "") -> AuditSession:
    """A session whose turns have these texts, Doctor first; with a record only if it has a note."""
    return AuditSession(
        hadm_id=hadm_id,
        admission_start=parse_time(START),
        admission_end=parse_time(END),
        lines=tuple(
            ConversationLine(
                turn_number=number,
                time=parse_time(START),
                speaker="Doctor" if number % 2 else "Patient",
                text=text,
            )
            for number, text in enumerate(turns, start=1)
        ),
        bundle=make_bundle(hadm_id, START, END, note=note) if note else None,
    )


def patient_of(
    subject_id: str, questions: Sequence[Question] = (), sessions: Sequence[AuditSession] = ()
) -> AuditPatient:
    """A patient; questions are numbered in the order given."""
    return AuditPatient(
        subject_id=subject_id,
        sessions=tuple(sessions),
        questions=tuple(
            one.model_copy(update={"qa_id": f"{subject_id}_q{number:02}"})
            for number, one in enumerate(questions, start=1)
        ),
    )
