"""The tables of the gate of rubrics: a row a criterion, and a row a rubric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from unicodedata import normalize

import polars as pl

from tasks.contracts.rubric_trace import Trace
from tasks.contracts.rubrics import Criterion, Fact, Variant
from tasks.gates.tables.rows import table

_BASELINES: tuple[Variant, ...] = ("generic", "direct")
_UNAUDITED: tuple[Variant, ...] = ("generic", "direct", "without-audit")


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One criterion; ``id`` is the variant, the query and its place."""

    id: str
    axis: str
    points: int
    is_empty: bool
    times_in_rubric: int
    sign_disagrees: bool
    is_unsupported: bool
    unknown_supports: int


@dataclass(frozen=True, slots=True)
class RubricRow:
    """One rubric; ``id`` is the variant and the query."""

    id: str
    criteria: int
    negative: int
    positive: int
    red_flags_lost: int
    prohibitions_lost: int
    facts_without_passage: int


def rubric_tables(
    traces: Iterable[Trace], sign_agrees: Callable[[str, int], bool]
) -> dict[str, pl.DataFrame]:
    """The tables ``rubrics_criteria`` and ``rubrics_queries``.

    What only the pipeline's audit can hold to is not asked of the baselines and of the ablation
    without it.
    """
    seen = list(traces)
    criteria = [row for one in seen for row in _criteria(one, sign_agrees)]
    return {
        "rubrics_criteria": table(criteria, CriterionRow),
        "rubrics_queries": table([_rubric(one) for one in seen], RubricRow),
    }


def _criteria(trace: Trace, sign_agrees: Callable[[str, int], bool]) -> Iterable[CriterionRow]:
    known = trace.support_ids
    times = Counter(_folded(one) for one in trace.criteria)
    for number, one in enumerate(trace.criteria, start=1):
        needs = trace.variant not in _BASELINES
        yield CriterionRow(
            id=f"{trace.variant} {trace.query.query_id} {number}",
            axis=one.axis,
            points=one.points,
            is_empty=not one.criterion.strip(),
            times_in_rubric=times[_folded(one)],
            sign_disagrees=not sign_agrees(one.criterion, one.points),
            is_unsupported=needs and not one.support,
            unknown_supports=len(set(one.support) - known) if needs else 0,
        )


def _rubric(trace: Trace) -> RubricRow:
    kept = trace.of("relevance")
    facts: tuple[Fact, ...] = (kept.facts or ()) if kept else ()
    dangers = {one.fact_id for one in facts if one.kind != "positive"}
    named = [dangers.intersection(one.support) for one in trace.criteria]
    # A danger that stands only beside another in one criterion is as good as lost.
    held = {id for ids in named if len(ids) == 1 for id in ids}
    if trace.variant in _UNAUDITED:
        held |= {one.fact_id for one in facts}
    extracted = trace.of("extraction")
    passages = {
        passage.passage_id
        for source in (extracted.sources or () if extracted else ())
        for passage in source.passages
    }
    return RubricRow(
        id=f"{trace.variant} {trace.query.query_id}",
        criteria=len(trace.criteria),
        negative=sum(one.points < 0 for one in trace.criteria),
        positive=sum(one.points > 0 for one in trace.criteria),
        red_flags_lost=sum(one.kind == "red_flag" and one.fact_id not in held for one in facts),
        prohibitions_lost=sum(one.kind == "negative" and one.fact_id not in held for one in facts),
        facts_without_passage=sum(passages.isdisjoint(one.passage_ids) for one in facts),
    )


def _folded(one: Criterion) -> str:
    return " ".join(normalize("NFKC", one.criterion).casefold().split()).rstrip(".。 ")
