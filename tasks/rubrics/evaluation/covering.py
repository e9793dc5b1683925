"""Coverage: splits rubrics into constraints and judges each by the other rubric."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.adapters.prompts import fenced
from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ItemFailed
from tasks.contracts.rubric_results import Atom, AtomSet, Covered, QueryCoverage
from tasks.contracts.rubrics import Criterion, Rubric
from tasks.rubrics.asking import Asked, Faults
from tasks.rubrics.evaluation.shapes import AtomizeReply, AtomizeTask, EntailReply, EntailTask
from tasks.rubrics.pipeline.messages import criteria_part
from tasks.rubrics.words import coverage, word_set
from tasks.terminology.splitting import is_number

_LEAST_OWN_WORDS = 0.6
"""Share of an atom's words that its criterion has; less is a constraint that was added."""


def atomize(rubric: Rubric, name: str, model: ChatModel) -> AtomSet:
    """Split a rubric; nothing is added and no criterion lost. Raises ItemFailed."""
    if not rubric.criteria:
        return AtomSet(query_id=rubric.query_id, name=name, atoms=())
    asked = Asked(model)
    reply = asked.reply(
        "atomize",
        {"rubric": criteria_part(rubric.criteria)},
        AtomizeTask(criteria=rubric.criteria),
        AtomizeReply,
        lambda one: _faults(one, rubric.criteria),
    )
    ordered = sorted(reply.atoms, key=lambda one: one.criterion)
    return AtomSet(
        query_id=rubric.query_id,
        name=name,
        atoms=tuple(
            Atom(text=" ".join(one.text.split()), axis=rubric.criteria[one.criterion - 1].axis)
            for one in ordered
        ),
        cost=asked.cost,
    )


def cover(
    gold: AtomSet, own: AtomSet, gold_rubric: Rubric, rubric: Rubric, model: ChatModel
) -> QueryCoverage:
    """Judge gold constraints by the rubric and the rubric's by the gold one, one by one."""
    asked = Asked(model)
    return QueryCoverage(
        query_id=rubric.query_id,
        name=own.name,
        gold=_judge(gold.atoms, rubric, asked),
        own=_judge(own.atoms, gold_rubric, asked),
        cost=asked.cost,
    )


def _judge(atoms: Sequence[Atom], by: Rubric, asked: Asked) -> tuple[Covered, ...]:
    return tuple(_covered(one, by, asked) for one in atoms)


def _covered(atom: Atom, by: Rubric, asked: Asked) -> Covered:
    if not by.criteria:
        return Covered(axis=atom.axis, entailed=False)
    try:
        reply = asked.reply(
            "entail",
            {
                "rubric": criteria_part(by.criteria),
                "constraint": fenced(atom.text, "constraint"),
            },
            EntailTask(rubric=tuple(one.criterion for one in by.criteria), constraint=atom.text),
            EntailReply,
        )
    except ItemFailed as error:
        return Covered(axis=atom.axis, entailed=None, reason=str(error))
    return Covered(axis=atom.axis, entailed=reply.entailed)


def _faults(reply: AtomizeReply, criteria: Sequence[Criterion]) -> Faults:
    faults: list[str] = []
    split = {one.criterion for one in reply.atoms}
    lost = [number for number in range(1, len(criteria) + 1) if number not in split]
    if lost:
        faults.append(f"atoms: none for criteria {lost}")
    if unknown := sorted(split - set(range(1, len(criteria) + 1))):
        faults.append(f"atoms: there is no criterion {unknown}")
    for place, one in enumerate(reply.atoms, start=1):
        if 1 <= one.criterion <= len(criteria):
            faults += _added(place, one.text, criteria[one.criterion - 1].criterion)
    return tuple(faults)


def _added(place: int, atom: str, criterion: str) -> list[str]:
    if " ".join(atom.split()) in criterion:
        return []
    words, own = word_set(atom), word_set(criterion)
    numbers = sorted(word for word in words - own if is_number(word))
    if numbers:
        return [f"atom {place}: the numbers {numbers} don't stand in its criterion"]
    if words and coverage(words, own) < _LEAST_OWN_WORDS:
        return [f"atom {place}: says what its criterion doesn't; only split, never add"]
    return []
