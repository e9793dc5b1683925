"""A patient's whole benchmark: all questions in a fixed, shuffled order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import (
    AdmissionQuestionsReply,
    CrossQuestionsReply,
    Question,
    QuestionSet,
)
from tasks.contracts.release import PatientQuestions
from tasks.qa.doubts import Asked
from tasks.terminology.normalization import normalize_question


def questions_of(subject_id: str, asked: Asked) -> PatientQuestions:
    """A patient's questions, file by file; raises ItemFailed for repeated ones."""
    sets = {hadm_id: QuestionSet(qas=reply.qas) for hadm_id, reply in asked.single.items()}
    cross = QuestionSet(qas=asked.cross.qas)
    replies = (*asked.single.values(), asked.cross)
    return PatientQuestions(
        subject_id=subject_id,
        admissions=sets,
        cross=cross,
        benchmark=assemble_benchmark(subject_id, list(sets.values()), cross),
        substitutions=total_substitutions(replies),
        planned=tuple(qa_id for reply in asked.single.values() for qa_id in reply.planned),
        as_planned=tuple(qa_id for reply in replies for qa_id in reply.as_planned),
    )


def assemble_benchmark(
    subject_id: str, per_admission: Sequence[QuestionSet], cross: QuestionSet
) -> QuestionSet:
    """Join admissions in time order and the cross questions; shuffle seeded with the subject id.

    Raises ItemFailed for two questions with one id or with one wording after normalization.
    """
    questions = [question for asked in (*per_admission, cross) for question in asked.qas]
    seen: dict[str, Question] = {}
    for question in questions:
        for key in (question.qa_id, normalize_question(question.question)):
            if key in seen:
                raise ItemFailed(
                    f"patient {subject_id}: {question.qa_id} repeats {seen[key].qa_id}"
                )
            seen[key] = question
    random.Random(subject_id).shuffle(questions)
    return QuestionSet(qas=tuple(questions))


def total_substitutions(
    replies: Sequence[AdmissionQuestionsReply | CrossQuestionsReply],
) -> dict[str, int]:
    """How many questions of each type were filled, over all of a patient's replies."""
    total: Counter[str] = Counter()
    for reply in replies:
        total.update(reply.substitutions)
    return {kind: total[kind] for kind in sorted(total) if total[kind]}
