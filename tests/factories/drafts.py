"""Drafts of dialogues as a good language model would write them: the programmatic provider's."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from tasks.adapters.programmatic import Rules
from tasks.contracts.dialogue import DialogueInput, DialogueReply
from tasks.dialogue.composition import compose_dialogue
from tasks.dialogue.drafts import DialogueDraft, SummaryPatch, TurnPatch, TurnText
from tasks.dialogue.messages import reply_text
from tasks.dialogue.patching import SummaryAtFault, TurnsAtFault


def draft_of(reply: DialogueReply) -> DialogueDraft:
    """A reply in the loose shape of a draft."""
    return DialogueDraft.model_validate_json(reply_text(reply))


def composed_draft(given: DialogueInput) -> DialogueDraft:
    """A draft that breaks no rule."""
    return draft_of(compose_dialogue(given))


def harmless_texts(asked: TurnsAtFault) -> TurnPatch:
    """Texts without a claim, each different from the others."""
    return TurnPatch(
        turns=[
            TurnText(turn_number=number, text=f"I see what you mean {'and ' * number}thank you.")
            for number in asked.numbers
        ]
    )


def composed_summary(asked: SummaryAtFault) -> SummaryPatch:
    """The programmatic provider's summary."""
    summary = compose_dialogue(asked.given).summary
    return SummaryPatch(
        summary_paragraph=summary.summary_paragraph, problems=list(summary.problems)
    )


DRAFT_RULES: Mapping[type[BaseModel], Rules] = {
    DialogueDraft: composed_draft,
    TurnPatch: harmless_texts,
    SummaryPatch: composed_summary,
}
"""What a scripted language model answers dialogue requests with."""
