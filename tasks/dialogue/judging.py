"""Everything that can be wrong with a dialogue which a language model wrote."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.audit.grounding.terms import ReleaseTerms
from tasks.contracts.dialogue import DialogueInput, DialogueReply
from tasks.dialogue.ages import age_violations
from tasks.dialogue.grounding import claim_violations, day_violations
from tasks.dialogue.rules import turn_count_violations, violations
from tasks.dialogue.spread import spread_of, spread_violations
from tasks.dialogue.trust import (
    copy_violations,
    early_violations,
    name_violations,
    repeat_violations,
    run_violations,
)
from tasks.dialogue.violations import Violation
from tasks.dialogue.voices import voice_violations


@dataclass(frozen=True)
class Judge:
    """Knows what a dialogue was asked for, and what counts as a name in its claims."""

    given: DialogueInput
    terms: ReleaseTerms

    def faults_of(self, reply: DialogueReply) -> tuple[Violation, ...]:
        """Hard rules, times and voices, and claims that the record doesn't bear out."""
        given, record, lines = self.given, self.given.record, reply.conversation_lines
        return (
            *violations(reply, record.bundle),
            *turn_count_violations(lines, given.minimum_turns, given.maximum_turns),
            *run_violations(lines),
            *spread_violations(lines, spread_of(given)),
            *repeat_violations(lines),
            *copy_violations(lines, record.bundle),
            *voice_violations(lines),
            *name_violations(lines),
            *age_violations(lines, record),
            *day_violations(lines, record.bundle),
            *early_violations(lines, record.facts),
            *claim_violations(lines, reply.summary, record.bundle, self.terms),
        )
