"""Hand-made patients and scripted replies for tests of answering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import BaseModel

from tasks.answering.replies import AnswersReply, Asked, NumberedAnswer
from tasks.contracts.chat import ChatReply, ChatRequest, Reply
from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import ConversationLine, TokenUsage
from tasks.contracts.evaluation import BenchmarkPatient, BenchmarkSession
from tasks.contracts.questions import ABSTENTION, Evidence, Question, QuestionType

SUBJECT = "10000001"
DAYS = ("2150-01-10", "2150-03-05", "2150-06-20")

TALK = (
    ("Your potassium is 5.9 today.", "Is that high?"),
    ("We gave furosemide 40 mg for the swelling.", "My legs feel lighter."),
    ("We raised furosemide to 80 mg twice daily.", "I will take it."),
)


def session(number: int, *texts: str, day: str | None = None) -> BenchmarkSession:
    """A stay of two days with the doctor and the patient in turns, a minute apart."""
    on = day or DAYS[number]
    return BenchmarkSession(
        hadm_id=str(20000001 + number),
        admission_start=parse_time(f"{on} 09:00:00"),
        admission_end=parse_time(f"{on[:8]}{int(on[8:]) + 2:02d} 09:00:00"),
        lines=tuple(
            ConversationLine(
                turn_number=place + 1,
                time=parse_time(f"{on} 10:{place:02d}:00"),
                speaker="Patient" if place % 2 else "Doctor",
                text=text,
            )
            for place, text in enumerate(texts)
        ),
    )


def patient(*talks: Sequence[str], questions: Sequence[str] = ("Which dose?",)) -> BenchmarkPatient:
    """A patient with a session for each talk, by default three of two turns each."""
    return BenchmarkPatient(
        subject_id=SUBJECT,
        sessions=tuple(session(place, *talk) for place, talk in enumerate(talks or TALK)),
        questions=tuple(question(place, one) for place, one in enumerate(questions, 1)),
    )


def question(number: int, text: str, answer: str = "gold-secret") -> Question:
    """A question whose gold answer and evidence no prompt may hold."""
    return Question(
        qa_id=f"{SUBJECT}_cross_q{number:02d}",
        scope="cross_admission",
        question_type=QuestionType.LONGITUDINAL_PROGRESSION,
        question=text,
        answer=answer,
        evidence=Evidence(admissions=("20000001", "20000002"), turns=()),
    )


def asked(*texts: str) -> tuple[Asked, ...]:
    """Questions as the answering side knows them."""
    return tuple(Asked(qa_id=f"q{place}", question=text) for place, text in enumerate(texts, 1))


def answers(**by_number: str) -> AnswersReply:
    """A reply: ``answers(n1="5 mg", n2="no")``."""
    return AnswersReply(
        answers=[NumberedAnswer(number=int(n[1:]), answer=text) for n, text in by_number.items()]
    )


def given(request: ChatRequest[Any]) -> Any:
    """What a request is about, as the programmatic provider would read it."""
    return request.payload


def abstain(request: ChatRequest[Any]) -> AnswersReply:
    """Abstains from every question of a request."""
    numbers = range(1, len(given(request).questions) + 1)
    return AnswersReply(answers=[NumberedAnswer(number=n, answer=ABSTENTION) for n in numbers])


Scripted = BaseModel | Exception | Callable[[ChatRequest[Any]], BaseModel]


@dataclass
class ScriptModel:
    """Gives each reply in turn, then the last one for ever; an exception is raised."""

    script: Sequence[Scripted]
    requests: list[ChatRequest[Any]] = field(default_factory=list[ChatRequest[Any]])
    provider: str = "openai"
    model: str = "scripted"
    temperature: float | None = None

    @property
    def used(self) -> TokenUsage:
        return TokenUsage(input_tokens=30, output_tokens=4)

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        self.requests.append(request)
        said = self.script[min(len(self.requests), len(self.script)) - 1]
        if isinstance(said, Exception):
            raise said
        parsed = said if isinstance(said, BaseModel) else said(request)
        assert issubclass(request.response_model, type(parsed))
        return ChatReply(parsed=cast("Reply", parsed), usage=TokenUsage())
