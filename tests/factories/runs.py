"""Run reports and statistics with defaults."""

from __future__ import annotations

from typing import Any

from tasks.contracts.build import (
    ExpectationResult,
    GateResult,
    OddityCount,
    RunReport,
    SkipCount,
    SkippedItem,
    StageCount,
)
from tasks.contracts.questions import QuestionType
from tasks.contracts.statistics import (
    Composition,
    Coverage,
    Distribution,
    PatientStatistics,
    QuestionTypeStatistics,
    ReleaseStatistics,
)


def run_report(**given: Any) -> RunReport:
    """A run of two stages and one gate that left one admission out."""
    fields: dict[str, Any] = {
        "flow_run_id": "11111111-2222-3333-4444-555555555555",
        "flow_run_name": "brisk-otter",
        "outcome": "completed",
        "started": "2030-01-02T03:04:05+00:00",
        "seconds": 12.5,
        "stages": {
            "bundles": StageCount(computed=3, cached=1, skipped=1, seconds=1.25),
            "dialogues": StageCount(computed=4, seconds=10.0),
        },
        "items": (
            SkippedItem(
                id="80000009",
                subject_id="90000001",
                stage="bundles",
                outcome="skipped",
                reason="no_end_time",
            ),
        ),
        "skip_counts": (SkipCount(table="radiology", reason="no_hadm_id", count=1234),),
        "oddities": (
            OddityCount(table="discharge", oddity="addendum", count=2),
            OddityCount(table="procedures_icd", oddity="untitled_code", count=5),
        ),
        "gates": (gate_result(),),
        "usage": {},
        **given,
    }
    return RunReport(**fields)


def gate_result(stage: str = "bundles", *, success: bool = True) -> GateResult:
    """A gate with one expectation; failing names two rows."""
    line = ExpectationResult(
        expectation="row count is at least 1",
        success=success,
        failed_rows=0 if success else 7,
        first_ids=() if success else ("80000001", "80000002"),
    )
    return GateResult(stage=stage, success=success, rows=4, results=(line,))


def distribution(mean: float) -> Distribution:
    """A distribution of two values around a mean."""
    return Distribution(
        n=2,
        total=2 * mean,
        mean=mean,
        minimum=mean - 1,
        p25=mean - 0.5,
        median=mean,
        p75=mean + 0.5,
        maximum=mean + 1,
    )


def statistics() -> ReleaseStatistics:
    """Two patients with a few sessions."""
    patients = tuple(
        PatientStatistics(
            subject_id=f"9000000{number}",
            sessions=number + 1,
            turns=40 * number,
            tokens=900 * number,
            span_days=12.5 * number,
            turns_by_speaker={"Doctor": 20 * number, "Patient": 20 * number},
            words_by_speaker={"Doctor": 300 * number, "Patient": 200 * number},
            questions={"single_admission": 6, "cross_admission": 6},
        )
        for number in (1, 2)
    )
    return ReleaseStatistics(
        tokenizer="o200k_base",
        coverage=Coverage(
            sessions=distribution(2.5),
            turns=distribution(60),
            tokens=distribution(1350),
            span_days=distribution(18.75),
        ),
        composition=Composition(
            turns_by_speaker={"Doctor": 60, "Patient": 60},
            words_by_speaker={"Doctor": 900, "Patient": 600},
            words_a_turn={"Doctor": 15.0, "Patient": None},
            turns_a_session=distribution(24),
            words_a_session=distribution(300),
            tokens_a_session=distribution(540),
        ),
        questions=(
            QuestionTypeStatistics(
                scope="single_admission",
                question_type=QuestionType.ADVERSARIAL,
                questions=5,
                mean_answer_words=5.0,
                mean_cited_turns=1.5,
            ),
            QuestionTypeStatistics(
                scope="cross_admission",
                question_type=QuestionType.FREQUENCY_PATTERN,
                questions=2,
                mean_answer_words=None,
                mean_cited_turns=None,
            ),
        ),
        patients=patients,
    )
