"""Figures of systems and comparisons with defaults."""

from __future__ import annotations

from typing import Any

from tasks.contracts.evaluation import (
    Comparison,
    Estimated,
    GroupScores,
    SystemCounts,
    SystemScores,
)
from tasks.contracts.questions import QuestionType


def estimated(mean: float | None = 0.5, n: int = 40) -> Estimated:
    """A mean with an interval of a tenth to each side."""
    if mean is None:
        return Estimated(mean=None, n=0, patients=0, lower=None, upper=None)
    return Estimated(mean=mean, n=n, patients=4, lower=max(0, mean - 0.1), upper=min(1, mean + 0.1))


def group(judge: float | None = 0.4, acc: float | None = 0.8) -> GroupScores:
    """A group whose score is the mean of J and Acc."""
    known = [one for one in (judge, acc) if one is not None]
    score = sum(known) / len(known) if known else None
    return GroupScores(
        f1={"medlocomo": estimated(judge), "clinical": estimated(judge)},
        precision={"medlocomo": estimated(judge), "clinical": estimated(judge)},
        recall={"medlocomo": estimated(judge), "clinical": estimated(judge)},
        judge=estimated(judge),
        abstention={"medlocomo": estimated(acc, 20), "clinical": estimated(acc, 20)},
        score={"medlocomo": estimated(score, 60), "clinical": estimated(score, 60)},
    )


def system_scores(system: str = "model/bm25", **given: Any) -> SystemScores:
    """A system that answered 60 questions of four patients."""
    model, _, strategy = system.rpartition("/")
    fields: dict[str, Any] = {
        "system": system,
        "model": model,
        "strategy": strategy,
        "judge": "judge",
        "recipes": {"medlocomo": "1", "clinical": "1.2.2"},
        "valid": True,
        "counts": SystemCounts(
            questions=60, answered=57, missing=2, failed=1, judge_errors=0, truncated=5
        ),
        "overall": group(),
        "macro": group(),
        "by_scope": {"single_admission": group(), "cross_admission": group(0.2)},
        "by_type": {
            QuestionType.MEDICAL_REASONING: group(0.5, None),
            QuestionType.CARE_PLAN_RATIONALE: group(0.3, None),
            QuestionType.ADVERSARIAL: group(None, 0.8),
        },
        "by_position": {"first": group(), "middle": group(0.3), "last": group(0.5)},
        "by_span": {"0": group(), "1": group(0.2)},
        "by_length": {"short": group(), "long": group(0.1)},
        "errors": {"stale_value": 3, "other": 4},
        "abstention_counts": {"medlocomo": (6, 4), "clinical": (7, 3)},
        "recall_admissions": {1: estimated(0.4), 5: estimated(0.9)},
        "recall_turns": {1: estimated(None), 5: estimated(None)},
        "judge_agreement": estimated(None),
        "requests": 60,
        "input_tokens": 9000,
        "output_tokens": 600,
        "usd": 0.25,
        **given,
    }
    return SystemScores(**fields)


def baseline_scores(**given: Any) -> SystemScores:
    """A baseline that asked no model."""
    free: dict[str, Any] = {"model": "", "requests": 0, "input_tokens": 0, "output_tokens": 0}
    fields = {**free, "usd": None, "strategy": "always-abstain", "overall": group(0.0, 1.0)}
    return system_scores("always-abstain", **{**fields, **given})


def comparison(**given: Any) -> Comparison:
    """One system ahead of another by a tenth."""
    fields: dict[str, Any] = {
        "first": "model/bm25",
        "second": "always-abstain",
        "judge": "judge",
        "recipe": "medlocomo",
        "difference": estimated(0.1),
        "p_value": 0.00001,
        "p_adjusted": 0.03,
        **given,
    }
    return Comparison(**fields)
