"""Refinement: critique with a rubric, an edit plan, and an editor that does nothing else."""

from __future__ import annotations

from tasks.adapters.prompts import fenced
from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ItemFailed
from tasks.contracts.rubric_results import BaseAnswer, Edit, Refinement, ScoredAnswer
from tasks.contracts.rubrics import Query, Rubric
from tasks.rubrics.asking import Asked, Faults, name_of
from tasks.rubrics.evaluation.judging import score
from tasks.rubrics.evaluation.shapes import (
    AnswerReply,
    AnswerTask,
    CritiqueReply,
    CritiqueTask,
    EditReply,
    EditTask,
)
from tasks.rubrics.pipeline.messages import criteria_part, query_part

MOST_EDITS = 8


def answer(query: Query, model: ChatModel) -> BaseAnswer:
    """A base answer; raises ItemFailed."""
    asked = Asked(model)
    reply = asked.reply(
        "answer", {"query": query_part(query)}, AnswerTask(query=query), AnswerReply
    )
    return BaseAnswer(
        query_id=query.query_id,
        answer=reply.answer.strip(),
        generator=name_of(model),
        cost=asked.cost,
    )


def refine(
    query: Query,
    base: BaseAnswer,
    rubric: Rubric | None,
    name: str,
    gold: Rubric,
    critic: ChatModel,
    editor: ChatModel,
    judge: ChatModel,
) -> Refinement:
    """Criticise, edit and judge one base answer; ``rubric`` is None for the self-critique."""
    criticised, edited = Asked(critic), Asked(editor)
    plan: tuple[Edit, ...] = ()
    text: str | None = None
    scored: ScoredAnswer | None = None
    try:
        plan = _plan(query, base.answer, rubric, criticised)
        text = _edit(query, base.answer, plan, edited) if plan else base.answer
    except ItemFailed as error:
        reason = str(error)
    else:
        scored = score(query, gold, text, judge)
        reason = scored.reason
    return Refinement(
        query_id=query.query_id,
        name=name,
        plan=plan,
        answer=text,
        scored=scored,
        reason=reason,
        critic_cost=criticised.cost,
        editor_cost=edited.cost,
    )


def _plan(query: Query, text: str, rubric: Rubric | None, asked: Asked) -> tuple[Edit, ...]:
    criteria = rubric.criteria if rubric else ()
    texts = {"query": query_part(query), "answer": fenced(text, "the answer")}
    if rubric is not None:
        texts["rubric"] = criteria_part(criteria)
    reply = asked.reply(
        "critique" if rubric is not None else "self_critique",
        texts,
        CritiqueTask(query=query, criteria=criteria, answer=text),
        CritiqueReply,
        _too_many,
    )
    edits = sorted(reply.edits, key=lambda one: one.priority)
    return tuple(
        Edit(priority=place, action=one.action, instruction=" ".join(one.instruction.split()))
        for place, one in enumerate(edits, start=1)
    )


def _edit(query: Query, text: str, plan: tuple[Edit, ...], asked: Asked) -> str:
    listed = "\n".join(f"{one.priority}. {one.action}: {one.instruction}" for one in plan)
    reply = asked.reply(
        "edit",
        {
            "query": query_part(query),
            "answer": fenced(text, "the answer"),
            "plan": fenced(listed, "edit plan"),
        },
        EditTask(query=query, answer=text, plan=plan),
        EditReply,
    )
    return reply.answer.strip()


def _too_many(reply: CritiqueReply) -> Faults:
    if len(reply.edits) > MOST_EDITS:
        return (f"edits: found {len(reply.edits)}, expected at most {MOST_EDITS}",)
    return ()
