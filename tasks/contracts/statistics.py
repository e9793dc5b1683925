"""The figures of a release: coverage, composition and questions (spec section 9)."""

from __future__ import annotations

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.dialogue import Speaker
from tasks.contracts.questions import QuestionType, Scope


class SessionFigures(Contract):
    """Size of one session."""

    hadm_id: str = Field(description="MIMIC admission id")
    tokens: int = Field(description="o200k_base tokens of turn | time | speaker | text lines")
    turns: dict[Speaker, int] = Field(description="Turns by speaker")
    words: dict[Speaker, int] = Field(description="Words by speaker, split at blanks")


class QuestionFigures(Contract):
    """Size of one question."""

    scope: Scope = Field(description="Within one admission or across several")
    question_type: QuestionType = Field(description="One of the published types")
    answer_words: int = Field(description="Words of the gold answer, split at blanks")
    cited_turns: int = Field(description="Turns it cites")


class PatientFigures(Contract):
    """What the statistics need to know about a patient; no text."""

    subject_id: str = Field(description="MIMIC patient id")
    span_days: float = Field(description="First admission to last discharge, days, two decimals")
    sessions: tuple[SessionFigures, ...] = Field(description="In time order")
    questions: tuple[QuestionFigures, ...] = Field(description="In the benchmark's order")


class Distribution(Contract):
    """How a figure is spread; null where nothing was counted."""

    n: int = Field(description="Number of values")
    total: float = Field(description="Sum of the values")
    mean: float | None = Field(description="Arithmetic mean")
    minimum: float | None = Field(description="Smallest value")
    p25: float | None = Field(description="First quartile, linear interpolation")
    median: float | None = Field(description="Median")
    p75: float | None = Field(description="Third quartile, linear interpolation")
    maximum: float | None = Field(description="Largest value")


class PatientStatistics(Contract):
    """One patient's size."""

    subject_id: str = Field(description="MIMIC patient id")
    sessions: int = Field(description="Admissions with a dialogue")
    turns: int = Field(description="Turns of all sessions")
    tokens: int = Field(description="Tokens of all sessions")
    span_days: float = Field(description="First admission to last discharge, in days")
    turns_by_speaker: dict[Speaker, int] = Field(description="Turns by speaker")
    words_by_speaker: dict[Speaker, int] = Field(description="Words by speaker")
    questions: dict[Scope, int] = Field(description="Questions by scope")


class Coverage(Contract):
    """Longitudinal coverage: how patients are spread."""

    sessions: Distribution = Field(description="Sessions a patient")
    turns: Distribution = Field(description="Turns a patient")
    tokens: Distribution = Field(description="Tokens a patient")
    span_days: Distribution = Field(description="Days from first admission to last discharge")


class Composition(Contract):
    """Dialogue composition: who speaks how much, and how sessions are spread."""

    turns_by_speaker: dict[Speaker, int] = Field(description="Turns by speaker")
    words_by_speaker: dict[Speaker, int] = Field(description="Words by speaker")
    words_a_turn: dict[Speaker, float | None] = Field(description="Mean words of a speaker's turn")
    turns_a_session: Distribution = Field(description="Turns of a session")
    words_a_session: Distribution = Field(description="Words of a session")
    tokens_a_session: Distribution = Field(description="Tokens of a session")


class QuestionTypeStatistics(Contract):
    """Questions of one scope and type."""

    scope: Scope = Field(description="Within one admission or across several")
    question_type: QuestionType = Field(description="One of the published types")
    questions: int = Field(description="How many")
    mean_answer_words: float | None = Field(description="Words of an answer")
    mean_cited_turns: float | None = Field(description="Turns a question cites")


class ReleaseStatistics(Contract):
    """``stats.json``: the dataset's statistics, overall and by patient."""

    tokenizer: str = Field(description="Name of the tokenizer, o200k_base")
    coverage: Coverage = Field(description="Longitudinal coverage")
    composition: Composition = Field(description="Dialogue composition")
    questions: tuple[QuestionTypeStatistics, ...] = Field(description="By scope and type")
    patients: tuple[PatientStatistics, ...] = Field(description="By subject_id")
