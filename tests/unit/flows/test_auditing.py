from __future__ import annotations

from flows.auditing import faults_of
from tasks.contracts.audit import Claim, PatientAudit, QuestionAudit, TurnAudit
from tasks.contracts.questions import QuestionType


def turn(number: int, *claims: Claim) -> TurnAudit:
    return TurnAudit(hadm_id="80000001", turn_number=number, claims={}, unsupported=claims)


def question(number: int, *, supported: bool) -> QuestionAudit:
    return QuestionAudit(
        qa_id=f"90000001_cross_q{number:02d}",
        scope="cross_admission",
        question_type=QuestionType.FREQUENCY_PATTERN,
        cited_turns=2,
        supported=supported,
    )


def test_a_patients_faults_are_named_by_id_and_never_by_their_words() -> None:
    audit = PatientAudit(
        subject_id="90000001",
        turns=(turn(1), turn(2, Claim(kind="drug", text="warfarin"))),
        questions=(question(1, supported=True), question(2, supported=False)),
    )
    assert faults_of(audit) == ["80000001#2", "90000001_cross_q02"]


def test_a_sound_patient_has_none() -> None:
    audit = PatientAudit(
        subject_id="90000001", turns=(turn(1),), questions=(question(1, supported=True),)
    )
    assert faults_of(audit) == []
