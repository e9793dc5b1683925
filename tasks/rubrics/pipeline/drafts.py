"""What is wrong with a reply, and what becomes of one that is right."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tasks.contracts.rubrics import (
    AXES,
    MOST_CRITERIA,
    Criterion,
    Dropped,
    EvidenceSource,
    Fact,
    FactKind,
    IntentItem,
    SourceText,
)
from tasks.rubrics.asking import Faults
from tasks.rubrics.pipeline.shapes import (
    FEWEST_SEARCHES,
    MOST_NEGATIVE,
    MOST_POSITIVE,
    MOST_RED_FLAGS,
    MOST_SEARCHES,
    CitedSource,
    DraftCriterion,
    DraftFact,
    FactsReply,
    IntentReply,
    PlainCriterion,
    RouterReply,
)
from tasks.rubrics.pipeline.wording_rules import sign_agrees
from tasks.rubrics.words import fold

MOST_SOURCES = 5
_MOST_MISSING = 4
_MOST_REQUESTS = 3


def router_faults(reply: RouterReply) -> Faults:
    """Too few or too many different searches."""
    count = len(clean(reply.search_queries))
    if FEWEST_SEARCHES <= count <= MOST_SEARCHES:
        return ()
    return (f"search_queries: found {count} different ones, expected 3 to 5",)


def draft_faults(
    criteria: Sequence[DraftCriterion | PlainCriterion], known: Collection[str] | None
) -> Faults:
    """What can't stand in any rubric: no criterion, no merit, no weight, a sign against the
    wording, a name for a sentence; and supports that exist nowhere. ``known`` are the ids of
    supports, None where none are asked for.
    """
    faults = [] if criteria else ["criteria: there is none"]
    if criteria and all(one.points <= 0 for one in criteria):
        faults.append("criteria: none has positive points, expected merits too")
    if criteria and known is not None and not any(_rests_on(known, one) for one in criteria):
        faults.append(f"support: no criterion names an id that was given: {_listed(known)}")
    for number, one in enumerate(criteria, start=1):
        if "_".join(fold(one.criterion).split()) in AXES:
            faults.append(f"criterion {number}: names an axis, expected a sentence on the answer")
        if one.points == 0:
            faults.append(f"criterion {number}: points are 0, expected -10 to 10 but 0")
        elif not sign_agrees(one.criterion, one.points):
            faults.append(
                f"criterion {number}: the sign of points {one.points} doesn't fit the wording; a "
                "fault has negative points, a merit positive ones"
            )
    return tuple(faults)


def rubric_faults(
    criteria: Sequence[DraftCriterion | PlainCriterion], known: Collection[str] | None
) -> Faults:
    """What makes a rubric unusable that nobody audits; ``known`` as for drafts."""
    faults = list(draft_faults(criteria, known))
    if len(criteria) > MOST_CRITERIA:
        faults.append(f"criteria: found {len(criteria)}, expected at most {MOST_CRITERIA}")
    if criteria and all(one.points >= 0 for one in criteria):
        faults.append("criteria: none has a negative weight, expected at least one")
    for number, one in enumerate(criteria, start=1):
        if known is not None and not _rests_on(known, one):
            faults.append(f"criterion {number}: support names no id that was given")
    repeated = len(criteria) - len({fold(one.criterion) for one in criteria})
    if repeated:
        faults.append(f"criteria: {repeated} of them repeat another")
    return tuple(faults)


def criteria_of(
    drafts: Iterable[DraftCriterion | PlainCriterion], known: Collection[str]
) -> tuple[Criterion, ...]:
    """Criteria with those of their supports that exist, each once."""
    return tuple(
        Criterion(
            criterion=" ".join(one.criterion.split()),
            axis=one.axis,
            points=one.points,
            support=tuple(dict.fromkeys(id for id in getattr(one, "support", ()) if id in known)),
        )
        for one in drafts
    )


def picked(best: Iterable[int], count: int) -> tuple[int, ...]:
    """Places of at most five hits: those named first, filled up in the original order.

    ``best`` counts from 1; numbers that don't exist or come again are passed over.
    """
    named = [number - 1 for number in best if 1 <= number <= count]
    return tuple(dict.fromkeys([*named, *range(count)]))[:MOST_SOURCES]


def cited_sources(
    cited: Iterable[CitedSource], sources: Sequence[SourceText]
) -> tuple[EvidenceSource, ...]:
    """What each source says, in its own words; passages that are not its own are passed over."""
    found: dict[int, EvidenceSource] = {}
    for one in cited:
        place = one.source - 1
        if not 0 <= place < len(sources) or place in found:
            continue
        source = sources[place]
        own = {passage.passage_id: passage.text for passage in source.passages}
        ids = [id for id in dict.fromkeys(one.passage_ids) if id in own] or list(own)[:1]
        if ids:
            found[place] = EvidenceSource(
                source_name=source.source_name,
                url=source.url,
                relevance=one.relevance,
                key_excerpt=own[ids[0]],
                conflict_note=one.conflict_note,
                passage_ids=tuple(ids),
            )
    return tuple(found.values())


def facts_faults(reply: FactsReply, known: Collection[str]) -> Faults:
    """Facts none of which names a passage that exists: all of them would be dropped."""
    drafts = (*reply.positive_facts, *reply.negative_constraints, *reply.safety_red_flags)
    if not drafts or any(id in known for one in drafts for id in one.passage_ids):
        return ()
    return (f"passage_ids: no fact names a passage that was given: {_listed(known)}",)


def facts_of(
    reply: FactsReply, known: Collection[str]
) -> tuple[tuple[Fact, ...], tuple[Dropped, ...]]:
    """Facts with ids; dropped are those without a passage, repeated ones and those over a limit."""
    lists: tuple[tuple[FactKind, list[DraftFact], int], ...] = (
        ("positive", reply.positive_facts, MOST_POSITIVE),
        ("negative", reply.negative_constraints, MOST_NEGATIVE),
        ("red_flag", reply.safety_red_flags, MOST_RED_FLAGS),
    )
    facts: list[Fact] = []
    dropped: list[Dropped] = []
    seen: set[str] = set()
    for kind, drafts, most in lists:
        kept = 0
        for number, one in enumerate(drafts, start=1):
            ids = tuple(dict.fromkeys(id for id in one.passage_ids if id in known))
            reason = _why_not(fold(one.text) in seen, bool(ids), kept < most)
            if reason:
                dropped.append(Dropped(id=f"{kind} {number}", reason=reason))
                continue
            seen.add(fold(one.text))
            kept += 1
            text = " ".join(one.text.split())
            facts.append(Fact(fact_id=f"f{len(facts) + 1}", kind=kind, text=text, passage_ids=ids))
    return tuple(facts), tuple(dropped)


def relevant(
    facts: Sequence[Fact], irrelevant: Collection[str]
) -> tuple[tuple[Fact, ...], tuple[Dropped, ...]]:
    """Facts without the irrelevant ones; red flags and prohibitions always stay."""
    kept = tuple(one for one in facts if one.kind != "positive" or one.fact_id not in irrelevant)
    dropped = [one.fact_id for one in facts if one not in kept]
    return kept, tuple(Dropped(id=id, reason="irrelevant") for id in dropped)


def intent_items(reply: IntentReply) -> tuple[IntentItem, ...]:
    """What an answer heeds, with ids."""
    found = [("persona", reply.persona), ("tone", reply.tone)]
    found += [("missing_context", one) for one in clean(reply.missing_context)[:_MOST_MISSING]]
    found += [("request", one) for one in clean(reply.requests)[:_MOST_REQUESTS]]
    return tuple(
        IntentItem.model_validate({"intent_id": f"i{number}", "aspect": aspect, "text": text})
        for number, (aspect, text) in enumerate(found, start=1)
    )


def clean(texts: Iterable[str]) -> list[str]:
    """Texts without needless blanks, each once."""
    plain = (" ".join(one.split()) for one in texts)
    return list(dict.fromkeys(one for one in plain if one))


def _rests_on(known: Collection[str], one: DraftCriterion | PlainCriterion) -> bool:
    return isinstance(one, DraftCriterion) and any(id in known for id in one.support)


def _listed(ids: Collection[str]) -> str:
    """Ids in the order of their numbers."""
    return ", ".join(sorted(ids, key=lambda id: (id[0], int(id[1:]))))


def _why_not(repeated: bool, has_passage: bool, has_room: bool) -> str:
    if not has_passage:
        return "no passage states it"
    if repeated:
        return "repeats another"
    return "" if has_room else "over the limit"
