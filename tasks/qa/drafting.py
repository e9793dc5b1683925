"""Drafts questions of one type from its candidates."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.contracts.questions import QuestionType
from tasks.qa.absence import AbsentTargets
from tasks.qa.candidates import Candidate
from tasks.qa.composing import Composer, Draft
from tasks.qa.derivation import operands
from tasks.qa.selection import Picker
from tasks.qa.stays import PatientStays

_TRIES = 40


class Drafter:
    """Answerable questions and their adversarial copies, drawn from the same candidates alike."""

    def __init__(
        self,
        patient: PatientStays,
        candidates: Sequence[Candidate],
        picker: Picker,
        composer: Composer,
    ) -> None:
        self._patient = patient
        self._candidates = candidates
        self._picker = picker
        self._composer = composer

    def answerable(self, question_type: QuestionType, *, filler: bool = False) -> Draft | None:
        """The next answerable question; None when the record supplies no other one.

        Candidates that say nothing of their type's matter are used with ``filler`` only.
        """
        while (candidate := self._picker.pick(filler=filler)) is not None:
            draft = self._composer.compose(candidate, question_type)
            if draft is not None and self._follows(draft):
                return draft
        return None

    def _follows(self, draft: Draft) -> bool:
        """The answer follows from the cited turns, and from no fewer of them.

        Candidates are made so; what another turn happens to say can still make one superfluous.
        """
        cites = sorted(set(draft.candidate.cites))
        turns = [self._patient.stays[cite.stay].shown[cite.turn] for cite in cites]
        return operands(draft.question, draft.candidate.answer, turns) == len(turns)

    def adversarial(
        self,
        absent: AbsentTargets,
        hosts: list[Candidate] | None = None,
        *,
        filler: bool = False,
    ) -> Draft | None:
        """The next adversarial question; None where no candidate has an absent counterpart.

        The copied candidate is the last of ``hosts``, which are those that were asked and are used
        up, as far as one of them can be copied: so both kinds of question have the same forms.
        Targets that the cohort knows come first: others would be seen in adversarial questions
        only. Fillers are copied with ``filler`` only, where answerable questions are fillers too.
        """
        while hosts:
            draft = self._copy(hosts.pop(), absent, common=False)
            if draft:
                return draft
        for _ in range(_TRIES):
            host = self._picker.pick(keep=True, filler=filler)
            draft = host and self._copy(host, absent, common=False)
            if draft:
                return draft
        copies = (
            self._copy(host, absent, common=common)
            for common in (False, True)
            for host in self._candidates
            if filler or not host.filler
        )
        return next(filter(None, copies), None)

    def _copy(self, host: Candidate, absent: AbsentTargets, *, common: bool) -> Draft | None:
        copy = absent.copy(host, common=common)
        return copy and self._composer.compose(copy, QuestionType.ADVERSARIAL)
