"""What each role of the evaluation is given, and what it replies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StrictBool

from tasks.contracts.base import Contract
from tasks.contracts.rubric_results import Edit, EditAction, NearMissKind
from tasks.contracts.rubrics import Criterion, Query
from tasks.rubrics.asking import Draft

_WORDS = {"true": True, "yes": True, "false": False, "no": False}


def _said(value: object) -> object:
    """Yes or no where a judge wrote the word or 1 or 0; all else is no verdict."""
    if isinstance(value, str):
        return _WORDS.get(value.strip(" .\n").casefold(), value)
    return value == 1 if type(value) is int and value in (0, 1) else value


Verdict = Annotated[StrictBool, BeforeValidator(_said)]


class AtomizeTask(Contract):
    """A rubric to be split."""

    criteria: tuple[Criterion, ...]


class DraftAtom(Draft):
    """One constraint."""

    criterion: int = Field(description="Number of the criterion it stems from")
    text: str = Field(min_length=1, description="The constraint")


class AtomizeReply(Draft):
    """All constraints of a rubric."""

    atoms: list[DraftAtom] = Field(description="In the order of the criteria")


class EntailTask(Contract):
    """One constraint and a whole rubric."""

    rubric: tuple[str, ...]
    constraint: str


class EntailReply(Draft):
    """A verdict on one constraint."""

    entailed: Verdict = Field(description="Whether the rubric as a whole demands it")


class PerturbTask(Contract):
    """An answer to be spoilt in one place; kinds in the order of preference."""

    query: Query
    answer: str
    kinds: tuple[NearMissKind, ...]


class PerturbReply(Draft):
    """One change."""

    kind: NearMissKind = Field(description="What is changed")
    original: str = Field(min_length=1, description="The piece to change, word for word")
    replacement: str = Field(description="What stands in its place; empty to remove it")


class PairTask(Contract):
    """Two answers to be judged by a rubric."""

    query: Query
    criteria: tuple[Criterion, ...]
    first: str
    second: str


class PairVerdict(Draft):
    """Whether two answers meet one criterion."""

    number: int = Field(description="Number of the criterion")
    a_meets: Verdict = Field(description="Whether answer A meets it")
    b_meets: Verdict = Field(description="Whether answer B meets it")


class PairReply(Draft):
    """Verdicts on every criterion."""

    verdicts: list[PairVerdict] = Field(description="One a criterion")


class CompareTask(Contract):
    """Two answers to be compared without a rubric."""

    query: Query
    first: str
    second: str


class CompareReply(Draft):
    """Which answer is better."""

    better: Literal["A", "B", "tie"] = Field(description="The better answer")


class ScoreTask(Contract):
    """One answer to be judged by a rubric."""

    query: Query
    criteria: tuple[Criterion, ...]
    answer: str


class ScoreVerdict(Draft):
    """Whether an answer meets one criterion."""

    number: int = Field(description="Number of the criterion")
    met: Verdict = Field(description="Whether the answer meets it")


class ScoreReply(Draft):
    """Verdicts on every criterion."""

    verdicts: list[ScoreVerdict] = Field(description="One a criterion")


class CritiqueTask(Contract):
    """An answer to be criticised, with a rubric or without."""

    query: Query
    criteria: tuple[Criterion, ...]
    answer: str


class DraftEdit(Draft):
    """One line of an edit plan."""

    priority: int = Field(ge=1, description="1 first")
    action: EditAction = Field(description="ADD, REMOVE or MODIFY")
    instruction: str = Field(min_length=1, description="What exactly to do")


class CritiqueReply(Draft):
    """An edit plan."""

    edits: list[DraftEdit] = Field(description="At most 8; empty where nothing is to be mended")


class EditTask(Contract):
    """An answer and the plan that alone may change it."""

    query: Query
    answer: str
    plan: tuple[Edit, ...]


class EditReply(Draft):
    """The edited answer."""

    answer: str = Field(min_length=1, description="The whole answer after the edits")


class AnswerTask(Contract):
    """A query to be answered."""

    query: Query


class AnswerReply(Draft):
    """An answer."""

    answer: str = Field(min_length=1, description="The answer to the user's last message")
