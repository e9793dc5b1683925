"""What can be asked across a patient's stays, by question type."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from tasks.contracts.questions import QuestionType
from tasks.qa.candidates import Candidate
from tasks.qa.comparison import comparison_candidates
from tasks.qa.events import EVENTS
from tasks.qa.frequency import frequency_candidates
from tasks.qa.progression import progression_candidates
from tasks.qa.stays import Cite, PatientStays


def cross_candidates(patient: PatientStays) -> Mapping[QuestionType, tuple[Candidate, ...]]:
    """Candidates about two or more stays, each citing at least two of them."""
    return {
        QuestionType.LONGITUDINAL_PROGRESSION: tuple(progression_candidates(patient)),
        QuestionType.CROSS_ADMISSION_COMPARISON: tuple(comparison_candidates(patient)),
        QuestionType.FREQUENCY_PATTERN: tuple(frequency_candidates(patient)),
    }


def cross_stand_ins(patient: PatientStays) -> tuple[Candidate, ...]:
    """Forms to copy for stays that state nothing with a target, citing how two of them began."""
    forms = (("handover_dose", "drug"), ("culture_result_trend", "culture"), ("first_last", EVENTS))
    return tuple(
        Candidate(
            family=family,
            slots={"target": "", "a": one.name, "b": other.name},
            targets=("target",),
            group=group,
            answer="",
            cites=(Cite(one.position, one.first_turn), Cite(other.position, other.first_turn)),
        )
        for one, other in itertools.pairwise(patient.stays)
        for family, group in forms
    )
