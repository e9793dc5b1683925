"""What the components of a flow of rubrics took, in all and a query."""

from __future__ import annotations

from collections.abc import Iterable

from tasks.contracts.rubric_measures import ComponentCost
from tasks.contracts.rubric_trace import RoleCost


def component_costs(took: Iterable[tuple[str, RoleCost]]) -> tuple[ComponentCost, ...]:
    """Costs by component, in the order in which each comes first; a cost is one query's."""
    totals: dict[str, tuple[int, RoleCost]] = {}
    for component, cost in took:
        queries, total = totals.get(component, (0, RoleCost()))
        totals[component] = (queries + 1, total + cost)
    return tuple(
        ComponentCost(
            component=component,
            queries=queries,
            calls=total.calls,
            input_tokens=total.input_tokens,
            output_tokens=total.output_tokens,
            seconds=total.seconds,
        )
        for component, (queries, total) in totals.items()
    )
