"""One admission's dialogue, composed by rules or written by a language model, and how it came."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import BaseModel

from tasks.adapters.programmatic import Rules
from tasks.audit.grounding.terms import build_terms
from tasks.audit.grounding.turns import audit_turns
from tasks.contracts.audit import AuditSession
from tasks.contracts.chat import ChatModel, ChatReply, ChatRequest
from tasks.contracts.dialogue import (
    AdmissionDialogue,
    CodeMends,
    DialogueInput,
    DialogueReply,
    PromptRecord,
    ShortenedSource,
    SourcedLine,
)
from tasks.contracts.errors import ReplyInvalid
from tasks.contracts.records import AdmissionBundle, AdmissionRecord, AdmissionSummary
from tasks.dialogue.asking import write_by_model
from tasks.dialogue.composition import compose_dialogue
from tasks.dialogue.judging import Examiner, Judge
from tasks.dialogue.messages import render_messages
from tasks.dialogue.rules import turn_count_violations, turn_range, violations
from tasks.dialogue.tracing import trace_turns

RULES: Mapping[type[BaseModel], Rules] = {DialogueReply: compose_dialogue}
"""What the programmatic provider answers dialogue requests with."""

MAXIMUM_RETELLINGS = 3

_SECONDS_A_DAY = 86_400


@dataclass(frozen=True)
class _Made:
    """An accepted reply, the messages it answers and what is known of the answer."""

    reply: DialogueReply
    request: ChatRequest[Any]
    answer: ChatReply[Any]
    left_out: ShortenedSource | None = None
    mends: CodeMends | None = None


def synthesise(
    record: AdmissionRecord,
    previous: AdmissionSummary | None,
    model: ChatModel,
    turns: tuple[int, int] | None = None,
    examiner: Callable[[DialogueInput], Examiner] | None = None,
) -> AdmissionDialogue:
    """Write an admission's dialogue and summary (spec section 5).

    ``turns`` are the fewest and most turns; null takes them from the length of stay. ``examiner``
    judges what a language model writes; null judges it by the names of this record alone. Raises
    ReplyInvalid when the reply still breaks a rule after every repair and attempt.
    """
    given = dialogue_input(record, previous, turns)
    bundle = given.record.bundle
    if model.provider == "programmatic":
        made = _composed(given, model)
    else:
        judge = examiner(given) if examiner else Judge(given, build_terms([bundle]))
        written = write_by_model(judge, model)
        made = _Made(
            written.reply, written.request, written.answer, written.left_out, written.mends
        )
    return AdmissionDialogue(
        bundle=bundle,
        lines=made.reply.conversation_lines,
        summary=made.reply.summary,
        prompt_record=_prompt_record(made, given, model),
        evidence=trace_turns(made.reply.conversation_lines, record.facts, bundle),
    )


def dialogue_input(
    record: AdmissionRecord,
    previous: AdmissionSummary | None,
    turns: tuple[int, int] | None = None,
) -> DialogueInput:
    """What a provider is given for an admission: the record after the patient's previous stay."""
    bundle = record.bundle.model_copy(update={"previous_admission_summary": previous})
    fewest, most = turns or turn_range(bundle.admission_start, bundle.admission_end)
    return DialogueInput(
        record=record.model_copy(update={"bundle": bundle}),
        minimum_turns=fewest,
        maximum_turns=most,
    )


def _composed(given: DialogueInput, model: ChatModel) -> _Made:
    """The programmatic reply, without the facts that its own grounding audit doubts."""
    made = _accepted(given, model)
    for _ in range(MAXIMUM_RETELLINGS):
        doubted = doubted_facts(made.reply.conversation_lines, given.record.bundle)
        if not doubted:
            break
        given = _without(given, doubted)
        made = _accepted(given, model)
    return made


def doubted_facts(lines: Sequence[SourcedLine], bundle: AdmissionBundle) -> frozenset[str]:
    """Facts behind turns with a claim that the grounding audit doesn't find in the record.

    What the rules read out of a note and what the audit reads in it can differ: where they do,
    the fact is left untold.
    """
    session = AuditSession.of(bundle, lines)
    audited = audit_turns(session, build_terms([bundle]))
    doubtful = {turn.turn_number for turn in audited if turn.unsupported}
    return frozenset(
        fact_id
        for line in lines
        if line.turn_number in doubtful
        for fact_id in (*line.sources, *line.touches)
    )


def _without(given: DialogueInput, doubted: frozenset[str]) -> DialogueInput:
    facts = tuple(fact for fact in given.record.facts if fact.fact_id not in doubted)
    return given.model_copy(update={"record": given.record.model_copy(update={"facts": facts})})


def _accepted(given: DialogueInput, model: ChatModel) -> _Made:
    request = ChatRequest(partial(render_messages, given), given, DialogueReply)
    answer = model.complete(request)
    reply = answer.parsed
    broken = (
        *violations(reply, given.record.bundle, given.record.facts),
        *turn_count_violations(reply.conversation_lines, given.minimum_turns, given.maximum_turns),
    )
    if broken:
        public = tuple(one.public for one in broken)
        raise ReplyInvalid(
            f"admission {given.record.bundle.hadm_id}: the dialogue breaks {len(public)} rules: "
            + "; ".join(public[:3]),
            public,
        )
    return _Made(reply, request, answer)


def _prompt_record(made: _Made, given: DialogueInput, model: ChatModel) -> PromptRecord:
    bundle = given.record.bundle
    stay = bundle.admission_end - bundle.admission_start
    return PromptRecord(
        provider=model.provider,
        model=model.model,
        temperature=model.temperature,
        request_timestamp=made.answer.request_timestamp,
        system_message=made.request.system_message,
        task_message=made.request.task_message,
        previous_admission_summary=bundle.previous_admission_summary,
        stay_days=round(stay.total_seconds() / _SECONDS_A_DAY, 2),
        recommended_turn_range=(given.minimum_turns, given.maximum_turns),
        api_usage=model.used,
        response_id=made.answer.response_id,
        latency_ms=made.answer.latency_ms,
        structured_reply=made.reply,
        shortened=made.left_out,
        mended=made.mends,
    )
