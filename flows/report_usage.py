"""What a run asked of its language model and what that took, as tables and a line of text."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from flows.page_parts import Cell, table
from tasks.contracts.usage import RunUsage, UsageCounts

_HEAD = (
    "requests",
    "from the cache",
    "failed HTTP requests",
    "prompt tokens",
    "of them cached",
    "reply tokens",
    "US dollars",
)
_MOST_PATIENTS = 200


def asked_a_model(usage: RunUsage) -> bool:
    """Whether the output has anything of a language model."""
    asked = usage.requests or usage.replayed or usage.failed_attempts
    return bool(asked or (usage.kept and usage.kept.requests))


def usage_section(usage: RunUsage) -> str:
    """The report page's tables: by stage, model and patient."""
    dearest = sorted(usage.by_patient.items(), key=lambda one: (-_tokens(one[1]), one[0]))
    shown = dict(dearest[:_MOST_PATIENTS])
    more = f", the {_MOST_PATIENTS} with most tokens" if len(dearest) > _MOST_PATIENTS else ""
    return (
        "<h2>Language model</h2>"
        + _usage_table("stage", {**usage.by_stage, **_totals(usage)}, "By stage")
        + _usage_table("model", usage.by_model, "By model")
        + _usage_table("patient", shown, f"By patient{more}")
    )


def usage_line(usage: RunUsage) -> str:
    """One line: requests, tokens, cost."""
    parts = [
        f"{usage.requests:,} requests",
        f"{usage.replayed:,} from the cache",
        f"{usage.input_tokens:,} prompt tokens",
        f"{usage.output_tokens:,} reply tokens",
    ]
    if usage.failed_attempts:
        parts.insert(1, f"{usage.failed_attempts:,} failed HTTP requests")
    if usage.usd is not None:
        parts.append(f"{usage.usd:,.2f} US dollars")
    kept = usage.kept
    if kept is None or kept.requests == usage.requests:
        return ", ".join(parts)
    cost = "" if kept.usd is None else f", {kept.usd:,.2f} US dollars"
    tokens = kept.input_tokens + kept.output_tokens
    return f"{', '.join(parts)}; in all runs {kept.requests:,} requests, {tokens:,} tokens{cost}"


def _totals(usage: RunUsage) -> dict[str, UsageCounts]:
    return {"this run": usage, **({"all runs": usage.kept} if usage.kept else {})}


def usage_markdown(usage: RunUsage) -> list[str]:
    """The tables by stage as lines of Markdown."""
    lines = ["", f"| stage | {' | '.join(_HEAD)} |", f"|---|{'--:|' * len(_HEAD)}"]
    for name, counts in {**usage.by_stage, **_totals(usage)}.items():
        cells = (_markdown(cell) for cell in _row(counts))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _usage_table(head: str, counts: Mapping[str, UsageCounts], caption: str) -> str:
    return table(
        (head, *_HEAD), [(name, *_row(one)) for name, one in counts.items()], caption=caption
    )


def _row(counts: UsageCounts) -> tuple[Cell, ...]:
    return (
        counts.requests,
        counts.replayed,
        counts.failed_attempts,
        counts.input_tokens,
        counts.cached_input_tokens,
        counts.output_tokens,
        _dollars(counts.usd),
    )


def _markdown(cell: Cell) -> str:
    return "n/a" if cell is None else f"{cell}"


def _dollars(usd: float | None) -> Decimal | None:
    return None if usd is None else Decimal(f"{usd:.4f}")


def _tokens(counts: UsageCounts) -> int:
    return counts.input_tokens + counts.output_tokens
