"""Rules of a whole reply: how many questions of which type, their ids, and none twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tasks.contracts.questions import PatientChart, Question, QuestionType
from tasks.qa.cross_questions import wanted_counts
from tasks.terminology.normalization import normalize_question


def admission_set_violations(
    questions: Sequence[Question], chart: PatientChart, hadm_id: str
) -> tuple[str, ...]:
    """What one admission's three questions break as a set; empty for a sound set."""
    wanted = {
        QuestionType.MEDICAL_REASONING: 1,
        QuestionType.CARE_PLAN_RATIONALE: 1,
        QuestionType.ADVERSARIAL: 1,
    }
    stem = f"{chart.subject_id}_{hadm_id}"
    return (*_ids(questions, stem), *_counts(questions, wanted), *_repeats(questions))


def cross_set_violations(
    questions: Sequence[Question], chart: PatientChart, substitutions: Mapping[str, int]
) -> tuple[str, ...]:
    """What a patient's cross-admission questions break as a set.

    Types that ``substitutions`` names may fall short by so many, the others make up for it.
    """
    count = len(chart.admissions)
    wanted = {**wanted_counts(count), QuestionType.ADVERSARIAL: count}
    broken = [*_ids(questions, f"{chart.subject_id}_cross"), *_repeats(questions)]
    if len(questions) != 3 * count:
        broken.append(f"set: {len(questions)} questions, expected {3 * count}")
    if not substitutions:
        broken += _counts(questions, wanted)
        return tuple(broken)
    found = Counter(question.question_type for question in questions)
    for kind, expected in wanted.items():
        least = expected - substitutions.get(kind, 0)
        if found[kind] < least:
            broken.append(f"set: {found[kind]} questions of type {kind}, expected {least} or more")
    return tuple(broken)


def _ids(questions: Sequence[Question], stem: str) -> Iterator[str]:
    for number, question in enumerate(questions, start=1):
        if question.qa_id != f"{stem}_q{number:02d}":
            yield f"{question.qa_id}: expected the id {stem}_q{number:02d}"


def _counts(questions: Sequence[Question], wanted: Mapping[QuestionType, int]) -> Iterator[str]:
    found = Counter(question.question_type for question in questions)
    for kind in QuestionType:
        expected = wanted.get(kind, 0)
        if found[kind] != expected:
            yield f"set: {found[kind]} questions of type {kind}, expected {expected}"


def _repeats(questions: Sequence[Question]) -> Iterator[str]:
    first: dict[str, str] = {}
    for question in questions:
        earlier = first.setdefault(normalize_question(question.question), question.qa_id)
        if earlier != question.qa_id:
            yield f"{question.qa_id}: repeats the question of {earlier}"
