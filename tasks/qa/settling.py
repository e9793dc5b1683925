"""Asks otherwise where the audits doubt that a question is supported, or unanswerable."""

from __future__ import annotations

from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    CrossQuestionsInput,
    Lexicon,
    PatientChart,
    Question,
)
from tasks.qa.doubts import Asked, doubted_questions
from tasks.qa.generated.settling import settle_worded
from tasks.qa.stays import patient_stays
from tasks.qa.writing import ask_admission_questions, ask_cross_questions
from tasks.terminology.normalization import normalize_question

MAXIMUM_REWRITES = 8


def settle(asked: Asked, chart: PatientChart, lexicon: Lexicon, model: ChatModel) -> Asked:
    """The questions, those that an audit doubts asked otherwise; the sets without one unchanged.

    What was refused is never asked again. Raises ItemFailed where doubts are left in the end.
    """
    if model.provider != "programmatic":
        return settle_worded(asked, chart, lexicon, model)
    refused: set[str] = set()
    doubted = doubted_questions(asked.questions(), chart)
    for _ in range(MAXIMUM_REWRITES):
        if not doubted:
            break
        refused.update(normalize_question(question.question) for question in doubted)
        asked = _asked_again(asked, doubted, tuple(sorted(refused)), chart, lexicon, model)
        doubted = doubted_questions(asked.questions(), chart)
    if doubted:
        raise ItemFailed(
            f"patient {chart.subject_id}: the audits doubt {len(doubted)} questions, however they "
            f"are asked: {', '.join(question.qa_id for question in doubted[:3])}"
        )
    return asked


def _asked_again(
    asked: Asked,
    doubted: list[Question],
    refused: tuple[str, ...],
    chart: PatientChart,
    lexicon: Lexicon,
    model: ChatModel,
) -> Asked:
    """The sets with a doubted question are written anew."""
    ids = {question.qa_id for question in doubted}
    single = dict(asked.single)
    stays = patient_stays(chart)
    for hadm_id in asked.single:
        stay = stays.stays[stays.position_of(hadm_id)]
        # Stays with the same dates must not be asked the same: both are written anew.
        alike = (asked.single[one.hadm_id] for one in (stay, *stays.twins(stay)))
        if any(question.qa_id in ids for reply in alike for question in reply.qas):
            given = AdmissionQuestionsInput(
                chart=chart, hadm_id=hadm_id, lexicon=lexicon, refused=refused
            )
            single[hadm_id] = ask_admission_questions(given, model)
    cross = asked.cross
    if any(question.qa_id in ids for question in cross.qas):
        across = CrossQuestionsInput(chart=chart, lexicon=lexicon, refused=refused)
        cross = ask_cross_questions(across, model)
    return Asked(single, cross)
