"""Drafts questions of one type from its candidates."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.contracts.questions import QuestionType
from tasks.qa.absence import AbsentTargets
from tasks.qa.candidates import Candidate
from tasks.qa.composing import Composer, Draft
from tasks.qa.selection import Picker

_TRIES = 40


class Drafter:
    """Answerable questions and their adversarial copies, drawn from the same candidates alike."""

    def __init__(self, candidates: Sequence[Candidate], picker: Picker, composer: Composer) -> None:
        self._candidates = candidates
        self._picker = picker
        self._composer = composer

    def answerable(self, question_type: QuestionType) -> Draft | None:
        """The next answerable question; None when the record supplies no other one."""
        while (candidate := self._picker.pick()) is not None:
            draft = self._composer.compose(candidate, question_type)
            if draft is not None:
                return draft
        return None

    def adversarial(self, absent: AbsentTargets) -> Draft | None:
        """The next adversarial question; None where no candidate has an absent counterpart."""
        for _ in range(_TRIES):
            host = self._picker.pick(keep=True)
            if host is None:
                break
            draft = self._copy(host, absent)
            if draft is not None:
                return draft
        return next(filter(None, (self._copy(host, absent) for host in self._candidates)), None)

    def _copy(self, host: Candidate, absent: AbsentTargets) -> Draft | None:
        copy = absent.copy(host)
        return copy and self._composer.compose(copy, QuestionType.ADVERSARIAL)
