"""What a language model is shown of a query, of sources, facts and criteria."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.adapters.prompts import fenced
from tasks.contracts.rubrics import (
    Criterion,
    EvidenceBlock,
    Fact,
    IntentItem,
    Query,
    SearchHit,
    SourceText,
)


def query_part(query: Query) -> str:
    """The conversation that ends with what is asked."""
    return fenced(query.conversation, "the conversation")


def hits_part(hits: Sequence[SearchHit]) -> str:
    """What the searches found, numbered from 1."""
    listed = "\n\n".join(
        f"{number}. {one.source_name} ({one.url})\n{one.snippet}"
        for number, one in enumerate(hits, start=1)
    )
    return fenced(listed or "nothing was found", "search results")


def sources_part(sources: Sequence[SourceText]) -> str:
    """The sources' passages with their ids, sources numbered from 1."""
    listed = "\n\n".join(
        f"Source {number}: {one.source_name} ({one.url})\n"
        + "\n".join(f"[{passage.passage_id}] {passage.text}" for passage in one.passages)
        for number, one in enumerate(sources, start=1)
    )
    return fenced(listed or "no source was found", "sources")


def evidence_part(evidence: EvidenceBlock) -> str:
    """An evidence block."""
    together = evidence.synthesis
    lines = [
        f"- {one.source_name} [{', '.join(one.passage_ids)}]: {one.key_excerpt}"
        for one in evidence.evidence_sources
    ]
    for name, found in (
        ("Shared", together.consensus),
        ("Disputed", together.contention),
        ("Danger signs", together.red_flags),
    ):
        lines += [f"{name}: {one}" for one in found]
    if together.regional_context:
        lines.append(f"Depends on the place: {together.regional_context}")
    return fenced("\n".join(lines) or "no evidence was found", "evidence")


def facts_part(facts: Sequence[Fact]) -> str:
    """Facts with their ids and kinds."""
    listed = "\n".join(f"[{one.fact_id}] {one.kind.replace('_', ' ')}: {one.text}" for one in facts)
    return fenced(listed or "there are none", "facts")


def intent_part(items: Sequence[IntentItem]) -> str:
    """Intent items with their ids."""
    listed = "\n".join(
        f"[{one.intent_id}] {one.aspect.replace('_', ' ')}: {one.text}" for one in items
    )
    return fenced(listed or "there are none", "interaction intent")


def criteria_part(criteria: Sequence[Criterion], label: str = "rubric") -> str:
    """Criteria numbered from 1, with axis, points and support."""
    listed = "\n".join(
        f"{number}. [{one.axis}, {one.points}] {one.criterion}"
        + (f" (support: {', '.join(one.support)})" if one.support else "")
        for number, one in enumerate(criteria, start=1)
    )
    return fenced(listed or "there are none", label)


def basis_part(
    facts: Sequence[Fact], intent: Sequence[IntentItem], evidence: EvidenceBlock | None
) -> str:
    """What a rubric rests on, as far as the variant has it."""
    parts = [facts_part(facts)] if evidence is None else [evidence_part(evidence)]
    return "\n\n".join([*parts, intent_part(intent)])
