"""Holds an interview's facts against its disease's guidelines (spec section 2, step 4)."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.adapters.resources import read_prompt
from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ModelFailed, ReplyMalformed
from tasks.contracts.preconsultation import (
    ComparedInterview,
    Guideline,
    Language,
    Match,
    OrganizedInterview,
    TurnMatches,
    TurnUnits,
    Unit,
)
from tasks.preconsultation.requests import compare_request
from tasks.preconsultation.shapes import NONE_OF_ABOVE, ComparedTurn, CompareTask

_Read = dict[int, str]


def compare(
    organized: OrganizedInterview,
    disease: str,
    guidelines: Sequence[Guideline],
    language: Language,
    comparer: ChatModel,
) -> ComparedInterview:
    """The guideline of every fact, verbatim; ``guidelines`` are those of every disease."""
    texts = tuple(one.symptom for one in guidelines if one.disease == disease)
    turns = tuple(_compared(one, disease, texts, language, comparer) for one in organized.turns)
    return ComparedInterview(pid=organized.pid, turns=turns)


def _compared(
    turn: TurnUnits,
    disease: str,
    texts: tuple[str, ...],
    language: Language,
    comparer: ChatModel,
) -> TurnMatches:
    """Facts without a verbatim reply after asking again are errors; a failure is of the turn."""
    found: tuple[Match, ...] = ()
    failed = turn.failed
    if turn.units and not failed:
        task = CompareTask(
            language=language,
            disease=disease,
            guidelines=texts,
            statements=tuple(one.statement for one in turn.units),
        )
        try:
            found = _matches(turn.units, _asked_twice(task, comparer))
        except ModelFailed as failure:
            failed = f"comparer: {failure.outcome}"
    return TurnMatches(
        number=turn.number,
        matches=found,
        unsupported=turn.unsupported,
        duplicates=turn.duplicates,
        failed=failed,
    )


def _asked_twice(task: CompareTask, comparer: ChatModel) -> _Read:
    """What is verbatim of a reply, and of a second one where it isn't all."""
    request = compare_request(task)
    try:
        reply = comparer.complete(request).parsed
        content = reply.model_dump_json()
        read = verbatim(reply, task)
    except ReplyMalformed as error:
        content, read = error.content, {}
    if len(read) == len(task.statements):
        return read
    again = request.answered(content, read_prompt("preconsultation", f"{task.language}/again.md"))
    try:
        return {**verbatim(comparer.complete(again).parsed, task), **read}
    except ReplyMalformed:
        return read


def verbatim(reply: ComparedTurn, task: CompareTask) -> _Read:
    """The replies that are a guideline letter for letter or none, by the place of their fact.

    A reply of another length can't be told apart by facts: nothing of it is read.
    """
    if len(reply.matches) != len(task.statements):
        return {}
    accepted = {*task.guidelines, NONE_OF_ABOVE}
    given = (text.strip() for text in reply.matches)
    return {place: text for place, text in enumerate(given) if text in accepted}


def _matches(units: Sequence[Unit], read: _Read) -> tuple[Match, ...]:
    found = (read.get(place) for place in range(len(units)))
    return tuple(
        Match(
            unit=unit,
            guideline=None if text == NONE_OF_ABOVE else text,
            is_error=text is None,
        )
        for unit, text in zip(units, found, strict=True)
    )
