"""Answers a patient's questions by a system: a strategy with its model, or a baseline."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.answering.asking import AnsweringModel
from tasks.answering.counting import CountedModel
from tasks.answering.guessing import guess
from tasks.answering.patients import ReadyPatient
from tasks.answering.replies import Asked
from tasks.answering.systems import SystemSpec
from tasks.contracts.chat import ChatModel
from tasks.contracts.evaluation import BenchmarkPatient, Prediction, PredictionSet
from tasks.contracts.questions import ABSTENTION


def asked_of(patient: BenchmarkPatient, first: int, count: int) -> tuple[Asked, ...]:
    """Some of a patient's questions in their order, their answers left behind."""
    return tuple(
        Asked(qa_id=one.qa_id, question=one.question)
        for one in patient.questions[first : first + count]
    )


def answer_by_model(
    subject_id: str,
    system: SystemSpec,
    ready: ReadyPatient,
    asked: Sequence[Asked],
    model: ChatModel,
) -> PredictionSet:
    """Predictions for some questions of a patient; what fails fails alone.

    Raises ProviderUnavailable where the model answers nobody.
    """
    view = ready.view([one.question for one in asked])
    counted = CountedModel(model)
    answering = AnsweringModel(counted, view, system.budget)
    predictions = answering.answer(asked, system.questions_a_call)
    used = model.used
    return PredictionSet(
        subject_id=subject_id,
        system=system.name,
        predictions=predictions,
        requests=counted.replies,
        input_tokens=used.input_tokens or 0,
        output_tokens=used.output_tokens or 0,
    )


def answer_unread(
    patient: BenchmarkPatient, system: SystemSpec, asked: Sequence[Asked]
) -> PredictionSet:
    """Predictions of the baselines that look at no timeline: always-abstain and question-only."""
    turns = sum(len(session.lines) for session in patient.sessions)
    return PredictionSet(
        subject_id=patient.subject_id,
        system=system.name,
        predictions=tuple(
            Prediction(
                qa_id=one.qa_id,
                outcome="answered",
                answer=ABSTENTION if system.strategy == "always-abstain" else guess(one.question),
                all_turns=turns,
            )
            for one in asked
        ),
    )
