"""Small invented patients, answers, verdicts and scores, for tests of scoring and judging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from tasks.contracts.dialogue import ConversationLine
from tasks.contracts.evaluation import (
    AnswerOutcome,
    BenchmarkPatient,
    BenchmarkSession,
    ItemScore,
    JudgeOutcome,
    Judgment,
    JudgmentSet,
    OverlapScore,
    Prediction,
    PredictionSet,
)
from tasks.contracts.questions import ABSTENTION, CitedTurn, Evidence, Question, QuestionType

SUBJECT = "99000001"
_FIRST_DAY = datetime(2150, 6, 1, 9)


def session(hadm_id: str, texts: Sequence[str], day: int = 0) -> BenchmarkSession:
    """A stay of one day with one turn a minute, doctor and patient by turns."""
    start = _FIRST_DAY + timedelta(days=day)
    return BenchmarkSession(
        hadm_id=hadm_id,
        admission_start=start,
        admission_end=start + timedelta(hours=12),
        lines=tuple(
            ConversationLine(
                turn_number=number,
                time=start + timedelta(minutes=number),
                speaker="Doctor" if number % 2 else "Patient",
                text=text,
            )
            for number, text in enumerate(texts, 1)
        ),
    )


def question(
    qa_id: str,
    text: str = "What was the dose of furosemide?",
    answer: str = "80 mg",
    cites: Sequence[tuple[str, int]] = (("1", 1),),
    question_type: QuestionType = QuestionType.MEDICAL_REASONING,
) -> Question:
    """A question that cites turns by (hadm_id, turn_number)."""
    admissions = tuple(dict.fromkeys(hadm_id for hadm_id, _ in cites))
    single = len(admissions) == 1
    return Question(
        qa_id=qa_id,
        scope="single_admission" if single else "cross_admission",
        question_type=question_type,
        question=text,
        answer=answer,
        evidence=Evidence(
            admissions=admissions,
            turn_ids=tuple(turn for _, turn in cites) if single else None,
            turns=tuple(CitedTurn(hadm_id=hadm_id, turn_number=turn) for hadm_id, turn in cites),
        ),
    )


def adversarial(qa_id: str, cites: Sequence[tuple[str, int]] = (("1", 1),)) -> Question:
    """A question without an answer."""
    return question(
        qa_id, "What was the dose of digoxin?", ABSTENTION, cites, QuestionType.ADVERSARIAL
    )


def patient(
    sessions: Sequence[BenchmarkSession],
    questions: Sequence[Question],
    subject_id: str = SUBJECT,
) -> BenchmarkPatient:
    return BenchmarkPatient(
        subject_id=subject_id, sessions=tuple(sessions), questions=tuple(questions)
    )


def predicted(answers: Mapping[str, str | AnswerOutcome | Prediction]) -> PredictionSet:
    """Answers by qa_id; ``missing`` and ``failed`` stand for themselves."""

    def one(qa_id: str, given: str | Prediction) -> Prediction:
        if isinstance(given, Prediction):
            return given
        if given in ("missing", "failed"):
            return Prediction.model_validate({"qa_id": qa_id, "outcome": given})
        return Prediction(qa_id=qa_id, outcome="answered", answer=given)

    return PredictionSet(
        subject_id=SUBJECT,
        system="model/bm25",
        predictions=tuple(one(qa_id, given) for qa_id, given in answers.items()),
    )


def judged(outcomes: Mapping[str, JudgeOutcome | tuple[bool | None, ...]]) -> JudgmentSet:
    """Judgments by qa_id: an outcome, or the verdicts."""

    def one(qa_id: str, given: JudgeOutcome | tuple[bool | None, ...]) -> Judgment:
        if isinstance(given, tuple):
            right, wrong = given.count(True), given.count(False)
            outcome = "error" if right == wrong else "right" if right > wrong else "wrong"
            return Judgment(qa_id=qa_id, outcome=outcome, verdicts=given)
        verdicts = {"right": (True,), "wrong": (False,), "error": (None,)}[given]
        return Judgment(qa_id=qa_id, outcome=given, verdicts=verdicts)

    return JudgmentSet(
        subject_id=SUBJECT,
        system="model/bm25",
        judge="judge",
        judgments=tuple(one(qa_id, given) for qa_id, given in outcomes.items()),
    )


def item(
    subject_id: str,
    qa_id: str,
    value: float | None,
    *,
    system: str = "model/bm25",
    adversarial: bool = False,
    f1: float | None = None,
    **changes: object,
) -> ItemScore:
    """A scored question: right (1), wrong (0) or without a verdict (null).

    For an adversarial question 1 is an abstention, and null a failed call.
    """
    overlap = OverlapScore(precision=f1 or 0, recall=f1 or 0, f1=f1 or 0)
    verdict: JudgeOutcome = "error" if value is None else "right" if value else "wrong"
    failed = adversarial and value is None
    abstained = {"medlocomo": bool(value), "clinical": bool(value)}
    never = {"medlocomo": False, "clinical": False}
    kind = QuestionType.ADVERSARIAL if adversarial else QuestionType.MEDICAL_REASONING
    fields: dict[str, object] = {
        "release": "r" * 8,
        "system": system,
        "model": system.split("/")[0],
        "strategy": system.split("/")[-1],
        "judge": "judge",
        "subject_id": subject_id,
        "qa_id": qa_id,
        "scope": "single_admission",
        "question_type": kind,
        "outcome": "failed" if failed else "answered",
        "overlap": None if adversarial else {"medlocomo": overlap, "clinical": overlap},
        "judged": None if adversarial else verdict,
        "judge_agreement": None,
        "abstained": None if failed else abstained if adversarial else never,
        "error_kind": None,
        "evidence_position": 0.0,
        "evidence_span_admissions": 0,
        "timeline_sessions": 2,
        "timeline_tokens": 500,
        "retrieval": None,
        "truncated": False,
        "split_documents": 0,
        "prompt_tokens": 10,
    }
    return ItemScore.model_validate({**fields, **changes})
