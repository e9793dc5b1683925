"""Counts of an admission's and of a patient's questions, as the questions gate judges them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.questions import QuestionSet, QuestionType
from tasks.contracts.release import PatientQuestions

SINGLE_TYPES = (
    QuestionType.MEDICAL_REASONING,
    QuestionType.CARE_PLAN_RATIONALE,
    QuestionType.ADVERSARIAL,
)
CROSS_TYPES = (
    QuestionType.ADVERSARIAL,
    QuestionType.LONGITUDINAL_PROGRESSION,
    QuestionType.CROSS_ADMISSION_COMPARISON,
    QuestionType.FREQUENCY_PATTERN,
)


@dataclass(frozen=True, slots=True)
class AdmissionRow:
    """One admission's questions; ``id`` is the hadm_id."""

    id: str
    subject_id: str
    questions: int
    medical_reasoning: int
    care_plan_rationale: int
    adversarial: int
    types_out_of_order: bool


@dataclass(frozen=True, slots=True)
class PatientRow:
    """One patient's questions; ``id`` is the subject_id."""

    id: str
    admissions: int
    admissions_without_questions: int
    cross_questions_off: int
    cross_types_off: int
    cross_types_scattered: bool
    benchmark_differs: bool
    benchmark_out_of_order: bool


def admission_row(subject_id: str, hadm_id: str, asked: QuestionSet) -> AdmissionRow:
    """Count one admission's questions by type."""
    types = Counter(item.question_type for item in asked.qas)
    return AdmissionRow(
        id=hadm_id,
        subject_id=subject_id,
        questions=len(asked.qas),
        medical_reasoning=types[QuestionType.MEDICAL_REASONING],
        care_plan_rationale=types[QuestionType.CARE_PLAN_RATIONALE],
        adversarial=types[QuestionType.ADVERSARIAL],
        types_out_of_order=_out_of_order(asked),
    )


def patient_row(dialogues: Sequence[AdmissionDialogue], questions: PatientQuestions) -> PatientRow:
    """Count a patient's cross-admission questions and compare the benchmark with its parts."""
    n = len(dialogues)
    wanted = dict(zip(CROSS_TYPES, (n, n, (n + 1) // 2, n // 2), strict=True))
    found = Counter(item.question_type for item in questions.cross.qas)
    short = {one: max(0, wanted[one] - found[one]) for one in CROSS_TYPES}
    stated = questions.substitutions
    filed = [item for one in (*questions.admissions.values(), questions.cross) for item in one.qas]
    shuffled = list(filed)
    random.Random(questions.subject_id).shuffle(shuffled)
    published = questions.benchmark.qas
    return PatientRow(
        id=questions.subject_id,
        admissions=n,
        admissions_without_questions=len(
            {one.bundle.hadm_id for one in dialogues} ^ set(questions.admissions)
        ),
        cross_questions_off=len(questions.cross.qas) - 3 * n,
        # Fillers are stated too, under their own type: more may be stated than is short.
        cross_types_off=sum(short[one] > stated.get(one.value, 0) for one in CROSS_TYPES),
        cross_types_scattered=_scattered(questions.cross),
        benchmark_differs=sorted(one.model_dump_json() for one in published)
        != sorted(one.model_dump_json() for one in filed),
        benchmark_out_of_order=[one.qa_id for one in published] != [one.qa_id for one in shuffled],
    )


def _out_of_order(asked: QuestionSet) -> bool:
    """A type that doesn't belong to an admission is left to the counts."""
    types = [item.question_type for item in asked.qas]
    places = [SINGLE_TYPES.index(one) for one in types if one in SINGLE_TYPES]
    return places != sorted(places)


def _scattered(asked: QuestionSet) -> bool:
    """Questions of one type don't all stand together."""
    types = [item.question_type for item in asked.qas]
    return len([kind for kind, _ in groupby(types)]) != len(set(types))
