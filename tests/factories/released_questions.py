"""Questions about the patients of a release, each with its evidence."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tasks.contracts.clock import format_date
from tasks.contracts.questions import (
    ABSTENTION,
    CitedTurn,
    Evidence,
    Question,
    QuestionSet,
    QuestionType,
    Scope,
)
from tasks.contracts.records import AdmissionBundle
from tasks.contracts.release import PatientQuestions
from tests.factories.released_patients import (
    SUBJECTS,
    patient_dialogues,
)


def question(
    qa_id: str,
    kind: QuestionType,
    text: str,
    answer: str,
    cited: Sequence[tuple[str, int]],
    scope: Scope = "cross_admission",
) -> Question:
    numbers = tuple(number for _, number in cited)
    return Question(
        qa_id=qa_id,
        scope=scope,
        question_type=kind,
        question=text,
        answer=answer,
        evidence=Evidence(
            admissions=tuple(dict.fromkeys(hadm_id for hadm_id, _ in cited)),
            turn_ids=numbers if scope == "single_admission" else None,
            turns=tuple(CitedTurn(hadm_id=one, turn_number=number) for one, number in cited),
        ),
    )


def admission_questions(
    admission: AdmissionBundle, asked: Sequence[tuple[QuestionType, str, str, int]]
) -> QuestionSet:
    first, last = format_date(admission.admission_start), format_date(admission.admission_end)
    days = f"on {first}" if first == last else f"from {first} to {last}"
    return QuestionSet(
        qas=tuple(
            question(
                f"{admission.subject_id}_{admission.hadm_id}_q{number:02d}",
                kind,
                f"During the hospitalization {days}, {text}",
                answer,
                [(admission.hadm_id, turn)],
                scope="single_admission",
            )
            for number, (kind, text, answer, turn) in enumerate(asked, start=1)
        )
    )


def patient_questions(subject_id: str = SUBJECTS[0]) -> PatientQuestions:
    first, second = (one.bundle for one in patient_dialogues(subject_id))
    one, other = first.hadm_id, second.hadm_id
    admissions = {
        one: admission_questions(
            first,
            [
                (QuestionType.MEDICAL_REASONING, "what was the creatinine?", "1.9", 5),
                (
                    QuestionType.CARE_PLAN_RATIONALE,
                    "why was furosemide increased?",
                    "volume overload",
                    3,
                ),
                (QuestionType.ADVERSARIAL, "why was warfarin increased?", ABSTENTION, 3),
            ],
        ),
        other: admission_questions(
            second,
            [
                (QuestionType.MEDICAL_REASONING, "what was the creatinine?", "1.4", 5),
                (
                    QuestionType.CARE_PLAN_RATIONALE,
                    "why was lisinopril stopped?",
                    "a dry cough",
                    7,
                ),
                (QuestionType.ADVERSARIAL, "why was digoxin stopped?", ABSTENTION, 7),
            ],
        ),
    }
    stays = "between the hospitalizations that began on 2150-06-01 and 2150-09-01"
    kinds = QuestionType
    asked = (
        (kinds.ADVERSARIAL, f"How did the dose of warfarin change {stays}?", ABSTENTION, 3),
        (kinds.ADVERSARIAL, f"How did the dose of digoxin change {stays}?", ABSTENTION, 3),
        (
            kinds.LONGITUDINAL_PROGRESSION,
            f"How did the dose of furosemide change {stays}?",
            "80 mg to 120 mg",
            3,
        ),
        (kinds.LONGITUDINAL_PROGRESSION, f"How many days passed {stays}?", "92 days", 1),
        (
            kinds.CROSS_ADMISSION_COMPARISON,
            "Which stay had the higher creatinine, that of 2150-06-01 or of 2150-09-01?",
            "2150-06-01",
            5,
        ),
        (
            kinds.FREQUENCY_PATTERN,
            "In how many of the two hospitalizations was furosemide increased?",
            "2 hospitalizations",
            3,
        ),
    )
    cross = QuestionSet(
        qas=tuple(
            question(
                f"{subject_id}_cross_q{number:02d}",
                kind,
                text,
                answer,
                [(one, turn), (other, turn)],
            )
            for number, (kind, text, answer, turn) in enumerate(asked, start=1)
        )
    )
    return PatientQuestions(
        subject_id=subject_id,
        admissions=admissions,
        cross=cross,
        benchmark=shuffled(subject_id, admissions, cross),
    )


def shuffled(
    subject_id: str, admissions: dict[str, QuestionSet], cross: QuestionSet
) -> QuestionSet:
    qas = [item for one in (*admissions.values(), cross) for item in one.qas]
    random.Random(subject_id).shuffle(qas)
    return QuestionSet(qas=tuple(qas))
