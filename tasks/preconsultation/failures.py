"""Which failures of a role another run may not meet."""

from __future__ import annotations

from tasks.contracts.errors import Outcome
from tasks.contracts.preconsultation import (
    ComparedSet,
    DiagnosisSet,
    InterviewSet,
    OrganizedSet,
)

_PASSING: Outcome = "transient"

Staged = InterviewSet | OrganizedSet | ComparedSet | DiagnosisSet


def may_pass(staged: Staged) -> bool:
    """Whether something in it has failed for want of an answer in time, which may come later."""
    return any(reason.endswith(f": {_PASSING}") for reason in _reasons(staged))


def _reasons(staged: Staged) -> list[str]:
    if isinstance(staged, InterviewSet):
        return [one.failed for one in staged.interviews]
    if isinstance(staged, DiagnosisSet):
        return [one.failed for one in staged.diagnoses]
    return [turn.failed for one in staged.interviews for turn in one.turns]
