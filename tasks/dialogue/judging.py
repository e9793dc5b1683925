"""Everything that can be wrong with a dialogue which a language model wrote."""

from __future__ import annotations

from tasks.contracts.dialogue import DialogueInput, DialogueReply
from tasks.dialogue.ages import age_violations
from tasks.dialogue.grounding import claim_violations, day_violations
from tasks.dialogue.rules import turn_count_violations, violations
from tasks.dialogue.spread import spread_of, spread_violations
from tasks.dialogue.trust import (
    copy_violations,
    early_violations,
    repeat_violations,
    run_violations,
)
from tasks.dialogue.violations import Violation
from tasks.dialogue.voices import voice_violations


def faults_of(reply: DialogueReply, given: DialogueInput) -> tuple[Violation, ...]:
    """Hard rules, times and voices, and claims that the record doesn't bear out, in that order."""
    record, lines = given.record, reply.conversation_lines
    return (
        *violations(reply, record.bundle),
        *turn_count_violations(lines, given.minimum_turns, given.maximum_turns),
        *run_violations(lines),
        *spread_violations(lines, spread_of(given)),
        *repeat_violations(lines),
        *copy_violations(lines, record.bundle),
        *voice_violations(lines),
        *age_violations(lines, record),
        *day_violations(lines, record.bundle),
        *early_violations(lines, record.facts),
        *claim_violations(lines, reply.summary, record.bundle),
    )
