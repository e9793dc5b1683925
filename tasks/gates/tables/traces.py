"""The dialogues gate's table ``dialogues_evidence``: a row an item behind a turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.evidence import EvidenceItem, follow


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One item of evidence; ``id`` is ``HADM_ID#TURN#FACT``."""

    id: str
    turn_exists: bool
    stated_in_reply: bool
    unresolved_pointers: int
    span_inside_text: bool


def evidence_rows(dialogue: AdmissionDialogue) -> Iterator[EvidenceRow]:
    """A row an item of a dialogue's ``evidence.json``, in its order."""
    packet = dialogue.bundle.model_dump(mode="json")
    turns = {line.turn_number for line in dialogue.lines}
    replied = _replied(dialogue)
    for turn in dialogue.evidence.turns:
        for item in turn.items:
            found = [follow(packet, pointer) for pointer in item.pointers]
            yield EvidenceRow(
                id=f"{dialogue.bundle.hadm_id}#{turn.turn_number}#{item.fact_id}",
                turn_exists=turn.turn_number in turns,
                stated_in_reply=(turn.turn_number, item.fact_id) in replied,
                unresolved_pointers=sum(one is None for one in found),
                span_inside_text=_fits(item, found),
            )


def untraced_facts(dialogue: AdmissionDialogue) -> int:
    """How many facts the reply says a turn states, that ``evidence.json`` doesn't trace."""
    traced = {
        (turn.turn_number, item.fact_id) for turn in dialogue.evidence.turns for item in turn.items
    }
    return len(_replied(dialogue) - traced)


def _replied(dialogue: AdmissionDialogue) -> set[tuple[int, str]]:
    return {
        (line.turn_number, source)
        for line in dialogue.prompt_record.structured_reply.conversation_lines
        for source in (*line.sources, *line.touches)
    }


def _fits(item: EvidenceItem, found: list[Any]) -> bool:
    """A note's item names characters that are there; other items name none."""
    texts = [one for one, pointer in zip(found, item.pointers, strict=True) if _is_note(pointer)]
    if not texts:
        return item.start is None and item.end is None
    text = str(texts[0] or "")
    if item.start is None or item.end is None or not 0 <= item.start < item.end <= len(text):
        return False
    return bool(text[item.start : item.end].strip())


def _is_note(pointer: str) -> bool:
    return pointer.endswith("/text")
