"""The figures that a manifest states, counted from the statistics."""

from __future__ import annotations

from tasks.contracts.build import Manifest
from tasks.contracts.questions import QuestionType
from tasks.contracts.release import ReleaseCount
from tasks.contracts.statistics import ReleaseStatistics

_NOT_COUNTED = -1


def count_release(statistics: ReleaseStatistics) -> dict[str, int]:
    """Patients, admissions, turns, tokens and questions of a release."""
    by_type = statistics.questions
    return {
        "patients": len(statistics.patients),
        "admissions": sum(one.sessions for one in statistics.patients),
        "turns": sum(one.turns for one in statistics.patients),
        "tokens": sum(one.tokens for one in statistics.patients),
        "questions": sum(one.questions for one in by_type),
        "single_admission_questions": sum(
            one.questions for one in by_type if one.scope == "single_admission"
        ),
        "cross_admission_questions": sum(
            one.questions for one in by_type if one.scope == "cross_admission"
        ),
        "adversarial_questions": sum(
            one.questions for one in by_type if one.question_type is QuestionType.ADVERSARIAL
        ),
    }


def compare_counts(manifest: Manifest, statistics: ReleaseStatistics) -> list[ReleaseCount]:
    """Every figure that the manifest states or should state, beside the counted one."""
    found = count_release(statistics)
    names = [*found, *(name for name in manifest.counts if name not in found)]
    return [
        ReleaseCount(
            name=name,
            stated=manifest.counts.get(name, _NOT_COUNTED),
            found=found.get(name, _NOT_COUNTED),
        )
        for name in names
    ]
