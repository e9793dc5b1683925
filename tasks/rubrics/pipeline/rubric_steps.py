"""Steps from facts and intent to a rubric: intent, draft, audit."""

from __future__ import annotations

from tasks.contracts.errors import ItemFailed
from tasks.contracts.rubric_trace import RoleOutput
from tasks.rubrics.asking import Faults
from tasks.rubrics.pipeline import drafts, shapes
from tasks.rubrics.pipeline.enforcing import enforce
from tasks.rubrics.pipeline.messages import basis_part, criteria_part, query_part
from tasks.rubrics.pipeline.step_input import StepInput, output

_NO_SUPPORT = (
    "rubric: neither the evidence nor the intent holds anything that a criterion could rest on; "
    "search a larger corpus, or leave this query out"
)


def read_intent(step: StepInput) -> RoleOutput:
    """Read what an answer heeds beside medical facts."""
    reply = step.asked.reply(
        "intent",
        {"query": query_part(step.query)},
        shapes.IntentTask(query=step.query),
        shapes.IntentReply,
    )
    return output(step, "intent", intent=drafts.intent_items(reply))


def write_rubric(step: StepInput) -> RoleOutput:
    """Draft a rubric; raises ItemFailed where there is nothing to draft it from."""
    if step.variant == "direct":
        return _write_directly(step)
    if not step.known_ids:
        raise ItemFailed(_NO_SUPPORT)
    reply = step.asked.reply(
        "rubric",
        {
            "query": query_part(step.query),
            "basis": basis_part(step.facts, step.intent, step.evidence),
        },
        shapes.RubricTask(
            query=step.query, facts=step.facts, intent=step.intent, evidence=step.evidence
        ),
        shapes.RubricReply,
        lambda one: _rubric_faults(step, one),
    )
    return output(step, "rubric", criteria=drafts.criteria_of(reply.criteria, step.known_ids))


def _rubric_faults(step: StepInput, reply: shapes.RubricReply) -> Faults:
    """A draft may be too long or lack a prohibition where an auditor mends that."""
    if step.variant == "without-audit":
        return drafts.rubric_faults(reply.criteria, step.known_ids)
    return drafts.draft_faults(reply.criteria, step.known_ids)


def _write_directly(step: StepInput) -> RoleOutput:
    reply = step.asked.reply(
        "direct",
        {"query": query_part(step.query)},
        shapes.DirectTask(query=step.query),
        shapes.DirectReply,
        lambda one: drafts.rubric_faults(one.criteria, None),
    )
    return output(step, "rubric", criteria=drafts.criteria_of(reply.criteria, ()))


def audit(step: StepInput) -> RoleOutput:
    """Audit the draft, and hold it to the rules of every rubric."""
    draft = step.given["rubric"].criteria or ()
    reply = step.asked.reply(
        "auditor",
        {
            "query": query_part(step.query),
            "draft": criteria_part(draft, "draft rubric"),
            "basis": basis_part(step.facts, step.intent, step.evidence),
        },
        shapes.AuditTask(
            query=step.query,
            draft=draft,
            facts=step.facts,
            intent=step.intent,
            evidence=step.evidence,
        ),
        shapes.AuditReply,
        lambda one: drafts.draft_faults(one.criteria, step.known_ids),
    )
    drafted = drafts.criteria_of(reply.criteria, step.known_ids)
    criteria, dropped = enforce(drafted, step.facts, step.known_ids, step.query.language)
    return output(step, "auditor", criteria=criteria, dropped=dropped)
