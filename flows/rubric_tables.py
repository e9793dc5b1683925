"""Tables of generated rubrics: what was generated, what reading repaired, what it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from flows.evaluation_cells import FigureTable
from flows.page_parts import Cell
from tasks.contracts.rubric_measures import ComponentCost
from tasks.contracts.rubric_trace import Trace
from tasks.contracts.rubrics import AXES, ReadingCount, Variant

PUBLISHED_COST = ("published", 6.0, 8_508.0, 2_423.0, 43.0)
"""Mean of the paper's whole pipeline: calls, prompt tokens, completion tokens, seconds."""

_COST = (
    "Seconds are the latency of the replies; rules take none. Replies kept from earlier runs count "
    "as what they took then"
)


def generation_table(traces: Mapping[Variant, Sequence[Trace]]) -> FigureTable:
    """What each variant generated."""
    rows: list[tuple[Cell, ...]] = []
    for variant, found in traces.items():
        criteria = [one for trace in found for one in trace.criteria]
        axes = Counter(one.axis for one in criteria)
        rows.append(
            (
                variant,
                len(found),
                len(criteria),
                len(criteria) / len(found) if found else None,
                sum(one.points < 0 for one in criteria),
                *(axes[axis] for axis in AXES),
                sum(_without_evidence(one) for one in found),
            )
        )
    head = ("variant", "rubrics", "criteria", "a rubric", "negative", *(
        axis.replace("_", " ") for axis in AXES
    ), "without evidence")  # fmt: skip
    return FigureTable(
        "rubrics-generated",
        "Generated rubrics",
        head,
        tuple(rows),
        "Without evidence: nothing was found for the query, its rubric rests on the intent alone",
    )


def reading_table(counts: Sequence[ReadingCount]) -> FigureTable:
    """What reading files repaired, refused, or kept although odd."""
    rows = [
        (one.source, one.action, one.rule.replace("_", " "), one.count, ", ".join(one.first))
        for one in counts
    ]
    return FigureTable(
        "rubrics-reading",
        "Reading",
        ("file", "action", "rule", "count", "first places"),
        tuple(rows),
        "Every rule is explained in docs/rubrics-data.md",
    )


def cost_table(costs: Sequence[ComponentCost]) -> FigureTable:
    """What each component took, in all."""
    rows = [
        (one.component, one.queries, one.calls, one.input_tokens, one.output_tokens, one.seconds)
        for one in costs
    ]
    head = ("component", "uses", "replies", "prompt tokens", "reply tokens", "seconds")
    return FigureTable("rubrics-cost", "Cost by component", head, tuple(rows), _COST)


def query_cost_table(costs: Sequence[ComponentCost]) -> FigureTable:
    """What each component took for a query, on average, beside the published sum."""
    rows: list[tuple[Cell, ...]] = []
    sums = [0.0] * 4
    for one in costs:
        totals = (one.calls, one.input_tokens, one.output_tokens, one.seconds)
        means = [total / one.queries for total in totals]
        sums = [before + mean for before, mean in zip(sums, means, strict=True)]
        rows.append((one.component, *means))
    rows += [("all", *sums), PUBLISHED_COST]
    head = ("component", "replies", "prompt tokens", "reply tokens", "seconds")
    return FigureTable("rubrics-cost", "Cost of a query by component", head, tuple(rows), _COST)


def _without_evidence(trace: Trace) -> bool:
    evidence = trace.of("evidence")
    return evidence is not None and not (evidence.evidence and evidence.evidence.evidence_sources)
