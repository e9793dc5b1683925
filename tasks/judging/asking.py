"""Has one system's answers to one patient's questions judged."""

from __future__ import annotations

from dataclasses import replace

from tasks.adapters.resources import read_prompt
from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ModelFailed, ReplyMalformed
from tasks.contracts.evaluation import (
    BenchmarkPatient,
    JudgeOutcome,
    Judgment,
    JudgmentSet,
    Prediction,
    PredictionSet,
)
from tasks.contracts.questions import Question, QuestionType
from tasks.judging.request import VerdictTask, verdict_request
from tasks.judging.verdict import read_verdict
from tasks.scoring.abstention import abstains

ASKED_AT_MOST = 2
"""How often one verdict is asked for: once more where it can't be read."""

_SENT_BACK_CHARACTERS = 2_000


def judge_predictions(
    patient: BenchmarkPatient,
    predictions: PredictionSet,
    model: ChatModel,
    judge: str,
    repeats: int,
) -> JudgmentSet:
    """Verdicts on every answer to an answerable question, each asked for ``repeats`` times.

    Abstentions and missing answers are wrong without asking; failed calls get no judgment.
    """
    answers = {one.qa_id: one for one in predictions.predictions}
    judgments = (
        _judgment(question, answers.get(question.qa_id), model, repeats)
        for question in patient.questions
        if question.question_type != QuestionType.ADVERSARIAL
    )
    return JudgmentSet(
        subject_id=patient.subject_id,
        system=predictions.system,
        judge=judge,
        judgments=tuple(one for one in judgments if one is not None),
    )


def majority(verdicts: tuple[bool | None, ...]) -> JudgeOutcome:
    """What most of the readable verdicts say; an error where there is none, or they tie."""
    right, wrong = verdicts.count(True), verdicts.count(False)
    if right == wrong:
        return "error"
    return "right" if right > wrong else "wrong"


def _judgment(
    question: Question, prediction: Prediction | None, model: ChatModel, repeats: int
) -> Judgment | None:
    if prediction is not None and prediction.outcome == "failed":
        return None
    answer = prediction.answer.strip() if prediction and prediction.outcome == "answered" else ""
    if not answer:
        return _wrong(question, "no answer")
    if abstains("clinical", answer):
        return _wrong(question, "abstains")
    task = VerdictTask(question=question.question, gold=question.answer, candidate=answer)
    asked = [_verdict(task, model, repeat) for repeat in range(repeats)]
    verdicts = tuple(verdict for verdict, _ in asked)
    outcome = majority(verdicts)
    reasons = dict.fromkeys(reason for _, reason in asked if reason)
    reason = "; ".join(reasons) or "the verdicts tie"
    return Judgment(
        qa_id=question.qa_id,
        outcome=outcome,
        verdicts=verdicts,
        reason=reason if outcome == "error" else "",
    )


def _wrong(question: Question, reason: str) -> Judgment:
    return Judgment(qa_id=question.qa_id, outcome="wrong", verdicts=(), asked=False, reason=reason)


def _verdict(task: VerdictTask, model: ChatModel, repeat: int) -> tuple[bool | None, str]:
    """One verdict, or why there is none."""
    first = ASKED_AT_MOST * repeat
    request = verdict_request(task, first)
    for attempt in range(first, first + ASKED_AT_MOST):
        try:
            return model.complete(replace(request, attempt=attempt)).parsed.correct, ""
        except ReplyMalformed as error:
            verdict = read_verdict(error.content)
            if verdict is not None:
                return verdict, ""
            if error.content.strip():
                content = error.content[:_SENT_BACK_CHARACTERS]
                request = request.answered(content, read_prompt("judging", "again.md"))
        except ModelFailed as error:
            return None, f"not answered: {error.outcome}"
    return None, "no readable verdict"
