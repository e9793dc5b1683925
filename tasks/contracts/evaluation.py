"""What an evaluation reads, asks, judges and scores (spec section 9)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.clock import Timestamp
from tasks.contracts.dialogue import ConversationLine
from tasks.contracts.questions import CitedTurn, Question, QuestionType, Scope

Strategy = Literal[
    "full-context",
    "bm25",
    "dense",
    "bm25-turns",
    "dense-turns",
    "mem0",
    "mem0-star",
    "mem-alpha",
]
"""How a model is shown a timeline that may be longer than it reads."""

Baseline = Literal["always-abstain", "question-only", "extractive"]
"""What needs no model, and every report shows beside those that do."""

AnswerOutcome = Literal["answered", "missing", "failed"]
"""``missing``: asked twice and not among the replies. ``failed``: no usable reply; not a zero."""

JudgeOutcome = Literal["right", "wrong", "error"]

Recipe = Literal["medlocomo", "clinical"]

ErrorKind = Literal["stale_value", "other_admission", "wrong_abstention", "unsupported", "other"]
"""Kinds of wrong answers to answerable questions (paper, introduction)."""


class BenchmarkSession(Contract):
    """One admission as an evaluated model may see it."""

    hadm_id: str = Field(description="MIMIC admission id")
    admission_start: Timestamp = Field(description="Start of the stay")
    admission_end: Timestamp = Field(description="End of the stay")
    lines: tuple[ConversationLine, ...] = Field(description="The published turns in order")


class BenchmarkPatient(Contract):
    """One patient of any release in the MedLoCoMo layout. Patient text."""

    subject_id: str = Field(description="MIMIC patient id")
    sessions: tuple[BenchmarkSession, ...] = Field(description="By (admission_start, hadm_id)")
    questions: tuple[Question, ...] = Field(
        description="benchmark_qa.json; evidence.turns is empty where a release cites none"
    )


class Budget(Contract):
    """Token limits of an evaluated model (spec section 9)."""

    context_tokens: int = Field(default=131_072, ge=512, description="What it reads and writes")
    output_tokens: int = Field(default=4_096, ge=16, description="What a reply takes at most")
    margin_tokens: int = Field(default=8_192, ge=0, description="Kept free for counting errors")

    @property
    def prompt_tokens(self) -> int:
        """What a prompt may take, 0 or less where nothing is left."""
        return self.context_tokens - self.output_tokens - self.margin_tokens


class Prediction(Contract):
    """What a system answered to one question. ``answer`` is patient text."""

    qa_id: str = Field(description="The question's id")
    outcome: AnswerOutcome = Field(description="Whether there is an answer to score")
    answer: str = Field(default="", description="The answer; empty where there is none")
    reason: str = Field(default="", description="Why there is none, without patient text")
    asked_times: int = Field(default=1, ge=0, description="How often it was asked")
    shown_turns: int = Field(default=0, ge=0, description="Turns of the timeline in the prompt")
    all_turns: int = Field(default=0, ge=0, description="Turns of the whole timeline")
    truncated: bool = Field(
        default=False, description="Turns were left out because the prompt had no room for them"
    )
    shown_sessions: tuple[str, ...] = Field(
        default=(), description="hadm_ids in the prompt, whole or in part, in time order"
    )
    ranked_admissions: tuple[str, ...] | None = Field(
        default=None, description="hadm_ids by a retriever's score, best first; null without one"
    )
    ranked_turns: tuple[CitedTurn, ...] | None = Field(
        default=None, description="Turns by a retriever's score, best first; null without one"
    )
    split_documents: int = Field(
        default=0, ge=0, description="Documents longer than the embedder's window, scored in parts"
    )
    prompt_tokens: int = Field(default=0, ge=0, description="o200k_base tokens of the prompt")


class PredictionSet(Contract):
    """One system's answers to one patient's questions. Patient text."""

    subject_id: str = Field(description="MIMIC patient id")
    system: str = Field(description="Name of the system")
    predictions: tuple[Prediction, ...] = Field(description="One a question, in their order")
    requests: int = Field(default=0, ge=0, description="Replies of the model behind them")
    input_tokens: int = Field(default=0, ge=0, description="Prompt tokens by the server's count")
    output_tokens: int = Field(default=0, ge=0, description="Completion tokens, likewise")


class Judgment(Contract):
    """What a judge said of one answer to an answerable question."""

    qa_id: str = Field(description="The question's id")
    outcome: JudgeOutcome = Field(
        description="Majority of the readable verdicts; error where none is, or they tie"
    )
    verdicts: tuple[bool | None, ...] = Field(
        description="Each time it was asked; null for a verdict that can't be read"
    )
    asked: bool = Field(
        default=True, description="False where no judge is needed: an abstention, a missing answer"
    )
    reason: str = Field(default="", description="Why there is no verdict, without patient text")


class JudgmentSet(Contract):
    """A judge's verdicts on one system's answers to one patient's answerable questions."""

    subject_id: str = Field(description="MIMIC patient id")
    system: str = Field(description="Name of the system judged")
    judge: str = Field(description="Name of the judge")
    judgments: tuple[Judgment, ...] = Field(description="One an answerable question")


class OverlapScore(Contract):
    """Token overlap of an answer with the gold answer, each in 0 to 1."""

    precision: float = Field(ge=0, le=1)
    recall: float = Field(ge=0, le=1)
    f1: float = Field(ge=0, le=1)


class RetrievalScore(Contract):
    """Share of the cited evidence among a retriever's k best."""

    admissions_at: dict[int, float] = Field(description="Cited admissions found, by k")
    turns_at: dict[int, float] | None = Field(
        description="Cited turns found, by k; null for releases that cite none, or by admission"
    )


class ItemScore(Contract):
    """One line of ``scores.jsonl``: a question answered by a system. Holds no patient text."""

    release: str = Field(description="Digest of the evaluated questions and timelines")
    system: str = Field(description="model/strategy, or a baseline's name")
    model: str = Field(description="The model; empty for a baseline")
    strategy: str = Field(description="The strategy, or the baseline's name")
    judge: str = Field(description="Name of the judge; empty where none was asked")
    recipes: dict[Recipe, str] = Field(
        default_factory=dict[Recipe, str],
        description="Versions of the recipes; empty in lines of old programs",
    )
    subject_id: str = Field(description="MIMIC patient id")
    qa_id: str = Field(description="The question's id")
    scope: Scope = Field(description="Within one admission or across several")
    question_type: QuestionType = Field(description="One of the published types")
    outcome: AnswerOutcome = Field(description="Whether there was an answer")
    overlap: dict[Recipe, OverlapScore] | None = Field(
        description="Token overlap by recipe; null for adversarial questions and failed calls"
    )
    judged: JudgeOutcome | None = Field(
        description="The judge's verdict; null for adversarial questions and failed calls"
    )
    judge_agreement: float | None = Field(
        description="Share of readable verdicts that agree with the majority; null with under two"
    )
    abstained: dict[Recipe, bool] | None = Field(
        description="Whether the answer abstains, by recipe; null for failed calls"
    )
    error_kind: ErrorKind | None = Field(
        description="Kind of a wrong answer to an answerable question; null otherwise"
    )
    evidence_position: float | None = Field(
        description="Where the last cited admission lies in the timeline, 0 first to 1 last; null "
        "with one session"
    )
    evidence_span_admissions: int = Field(
        ge=0, description="Admissions from the first cited one to the last one, 0 for one"
    )
    timeline_sessions: int = Field(ge=1, description="Sessions of the patient")
    timeline_tokens: int = Field(ge=0, description="o200k_base tokens of the whole timeline")
    retrieval: RetrievalScore | None = Field(description="Null without a retriever")
    truncated: bool = Field(description="Turns were left out for lack of room")
    split_documents: int = Field(ge=0, description="Documents longer than the embedder's window")
    prompt_tokens: int = Field(ge=0, description="o200k_base tokens of the prompt")


class Estimated(Contract):
    """A mean with its n and its 95 % interval, clustered by patient."""

    mean: float | None = Field(description="Null where n is 0")
    n: int = Field(ge=0, description="Questions it is the mean of")
    patients: int = Field(ge=0, description="Patients they belong to")
    lower: float | None = Field(description="2.5th percentile over resampled patients")
    upper: float | None = Field(description="97.5th percentile over resampled patients")


class GroupScores(Contract):
    """The figures of one system over one group of questions."""

    f1: dict[Recipe, Estimated] = Field(description="Token F1 over answerable questions")
    precision: dict[Recipe, Estimated] = Field(description="Token precision, likewise")
    recall: dict[Recipe, Estimated] = Field(description="Token recall, likewise")
    judge: Estimated = Field(description="J: share judged right, over answerable questions")
    abstention: dict[Recipe, Estimated] = Field(
        description="Acc: share that abstains, over adversarial questions"
    )
    score: dict[Recipe, Estimated] = Field(
        description="(J x n answerable + Acc x n adversarial) / n"
    )


class SystemCounts(Contract):
    """What became of a system's questions."""

    questions: int = Field(ge=0, description="Questions asked")
    answered: int = Field(ge=0, description="With an answer")
    missing: int = Field(ge=0, description="Without one after a second asking; count 0")
    failed: int = Field(ge=0, description="Calls without a usable reply; in no mean")
    judge_errors: int = Field(ge=0, description="Answers without a readable verdict; not in J")
    truncated: int = Field(ge=0, description="Asked with a part of the timeline left out")


class SystemScores(Contract):
    """All figures of one system."""

    system: str = Field(description="model/strategy, or a baseline's name")
    model: str = Field(description="The model; empty for a baseline")
    strategy: str = Field(description="The strategy, or the baseline's name")
    judge: str = Field(description="Name of the judge")
    recipes: dict[Recipe, str] = Field(
        default_factory=dict[Recipe, str],
        description="Versions of the recipes its answers were scored by",
    )
    valid: bool = Field(description="Whether errors stay below the stated share")
    counts: SystemCounts = Field(description="What became of its questions")
    overall: GroupScores = Field(description="Every question weighs the same")
    macro: GroupScores = Field(description="Every patient weighs the same")
    by_scope: dict[Scope, GroupScores] = Field(description="Micro, by scope")
    by_type: dict[QuestionType, GroupScores] = Field(description="Micro, by question type")
    by_position: dict[str, GroupScores] = Field(description="By where the evidence lies")
    by_span: dict[str, GroupScores] = Field(description="By distance of the cited admissions")
    by_length: dict[str, GroupScores] = Field(description="By length of the timeline")
    errors: dict[ErrorKind, int] = Field(description="Wrong answers by kind")
    abstention_counts: dict[Recipe, tuple[int, int]] = Field(
        description="By recipe: abstentions on answerable questions, answers to adversarial ones"
    )
    recall_admissions: dict[int, Estimated] = Field(description="Evidence recall@k, admissions")
    recall_turns: dict[int, Estimated] = Field(description="Evidence recall@k, turns")
    judge_agreement: Estimated = Field(description="Agreement of repeated verdicts")
    requests: int = Field(ge=0, description="Replies behind its answers and memories")
    input_tokens: int = Field(ge=0, description="Prompt tokens of those, by the server's count")
    output_tokens: int = Field(ge=0, description="Completion tokens, likewise")
    usd: float | None = Field(default=None, description="Cost by the price table; null without")


class Comparison(Contract):
    """Two systems on the questions both were scored on."""

    first: str = Field(description="A system")
    second: str = Field(description="Another one")
    judge: str = Field(description="Name of the judge of both")
    recipe: Recipe = Field(description="Recipe of the score compared")
    difference: Estimated = Field(description="Score of the first minus that of the second")
    p_value: float | None = Field(
        description="Two-sided paired permutation test over patients; null with no pair"
    )
    p_adjusted: float | None = Field(description="The same after Holm's correction")
