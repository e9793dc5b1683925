"""Everything that can be wrong with a dialogue which a language model wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from tasks.audit.grounding.terms import ReleaseTerms
from tasks.contracts.dialogue import DialogueInput, DialogueReply, SourcedLine
from tasks.contracts.records import AdmissionRecord, AdmissionSummary
from tasks.dialogue.ages import age_violations
from tasks.dialogue.attribution import attributed
from tasks.dialogue.form import endless_violations, form_violations, lines_of, problem_violations
from tasks.dialogue.grounding import claim_violations, complaint_violations, day_violations
from tasks.dialogue.persons import death_violations, label_violations, name_violations
from tasks.dialogue.reversals import reversal_violations
from tasks.dialogue.rules import turn_count_violations, violations
from tasks.dialogue.spread import spread_of, spread_violations
from tasks.dialogue.telling import thin_violations
from tasks.dialogue.trust import (
    bare_violations,
    copy_violations,
    early_violations,
    repeat_violations,
    run_violations,
)
from tasks.dialogue.undocumented import undocumented_violations
from tasks.dialogue.violations import Violation, of_summary
from tasks.dialogue.voices import voice_violations


def additions(lines: Sequence[SourcedLine], record: AdmissionRecord) -> Iterator[Violation]:
    """What turns or a summary add to a record, or turn into its opposite."""
    yield from form_violations(lines)
    yield from name_violations(lines, record.bundle)
    yield from undocumented_violations(lines, record.bundle)
    yield from reversal_violations(lines, record.facts, record.bundle)


def _additions_of_summary(
    summary: AdmissionSummary, record: AdmissionRecord
) -> Iterator[Violation]:
    lines = lines_of(summary)
    yield from additions(lines, record)
    if not record.patient.died_in_hospital:
        yield from death_violations(lines)


@dataclass(frozen=True)
class Examined:
    """What is wrong with a dialogue; where nothing is, the dialogue with the facts it states."""

    faults: tuple[Violation, ...]
    sourced: DialogueReply | None


class Examiner(Protocol):
    """Whoever finds out what is wrong with a dialogue."""

    @property
    def given(self) -> DialogueInput:
        """What the dialogue was asked for."""
        ...

    def examine(self, reply: DialogueReply) -> Examined:
        """What is wrong with a reply, and what its turns state."""
        ...


@dataclass(frozen=True)
class Judge:
    """Knows what a dialogue was asked for, and what counts as a name in its claims."""

    given: DialogueInput
    terms: ReleaseTerms

    def examine(self, reply: DialogueReply) -> Examined:
        """What is wrong with a reply, and what its turns state."""
        faults = self.faults_of(reply)
        if faults:
            return Examined(faults, None)
        record = self.given.record
        lines = attributed(reply.conversation_lines, record.facts, record.bundle)
        return Examined((), reply.model_copy(update={"conversation_lines": lines}))

    def faults_of(self, reply: DialogueReply) -> tuple[Violation, ...]:
        """Hard rules, times and voices, and claims that the record doesn't bear out."""
        given, record, lines = self.given, self.given.record, reply.conversation_lines
        endless = (
            *endless_violations(lines),
            *of_summary(endless_violations(lines_of(reply.summary))),
        )
        if endless:
            # Nothing else is looked for in them: some checks would take minutes.
            return endless
        return (
            *violations(reply, record.bundle),
            *turn_count_violations(lines, given.minimum_turns, given.maximum_turns),
            *run_violations(lines),
            *spread_violations(lines, spread_of(given)),
            *thin_violations(lines, record.facts),
            *bare_violations(lines),
            *repeat_violations(lines),
            *copy_violations(lines, record.bundle),
            *voice_violations(lines),
            *label_violations(lines),
            *death_violations(lines),
            *age_violations(lines, record),
            *day_violations(lines, record.bundle),
            *complaint_violations(lines, reply.summary, record.facts),
            *early_violations(lines, record.facts),
            *additions(lines, record),
            *of_summary(_additions_of_summary(reply.summary, record)),
            *problem_violations(reply.summary),
            *claim_violations(lines, reply.summary, record.bundle, self.terms),
        )
