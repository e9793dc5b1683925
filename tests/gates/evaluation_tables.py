"""Sound tables of an evaluation's gates, from two patients and two systems."""

from __future__ import annotations

from functools import cache

import polars as pl

from tasks.contracts.clock import parse_time
from tasks.contracts.evaluation import (
    BenchmarkPatient,
    BenchmarkSession,
    ItemScore,
    Judgment,
    JudgmentSet,
    OverlapScore,
    Prediction,
    PredictionSet,
)
from tasks.contracts.questions import ABSTENTION, Evidence, Question, QuestionType
from tasks.gates.tables.judgments import judgment_tables
from tasks.gates.tables.predictions import prediction_tables
from tasks.gates.tables.scores import score_tables

SYSTEMS = ("model/bm25", "always-abstain")
STAGES = ("predictions", "judgments", "scores")


def patient(number: int) -> BenchmarkPatient:
    """One session, an answerable question and an adversarial one."""
    subject_id, hadm_id = f"9000000{number}", f"8000000{number}"
    session = BenchmarkSession(
        hadm_id=hadm_id,
        admission_start=parse_time("2150-01-01 10:00:00"),
        admission_end=parse_time("2150-01-02 10:00:00"),
        lines=(),
    )
    types = (QuestionType.MEDICAL_REASONING, QuestionType.ADVERSARIAL)
    return BenchmarkPatient(
        subject_id=subject_id,
        sessions=(session,),
        questions=tuple(
            Question(
                qa_id=f"{subject_id}_{hadm_id}_q0{place}",
                scope="single_admission",
                question_type=kind,
                question="what was it?",
                answer="1.9" if place == 1 else ABSTENTION,
                evidence=Evidence(admissions=(hadm_id,), turn_ids=None, turns=()),
            )
            for place, kind in enumerate(types, start=1)
        ),
    )


PATIENTS = (patient(1), patient(2))


def predictions(system: str, asked: BenchmarkPatient) -> PredictionSet:
    """Every question answered rightly."""
    return PredictionSet(
        subject_id=asked.subject_id,
        system=system,
        predictions=tuple(
            Prediction(
                qa_id=one.qa_id,
                outcome="answered",
                answer=one.answer,
                shown_turns=3,
                all_turns=3,
                shown_sessions=(asked.sessions[0].hadm_id,),
            )
            for one in asked.questions
        ),
    )


def judgments(system: str, asked: BenchmarkPatient) -> JudgmentSet:
    """The answerable question judged twice, right both times."""
    judged = Judgment(qa_id=asked.questions[0].qa_id, outcome="right", verdicts=(True, True))
    return JudgmentSet(
        subject_id=asked.subject_id, system=system, judge="judge", judgments=(judged,)
    )


def scores(system: str, asked: BenchmarkPatient) -> tuple[ItemScore, ...]:
    """The lines of right answers."""
    full = OverlapScore(precision=1, recall=1, f1=1)
    return tuple(
        ItemScore(
            release="0" * 64,
            system=system,
            model="model",
            strategy="bm25",
            judge="judge",
            subject_id=asked.subject_id,
            qa_id=one.qa_id,
            scope=one.scope,
            question_type=one.question_type,
            outcome="answered",
            overlap={"medlocomo": full, "clinical": full} if answerable else None,
            judged="right" if answerable else None,
            judge_agreement=1.0 if answerable else None,
            abstained={"medlocomo": not answerable, "clinical": not answerable},
            error_kind=None,
            evidence_position=None,
            evidence_span_admissions=0,
            timeline_sessions=1,
            timeline_tokens=30,
            retrieval=None,
            truncated=False,
            split_documents=0,
            prompt_tokens=20,
        )
        for one in asked.questions
        for answerable in (one.question_type is not QuestionType.ADVERSARIAL,)
    )


def question_types() -> dict[tuple[str, str], str]:
    """The type of every question by patient and id."""
    return {
        (one.subject_id, asked.qa_id): asked.question_type
        for one in PATIENTS
        for asked in one.questions
    }


@cache
def evaluation_tables() -> dict[str, dict[str, pl.DataFrame]]:
    """By stage, then table."""
    pairs = [(system, one) for system in SYSTEMS for one in PATIENTS]
    given = [predictions(*pair) for pair in pairs]
    judged = [(predictions(*pair), judgments(*pair)) for pair in pairs]
    lines = [line for pair in pairs for line in scores(*pair)]
    return {
        "predictions": prediction_tables(PATIENTS, given),
        "judgments": judgment_tables(PATIENTS, judged, repeats=2),
        "scores": score_tables(question_types(), lines, SYSTEMS),
    }
