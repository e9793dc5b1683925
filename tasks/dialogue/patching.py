"""Small repairs: other texts for single turns, or another summary, while the rest stays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tasks.contracts.base import Contract
from tasks.contracts.chat import ChatModel, ChatRequest
from tasks.contracts.dialogue import DialogueInput, DialogueReply, SourcedLine
from tasks.contracts.errors import ReplyMalformed
from tasks.contracts.records import AdmissionSummary
from tasks.dialogue.drafts import SummaryPatch, patch_of, with_summary, with_texts
from tasks.dialogue.messages import render_patch, render_summary
from tasks.dialogue.violations import Violation


class TurnsAtFault(Contract):
    """What a request for other texts is about."""

    lines: tuple[SourcedLine, ...]
    numbers: tuple[int, ...]


class SummaryAtFault(Contract):
    """What a request for another summary is about."""

    given: DialogueInput
    summary: AdmissionSummary


def turns_at_fault(broken: Sequence[Violation]) -> tuple[int, ...]:
    """Numbers of the turns that another text can mend."""
    return tuple(sorted({one.place for one in broken if isinstance(one.place, int)}))


def patched(
    reply: DialogueReply,
    broken: Sequence[Violation],
    given: DialogueInput,
    model: ChatModel,
    attempt: int,
) -> DialogueReply:
    """The reply with the turns at fault, or else its summary, written again.

    It comes back as it was where the model's answer is of another shape.
    """
    numbers = turns_at_fault(broken)
    try:
        if numbers:
            lines = reply.conversation_lines
            turns = ChatRequest(
                partial(render_patch, given, lines, broken),
                TurnsAtFault(lines=lines, numbers=numbers),
                patch_of(numbers),
                attempt=attempt,
            )
            return with_texts(reply, model.complete(turns).parsed, numbers)
        summary = ChatRequest(
            partial(render_summary, given, reply.summary, broken),
            SummaryAtFault(given=given, summary=reply.summary),
            SummaryPatch,
            attempt=attempt,
        )
        return with_summary(reply, model.complete(summary).parsed)
    except ReplyMalformed:
        return reply
