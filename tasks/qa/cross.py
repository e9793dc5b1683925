"""What can be asked across a patient's stays, by question type."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.contracts.questions import QuestionType
from tasks.qa.candidates import Candidate
from tasks.qa.comparison import comparison_candidates
from tasks.qa.frequency import frequency_candidates
from tasks.qa.progression import progression_candidates
from tasks.qa.stays import PatientStays


def cross_candidates(patient: PatientStays) -> Mapping[QuestionType, tuple[Candidate, ...]]:
    """Candidates about two or more stays, each citing at least two of them."""
    return {
        QuestionType.LONGITUDINAL_PROGRESSION: tuple(progression_candidates(patient)),
        QuestionType.CROSS_ADMISSION_COMPARISON: tuple(comparison_candidates(patient)),
        QuestionType.FREQUENCY_PATTERN: tuple(frequency_candidates(patient)),
    }
