"""One admission's dialogue: ask the provider, check the hard rules, send back what breaks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from pydantic import BaseModel

from tasks.adapters.programmatic import Rules
from tasks.adapters.prompts import repair_message
from tasks.audit.grounding.terms import build_terms
from tasks.audit.grounding.turns import audit_turns
from tasks.contracts.audit import AuditSession
from tasks.contracts.chat import ChatModel, ChatReply, ChatRequest
from tasks.contracts.dialogue import (
    AdmissionDialogue,
    DialogueInput,
    DialogueReply,
    PromptRecord,
    SourcedLine,
)
from tasks.contracts.errors import ReplyInvalid
from tasks.contracts.records import AdmissionBundle, AdmissionRecord, AdmissionSummary
from tasks.dialogue.composition import compose_dialogue
from tasks.dialogue.messages import render_messages
from tasks.dialogue.rules import turn_count_violations, turn_range, violations
from tasks.dialogue.tracing import trace_turns

RULES: Mapping[type[BaseModel], Rules] = {DialogueReply: compose_dialogue}
"""What the programmatic provider answers dialogue requests with."""

MAXIMUM_REPAIRS = 3
MAXIMUM_RETELLINGS = 3

_SECONDS_A_DAY = 86_400


def synthesise(
    record: AdmissionRecord, previous: AdmissionSummary | None, model: ChatModel
) -> AdmissionDialogue:
    """Write an admission's dialogue and summary (spec section 5).

    Raises ReplyInvalid when the reply still breaks a hard rule after three repairs.
    """
    bundle = record.bundle.model_copy(update={"previous_admission_summary": previous})
    minimum, maximum = turn_range(bundle.admission_start, bundle.admission_end)
    given = DialogueInput(
        record=record.model_copy(update={"bundle": bundle}),
        minimum_turns=minimum,
        maximum_turns=maximum,
    )
    request = ChatRequest(partial(render_messages, given), given, DialogueReply)
    reply = _accepted_reply(request, given, model)
    for _ in range(MAXIMUM_RETELLINGS if model.provider == "programmatic" else 0):
        doubted = doubted_facts(reply.parsed.conversation_lines, bundle)
        if not doubted:
            break
        given = _without(given, doubted)
        request = ChatRequest(partial(render_messages, given), given, DialogueReply)
        reply = _accepted_reply(request, given, model)
    return AdmissionDialogue(
        bundle=bundle,
        lines=reply.parsed.conversation_lines,
        summary=reply.parsed.summary,
        prompt_record=_prompt_record(request, reply, bundle, (minimum, maximum), model),
        evidence=trace_turns(reply.parsed.conversation_lines, record.facts, bundle),
    )


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


def _accepted_reply(
    request: ChatRequest[DialogueReply], given: DialogueInput, model: ChatModel
) -> ChatReply[DialogueReply]:
    reply = model.complete(request)
    broken = _violations(reply.parsed, given)
    for _ in range(MAXIMUM_REPAIRS if model.provider != "programmatic" else 0):
        if not broken:
            break
        reply = model.complete(repair_message(request, reply.parsed, broken, domain="dialogue"))
        broken = _violations(reply.parsed, given)
    if broken:
        raise ReplyInvalid(
            f"admission {given.record.bundle.hadm_id}: the dialogue breaks {len(broken)} rules: "
            + "; ".join(broken[:3]),
            broken,
        )
    return reply


def _violations(reply: DialogueReply, given: DialogueInput) -> tuple[str, ...]:
    return (
        *violations(reply, given.record.bundle, given.record.facts),
        *turn_count_violations(reply.conversation_lines, given.minimum_turns, given.maximum_turns),
    )


def _prompt_record(
    request: ChatRequest[DialogueReply],
    reply: ChatReply[DialogueReply],
    bundle: AdmissionBundle,
    turns: tuple[int, int],
    model: ChatModel,
) -> PromptRecord:
    stay = bundle.admission_end - bundle.admission_start
    return PromptRecord(
        provider=model.provider,
        model=model.model,
        temperature=model.temperature,
        request_timestamp=reply.request_timestamp,
        system_message=request.system_message,
        task_message=request.task_message,
        previous_admission_summary=bundle.previous_admission_summary,
        stay_days=round(stay.total_seconds() / _SECONDS_A_DAY, 2),
        recommended_turn_range=turns,
        api_usage=reply.usage,
        response_id=reply.response_id,
        latency_ms=reply.latency_ms,
        structured_reply=reply.parsed,
    )
