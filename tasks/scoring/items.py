"""Scores one system's answers to one patient's questions."""

from __future__ import annotations

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.evaluation import (
    ErrorKind,
    ItemScore,
    Judgment,
    JudgmentSet,
    OverlapScore,
    Prediction,
    PredictionSet,
    Recipe,
)
from tasks.contracts.questions import Question, QuestionType
from tasks.scoring.abstention import abstains
from tasks.scoring.columns import RECIPES
from tasks.scoring.errors import error_kind
from tasks.scoring.recipes import overlap
from tasks.scoring.retrieval import evidence_recall
from tasks.scoring.timeline import TimelineIndex
from tasks.scoring.versions import RECIPE_VERSIONS


class SystemIdentity(Contract):
    """Whose answers are scored, and by which judge."""

    release: str = Field(description="Digest of the evaluated questions and timelines")
    system: str = Field(description="model/strategy, or a baseline's name")
    model: str = Field(default="", description="The model; empty for a baseline")
    strategy: str = Field(description="The strategy, or the baseline's name")
    judge: str = Field(default="", description="Name of the judge; empty where none was asked")


class ItemScores(Contract):
    """One system's scores on one patient's questions."""

    scores: tuple[ItemScore, ...] = Field(description="One a question, in their order")


def score_timeline(
    timeline: TimelineIndex,
    predictions: PredictionSet,
    judgments: JudgmentSet | None,
    identity: SystemIdentity,
) -> tuple[ItemScore, ...]:
    """One score a question, in their order; a question without a prediction is missing."""
    answers = {one.qa_id: one for one in predictions.predictions}
    verdicts = {one.qa_id: one for one in judgments.judgments} if judgments else {}
    return tuple(
        _score(
            question,
            answers.get(question.qa_id) or Prediction(qa_id=question.qa_id, outcome="missing"),
            verdicts.get(question.qa_id),
            timeline,
            identity,
        )
        for question in timeline.patient.questions
    )


def _score(
    question: Question,
    prediction: Prediction,
    judgment: Judgment | None,
    timeline: TimelineIndex,
    identity: SystemIdentity,
) -> ItemScore:
    cited = timeline.cited_sessions(question.evidence)
    sessions = len(timeline.patient.sessions)
    answerable = question.question_type != QuestionType.ADVERSARIAL
    judged = judgment.outcome if judgment and answerable and _counts(prediction) else None
    wrong = judged == "wrong" and prediction.outcome == "answered"
    kind: ErrorKind | None = error_kind(question, prediction.answer, timeline) if wrong else None
    return ItemScore(
        **identity.model_dump(),
        recipes=RECIPE_VERSIONS,
        subject_id=timeline.patient.subject_id,
        qa_id=question.qa_id,
        scope=question.scope,
        question_type=question.question_type,
        outcome=prediction.outcome,
        overlap=_overlaps(question, prediction) if answerable and _counts(prediction) else None,
        judged=judged,
        judge_agreement=_agreement(judgment) if judgment and judged else None,
        abstained=_abstentions(prediction) if _counts(prediction) else None,
        error_kind=kind,
        evidence_position=cited[-1] / (sessions - 1) if cited and sessions > 1 else None,
        evidence_span_admissions=cited[-1] - cited[0] if cited else 0,
        timeline_sessions=sessions,
        timeline_tokens=timeline.tokens,
        retrieval=evidence_recall(question.evidence, prediction),
        truncated=prediction.truncated,
        split_documents=prediction.split_documents,
        prompt_tokens=prediction.prompt_tokens,
    )


def _counts(prediction: Prediction) -> bool:
    """Failed calls are no zeros: they are in no mean."""
    return prediction.outcome != "failed"


def _overlaps(question: Question, prediction: Prediction) -> dict[Recipe, OverlapScore]:
    if prediction.outcome == "missing":
        return {recipe: OverlapScore(precision=0, recall=0, f1=0) for recipe in RECIPES}
    return {recipe: overlap(recipe, question.answer, prediction.answer) for recipe in RECIPES}


def _abstentions(prediction: Prediction) -> dict[Recipe, bool]:
    answered = prediction.outcome == "answered"
    return {recipe: answered and abstains(recipe, prediction.answer) for recipe in RECIPES}


def _agreement(judgment: Judgment) -> float | None:
    """Share of the readable verdicts that the majority has; None with fewer than two."""
    readable = [verdict for verdict in judgment.verdicts if verdict is not None]
    if len(readable) < 2:
        return None
    return max(readable.count(True), readable.count(False)) / len(readable)
