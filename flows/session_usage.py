"""What the sessions of a run's models took, as its report shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tasks.contracts.usage import RunUsage, UsageCounts, UsageReport

if TYPE_CHECKING:
    from tasks.adapters.llm.session import ModelSession


def usage_of(
    sessions: Sequence[ModelSession], *, with_kept: bool, others: Sequence[UsageReport] = ()
) -> RunUsage:
    """The usage of all sessions together; ``with_kept`` adds what all kept replies took.

    ``others`` are reports of what keeps no replies, such as embeddings.
    """
    if not sessions and not others:
        return RunUsage()
    kept = total_of(one.kept_usage() for one in sessions) if with_kept and sessions else None
    return RunUsage.of(merged([*(one.usage() for one in sessions), *others]), kept)


def merged(reports: Sequence[UsageReport]) -> UsageReport:
    """Several models' usage as one report."""
    return UsageReport(
        total=total_of(one.total for one in reports),
        by_stage=_joined([one.by_stage for one in reports]),
        by_patient=_joined([one.by_patient for one in reports]),
        by_model=_joined([one.by_model for one in reports]),
    )


def total_of(counts: Iterable[UsageCounts]) -> UsageCounts:
    """The sum of some counts; its cost is null where one of them has none."""
    given = list(counts)
    costs = [one.usd for one in given if one.usd is not None]
    names = [name for name in UsageCounts.model_fields if name != "usd"]
    sums = {name: sum(getattr(one, name) for one in given) for name in names}
    usd = sum(costs) if given and len(costs) == len(given) else None
    return UsageCounts(usd=usd, **sums)


def _joined(parts: Sequence[Mapping[str, UsageCounts]]) -> dict[str, UsageCounts]:
    names = sorted({name for part in parts for name in part})
    return {name: total_of(part[name] for part in parts if name in part) for name in names}
