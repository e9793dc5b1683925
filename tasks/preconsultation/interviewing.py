"""Simulates the interview of one patient by one doctor (spec section 2, step 1)."""

from __future__ import annotations

from collections.abc import Callable

from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ModelFailed, ReplyMalformed
from tasks.contracts.preconsultation import (
    BasicInformation,
    Interview,
    Language,
    PatientProfile,
    Turn,
)
from tasks.preconsultation.form import read_answer, read_reply
from tasks.preconsultation.leaks import without_disease
from tasks.preconsultation.requests import doctor_request, patient_request
from tasks.preconsultation.shapes import DoctorTask, PatientTask

Answerer = Callable[[Turn, tuple[Turn, ...]], str]
Asker = Callable[[tuple[Turn, ...]], str]

EMPTY_REPLY = "empty reply"

_HIDDEN = {"en": "(withheld)", "ko": "(비공개)"}
_THE_DOCTORS = ("refused", "filtered", "truncated", "invalid")
"""Failures of a reply that are the doctor's own; others say nothing of it."""


class DoctorStopped(Exception):
    """The doctor gave no usable reply; the message says how."""


def simulate(
    profile: PatientProfile, language: Language, doctor: ChatModel, patient: ChatModel, turns: int
) -> Interview:
    """The interview of a patient: at most ``turns`` questions, answered by the patient model.

    Neither model is told how many turns there are, so an interview of fewer is its beginning.
    """
    basic = shown_basic(profile, language)

    def ask(earlier: tuple[Turn, ...]) -> str:
        return ask_doctor(DoctorTask(language=language, basic=basic, turns=earlier), doctor)

    return hold_interview(profile, language, ask, answer_by(profile, language, patient), turns)


def hold_interview(
    profile: PatientProfile, language: Language, ask: Asker, answer: Answerer, turns: int
) -> Interview:
    """An interview by anybody who asks; a reply without a question is a lost turn.

    It ends at an empty reply, at a DoctorStopped, or when a model fails.
    """
    held: tuple[Turn, ...] = ()
    ended, failed = "", ""
    while len(held) < turns and not ended and not failed:
        try:
            reply = ask(held)
            if not reply.strip():
                ended = EMPTY_REPLY
                continue
            held = (*held, _turn(reply, held, answer))
        except DoctorStopped as stop:
            ended = str(stop)
        except ModelFailed as failure:
            failed = f"not answered: {failure.outcome}"
    return Interview(
        pid=profile.pid,
        disease=profile.disease,
        basic=shown_basic(profile, language),
        turns=held,
        ended=ended,
        failed=failed,
    )


def shown_basic(profile: PatientProfile, language: Language) -> BasicInformation:
    """What the doctor is told: basic information, without clauses that name the disease."""
    given = profile.basic

    def shown(text: str) -> str:
        return without_disease(text, profile.disease, profile.spelling)

    return given.model_copy(
        update={
            "chief_complaint": shown(given.chief_complaint) or _HIDDEN[language],
            "department": shown(given.department),
            "duration": shown(given.duration),
            "areas": tuple(area for one in given.areas if (area := shown(one))),
        }
    )


def answer_by(profile: PatientProfile, language: Language, patient: ChatModel) -> Answerer:
    """A patient that answers by a model."""

    def answer(asked: Turn, earlier: tuple[Turn, ...]) -> str:
        task = PatientTask(language=language, profile=profile, earlier=earlier, asked=asked)
        try:
            return read_answer(patient.complete(patient_request(task)).parsed.reply)
        except ReplyMalformed as error:
            # A plain text is an answer too.
            if not error.content.strip():
                raise
            return read_answer(error.content)

    return answer


def ask_doctor(task: DoctorTask, doctor: ChatModel) -> str:
    """The doctor's next words; raises DoctorStopped for failures that are its own."""
    try:
        return doctor.complete(doctor_request(task)).parsed.reply
    except ReplyMalformed as error:
        return error.content
    except ModelFailed as failure:
        if failure.outcome not in _THE_DOCTORS:
            raise
        raise DoctorStopped(failure.outcome) from None


def _turn(reply: str, held: tuple[Turn, ...], answer: Answerer) -> Turn:
    read = read_reply(reply)
    turn = Turn(
        number=len(held) + 1,
        reply=reply.strip(),
        questions=read.questions,
        question=read.question,
        options=read.options,
    )
    if not read.questions:
        return turn
    said = answer(turn, held)
    if not said:
        raise ModelFailed("the patient's answer is empty", "invalid")
    return turn.model_copy(update={"answer": said})
