"""The programmatic provider's part in finding evidence: searches, sources, facts, relevance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tasks.contracts.rubrics import Passage, SourceText
from tasks.rubrics.pipeline.cues import has_cue, key_words
from tasks.rubrics.pipeline.shapes import (
    CitedSource,
    DraftFact,
    EvidenceReply,
    EvidenceTask,
    FactsReply,
    FactsTask,
    RelevanceReply,
    RelevanceTask,
    RerankReply,
    RerankTask,
    RouterReply,
    RouterTask,
)
from tasks.rubrics.pipeline.templates import wording
from tasks.rubrics.retrieval.passages import sentences
from tasks.rubrics.words import coverage, word_set

_KEPT_POSITIVE = 6
_NEAR_SHARE = 0.5
_CITED_PASSAGES = 3
_SHORTEST_FACT = 12


def plan_searches(task: RouterTask) -> RouterReply:
    """The words of the last question, alone and aimed at four kinds of sources."""
    query, words = task.query, wording(task.query.language)
    said = query.said.casefold()
    category = next(
        (name for name, cues in words.categories.items() if any(cue in said for cue in cues)),
        words.other_category,
    )
    keys = key_words(query)
    searches = [one.replace("{words}", keys).strip() for one in words.searches]
    return RouterReply(intent_category=category, search_queries=searches)


def rank_hits(task: RerankTask) -> RerankReply:
    """By the search's own score; of equals the first found."""
    order = sorted(range(len(task.hits)), key=lambda place: (-task.hits[place].score, place))
    return RerankReply(best=[place + 1 for place in order])


def cite_sources(task: EvidenceTask) -> EvidenceReply:
    """Sources at least half as near to the query as the nearest, with their nearest passages."""
    asked = word_set(task.query.said)
    near = [_nearness(asked, source) for source in task.sources]
    least = _NEAR_SHARE * max(near, default=0.0)
    cited = [
        _cited(place, source, asked)
        for place, source in enumerate(task.sources, start=1)
        if near[place - 1] > 0 and near[place - 1] >= least
    ]
    words = wording(task.query.language)
    said = [
        one.text
        for source in cited
        for passage in task.sources[source.source - 1].passages
        if passage.passage_id in source.passage_ids
        for one in sentences(passage.text)
    ]
    regional = next((one for one in said if has_cue(one, words.regional_cues)), "")
    return EvidenceReply(
        sources=cited,
        consensus=[one for one in said if word_set(one) & asked][:5],
        contention=[],
        red_flags=[one for one in said if has_cue(one, words.red_flag_cues)][:5],
        regional_context=regional,
    )


def extract_facts(task: FactsTask) -> FactsReply:
    """Every sentence of the cited sources, by its cues; nearest to the query first."""
    words = wording(task.query.language)
    asked = word_set(task.query.said)
    cited = {one.url for one in task.evidence.evidence_sources}
    lists: dict[str, list[DraftFact]] = {"positive": [], "negative": [], "red_flag": []}
    for source in task.sources:
        if source.url not in cited:
            continue
        for passage in source.passages:
            for text in _facts_in(passage):
                kind = _kind(text, words.red_flag_cues, words.negative_cues)
                lists[kind].append(DraftFact(text=text, passage_ids=[passage.passage_id]))
    for facts in lists.values():
        facts.sort(key=lambda one: -len(word_set(one.text) & asked))
    return FactsReply(
        positive_facts=lists["positive"],
        negative_constraints=lists["negative"],
        safety_red_flags=lists["red_flag"],
    )


def drop_irrelevant(task: RelevanceTask) -> RelevanceReply:
    """Positive facts that share no word with the query, beyond the first six."""
    asked = word_set(task.query.said)
    positive = [one for one in task.facts if one.kind == "positive"]
    return RelevanceReply(
        irrelevant=[
            one.fact_id
            for place, one in enumerate(positive)
            if place >= _KEPT_POSITIVE and not word_set(one.text) & asked
        ]
    )


def _nearness(asked: frozenset[str], source: SourceText) -> float:
    text = " ".join((source.source_name, *(one.text for one in source.passages)))
    return coverage(asked, word_set(text))


def _cited(place: int, source: SourceText, asked: frozenset[str]) -> CitedSource:
    ranked = sorted(source.passages, key=lambda one: -len(word_set(one.text) & asked))
    shared = sorted(asked & word_set(" ".join(one.text for one in source.passages)))
    return CitedSource(
        source=place,
        relevance=", ".join(shared),
        passage_ids=[one.passage_id for one in ranked[:_CITED_PASSAGES]],
        conflict_note="",
    )


def _facts_in(passage: Passage) -> Iterable[str]:
    for one in sentences(passage.text):
        for part in re.split(r"[;；]\s*", one.text):
            if len(part) >= _SHORTEST_FACT or re.search("[\u4e00-\u9fff]{6}", part):
                yield part


def _kind(text: str, red_flags: Sequence[str], negatives: Sequence[str]) -> str:
    # "Do not wait, call emergency services" is a danger sign before it is a prohibition.
    if has_cue(text, red_flags):
        return "red_flag"
    return "negative" if has_cue(text, negatives) else "positive"
