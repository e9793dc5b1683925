"""The programmatic provider's part in the pipeline: every role by rules, offline.

Not a language model: facts are sentences of the sources, relevance is shared words, intents are
templates, the audit is one of coverage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel

from tasks.adapters.programmatic import Rules
from tasks.contracts.rubrics import (
    Criterion,
    FactKind,
    IntentItem,
    Language,
)
from tasks.rubrics.pipeline.cues import has_cue, key_words
from tasks.rubrics.pipeline.evidence_rules import (
    cite_sources,
    drop_irrelevant,
    extract_facts,
    plan_searches,
    rank_hits,
)
from tasks.rubrics.pipeline.shapes import (
    AuditReply,
    AuditTask,
    DirectReply,
    DirectTask,
    DraftCriterion,
    EvidenceReply,
    FactsReply,
    IntentReply,
    IntentTask,
    PlainCriterion,
    RelevanceReply,
    RerankReply,
    RouterReply,
    RubricReply,
    RubricTask,
)
from tasks.rubrics.pipeline.templates import (
    criterion_of_fact,
    criterion_of_intent,
    promise_criterion,
    wording,
)

_MOST_MISSING = 3
_DRAFTED: Mapping[FactKind, int] = {"positive": 7, "negative": 2, "red_flag": 2}


def read_intent(task: IntentTask) -> IntentReply:
    """Who asks, what they did not say, and how to speak to them, by cues."""
    words = wording(task.query.language)
    said = task.query.said.casefold()
    persona = _first_cued(words.personas, said) or words.other_persona
    missing = [name for name, signs in words.context.items() if not _told(signs, said)]
    asked = [name for name, cues in words.requests.items() if _told(cues, said)]
    return IntentReply(
        persona=persona,
        missing_context=missing[:_MOST_MISSING],
        tone=words.tones[1 if has_cue(said, words.worried_cues) else 0],
        requests=[*asked[:2], words.honest_limits],
    )


def draft_rubric(task: RubricTask) -> RubricReply:
    """A criterion an intent item and a fact, of each kind the nearest; without facts, one a
    consensus and a danger sign. What is left out is the auditor's to find.
    """
    language = task.query.language
    facts = [
        fact
        for kind, most in _DRAFTED.items()
        for fact in [one for one in task.facts if one.kind == kind][:most]
    ]
    criteria = [criterion_of_fact(one, language) for one in facts]
    criteria += [criterion_of_intent(one, language) for one in task.intent]
    criteria += _of_evidence(task, language)
    if not any(one.points < 0 for one in criteria):
        support = next((id for one in reversed(criteria) for id in one.support), "")
        criteria.append(promise_criterion(support, language))
    return RubricReply(criteria=[_draft(one) for one in criteria])


def audit_coverage(task: AuditTask) -> AuditReply:
    """The draft with a criterion for every fact and intent item that it left out."""
    language = task.query.language
    held = {id for one in task.draft for id in one.support}
    added = [criterion_of_fact(one, language) for one in task.facts if one.fact_id not in held]
    added += [
        criterion_of_intent(one, language) for one in task.intent if one.intent_id not in held
    ]
    return AuditReply(criteria=[_draft(one) for one in (*task.draft, *added)])


def write_directly(task: DirectTask) -> DirectReply:
    """A rubric from the words of the query alone."""
    words = wording(task.query.language)
    keys = key_words(task.query)
    items = [
        IntentItem(intent_id="i1", aspect="request", text=keys),
        IntentItem(intent_id="i2", aspect="missing_context", text=next(iter(words.context))),
        IntentItem(intent_id="i3", aspect="tone", text=words.tones[0]),
    ]
    criteria = [criterion_of_intent(one, task.query.language) for one in items]
    criteria.append(promise_criterion("i1", task.query.language))
    return DirectReply(
        criteria=[
            PlainCriterion(criterion=one.criterion, axis=one.axis, points=one.points)
            for one in criteria
        ]
    )


RULES: Mapping[type[BaseModel], Rules] = {
    RouterReply: plan_searches,
    RerankReply: rank_hits,
    EvidenceReply: cite_sources,
    FactsReply: extract_facts,
    RelevanceReply: drop_irrelevant,
    IntentReply: read_intent,
    RubricReply: draft_rubric,
    AuditReply: audit_coverage,
    DirectReply: write_directly,
}
"""What the programmatic provider answers by."""


def _of_evidence(task: RubricTask, language: Language) -> list[Criterion]:
    if task.evidence is None:
        return []
    words = wording(language)
    support = [id for one in task.evidence.evidence_sources for id in one.passage_ids]
    excerpts = [(one.key_excerpt, one.passage_ids[0]) for one in task.evidence.evidence_sources]
    flags = [(one, support[0]) for one in task.evidence.synthesis.red_flags if support]
    return [
        Criterion(
            criterion=words.fact[kind].replace("{fact}", text),
            axis="accuracy" if kind == "positive" else "completeness",
            points=6 if kind == "positive" else 9,
            support=(id,),
        )
        for kind, found in (("positive", excerpts), ("red_flag", flags))
        for text, id in found
    ]


def _draft(one: Criterion) -> DraftCriterion:
    return DraftCriterion(
        criterion=one.criterion, axis=one.axis, points=one.points, support=list(one.support)
    )


def _told(signs: Iterable[str], said: str) -> bool:
    return any(re.search(sign, said) for sign in signs)


def _first_cued(named: Mapping[str, Sequence[str]], said: str) -> str | None:
    return next((name for name, cues in named.items() if any(cue in said for cue in cues)), None)
