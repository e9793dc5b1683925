"""Steps from a query to its facts: search, evidence, atomic facts, relevance."""

from __future__ import annotations

from tasks.contracts.rubric_trace import RoleOutput
from tasks.contracts.rubrics import (
    EvidenceBlock,
    Passage,
    SearchHit,
    SearchPlan,
    SourceText,
    Synthesis,
)
from tasks.rubrics.pipeline import drafts, shapes
from tasks.rubrics.pipeline.messages import (
    evidence_part,
    facts_part,
    hits_part,
    query_part,
    sources_part,
)
from tasks.rubrics.pipeline.step_input import StepInput, output
from tasks.rubrics.retrieval.passages import passages
from tasks.rubrics.retrieval.searching import RESULTS_A_QUERY, SOURCE_CHARACTERS


def route(step: StepInput) -> RoleOutput:
    """Plan the searches."""
    reply = step.asked.reply(
        "router",
        {"query": query_part(step.query)},
        shapes.RouterTask(query=step.query),
        shapes.RouterReply,
        drafts.router_faults,
    )
    plan = SearchPlan(
        intent_category=reply.intent_category,
        search_queries=tuple(drafts.clean(reply.search_queries)),
    )
    return output(step, "router", plan=plan)


def search(step: StepInput) -> RoleOutput:
    """Two results a search, each address once."""
    found: dict[str, SearchHit] = {}
    for query in step.plan.search_queries:
        for hit in step.search.search(query, RESULTS_A_QUERY) if step.search else ():
            found.setdefault(hit.url, hit)
    return output(step, "search", hits=tuple(found.values()))


def rerank(step: StepInput) -> RoleOutput:
    """Pick the five best hits."""
    best: list[int] = []
    if step.hits:
        reply = step.asked.reply(
            "reranker",
            {"query": query_part(step.query), "hits": hits_part(step.hits)},
            shapes.RerankTask(query=step.query, hits=step.hits),
            shapes.RerankReply,
        )
        best = reply.best
    return output(step, "reranker", picked=drafts.picked(best, len(step.hits)))


def extract(step: StepInput) -> RoleOutput:
    """The main text of every picked source, up to 5,000 characters; else the snippet."""
    sources: list[SourceText] = []
    numbered = 0
    for place in step.given["reranker"].picked or ():
        hit = step.hits[place]
        text = step.search.main_text(hit) if step.search else None
        read = (text or hit.snippet)[:SOURCE_CHARACTERS]
        pieces = [one for one in passages(read) if one.text != hit.source_name]
        sources.append(
            SourceText(
                source_name=hit.source_name,
                url=hit.url,
                fell_back=not text,
                characters=len(read),
                passages=tuple(
                    Passage(
                        passage_id=f"p{numbered + number}",
                        source=len(sources),
                        offset=piece.offset,
                        text=piece.text,
                    )
                    for number, piece in enumerate(pieces, start=1)
                ),
            )
        )
        numbered += len(pieces)
    return output(step, "extraction", sources=tuple(sources))


def synthesise_evidence(step: StepInput) -> RoleOutput:
    """Put together what the sources say."""
    plan = step.plan
    reply = shapes.EvidenceReply(
        sources=[], consensus=[], contention=[], red_flags=[], regional_context=""
    )
    if step.sources:
        reply = step.asked.reply(
            "evidence",
            {"query": query_part(step.query), "sources": sources_part(step.sources)},
            shapes.EvidenceTask(query=step.query, plan=plan, sources=step.sources),
            shapes.EvidenceReply,
        )
    block = EvidenceBlock(
        intent_category=plan.intent_category,
        search_queries_used=plan.search_queries,
        evidence_sources=drafts.cited_sources(reply.sources, step.sources),
        synthesis=Synthesis(
            consensus=tuple(drafts.clean(reply.consensus)),
            contention=tuple(drafts.clean(reply.contention)),
            red_flags=tuple(drafts.clean(reply.red_flags)),
            regional_context=reply.regional_context,
        ),
    )
    return output(step, "evidence", evidence=block)


def extract_facts(step: StepInput) -> RoleOutput:
    """Split the evidence into atomic facts."""
    if step.evidence is None or not step.evidence.evidence_sources:
        return output(step, "facts", facts=())
    cited = {one.url for one in step.evidence.evidence_sources}
    sources = tuple(one for one in step.sources if one.url in cited)
    known = frozenset(one.passage_id for source in sources for one in source.passages)
    reply = step.asked.reply(
        "facts",
        {
            "query": query_part(step.query),
            "evidence": evidence_part(step.evidence),
            "sources": sources_part(sources),
        },
        shapes.FactsTask(query=step.query, evidence=step.evidence, sources=sources),
        shapes.FactsReply,
        lambda one: drafts.facts_faults(one, known),
    )
    facts, dropped = drafts.facts_of(reply, known)
    return output(step, "facts", facts=facts, dropped=dropped)


def filter_facts(step: StepInput) -> RoleOutput:
    """Leave out facts that have no bearing on the query."""
    irrelevant: list[str] = []
    if any(one.kind == "positive" for one in step.facts):
        reply = step.asked.reply(
            "relevance",
            {"query": query_part(step.query), "facts": facts_part(step.facts)},
            shapes.RelevanceTask(query=step.query, facts=step.facts),
            shapes.RelevanceReply,
        )
        irrelevant = reply.irrelevant
    kept, dropped = drafts.relevant(step.facts, irrelevant)
    return output(step, "relevance", facts=kept, dropped=dropped)
