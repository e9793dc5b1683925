"""What is left out of a reply that the model can't put right: faulty sentences and exchanges.

Nothing is put in their place, so that nothing is said that the model didn't say.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tasks.contracts.dialogue import DialogueReply
from tasks.contracts.records import AdmissionSummary
from tasks.dialogue.speaking import exchanges_of

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])")


def without_turns(reply: DialogueReply, numbers: frozenset[int]) -> DialogueReply:
    """The reply without the exchanges that hold one of the turns, numbered anew from 1.

    With a question goes its answer: half of an exchange says nothing.
    """
    kept = [
        line
        for exchange in exchanges_of(reply.conversation_lines)
        if numbers.isdisjoint(line.turn_number for line in exchange)
        for line in exchange
    ]
    lines = tuple(
        line.model_copy(update={"turn_number": number}) for number, line in enumerate(kept, start=1)
    )
    return reply.model_copy(update={"conversation_lines": lines})


def with_sound_turns(
    reply: DialogueReply, numbers: frozenset[int], faults: Callable[[DialogueReply], int]
) -> tuple[DialogueReply, int]:
    """The reply without the sentences that make the turns faulty, and how many they were.

    ``faults`` counts what is wrong with a reply. A turn keeps one sentence at least.
    """
    left_out, found = 0, faults(reply)
    for number in sorted(numbers):
        place = 0
        while found and (shorter := _without_sentence(reply, number, place)):
            fewer = faults(shorter)
            if fewer < found:
                reply, found, left_out = shorter, fewer, left_out + 1
            else:
                place += 1
    return reply, left_out


def _without_sentence(reply: DialogueReply, number: int, place: int) -> DialogueReply | None:
    (line,) = [line for line in reply.conversation_lines if line.turn_number == number]
    sentences = _SENTENCE_END.split(line.text)
    if len(sentences) == 1 or place >= len(sentences):
        return None
    text = " ".join((*sentences[:place], *sentences[place + 1 :]))
    lines = tuple(
        one.model_copy(update={"text": text}) if one is line else one
        for one in reply.conversation_lines
    )
    return reply.model_copy(update={"conversation_lines": lines})


def with_sound_summary(
    summary: AdmissionSummary, faults: Callable[[AdmissionSummary], int]
) -> tuple[AdmissionSummary, int]:
    """The summary without the sentences and problems that make it faulty, and how many they were.

    ``faults`` counts what is wrong with a summary.
    """
    left_out, found = 0, faults(summary)
    place = 0
    while found and (shorter := _without_part(summary, place)):
        fewer = faults(shorter)
        if fewer < found:
            summary, found, left_out = shorter, fewer, left_out + 1
        else:
            place += 1
    return summary, left_out


def _without_part(summary: AdmissionSummary, place: int) -> AdmissionSummary | None:
    """The summary without its sentence or, behind all sentences, its problem at a place from 0."""
    sentences = _SENTENCE_END.split(summary.summary_paragraph)
    problems = summary.problems
    if place < len(sentences):
        # A blank stands for no text, which the rules name; the contract has no empty paragraph.
        paragraph = " ".join((*sentences[:place], *sentences[place + 1 :])) or " "
        return summary.model_copy(update={"summary_paragraph": paragraph})
    first = place - len(sentences)
    if first >= len(problems):
        return None
    return summary.model_copy(update={"problems": (*problems[:first], *problems[first + 1 :])})
