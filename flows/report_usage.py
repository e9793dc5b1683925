"""What a run asked of its language model and what that took, as tables and a line of text."""

from __future__ import annotations

from collections.abc import Mapping

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
    """Whether the run had a language model at all."""
    return bool(usage.requests or usage.replayed or usage.failed_attempts)


def usage_section(usage: RunUsage) -> str:
    """The report page's tables: by stage, model and patient."""
    dearest = sorted(usage.by_patient.items(), key=lambda one: (-_tokens(one[1]), one[0]))
    shown = dict(dearest[:_MOST_PATIENTS])
    more = f", the {_MOST_PATIENTS} with most tokens" if len(dearest) > _MOST_PATIENTS else ""
    return (
        "<h2>Language model</h2>"
        + _usage_table("stage", {**usage.by_stage, "in all": usage}, "By stage")
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
    return ", ".join(parts)


def usage_markdown(usage: RunUsage) -> list[str]:
    """The tables by stage as lines of Markdown."""
    lines = ["", f"| stage | {' | '.join(_HEAD)} |", f"|---|{'--:|' * len(_HEAD)}"]
    for name, counts in {**usage.by_stage, "in all": usage}.items():
        cells = ("n/a" if cell is None else f"{cell}" for cell in _row(counts))
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
        None if counts.usd is None else f"{counts.usd:.4f}",
    )


def _tokens(counts: UsageCounts) -> int:
    return counts.input_tokens + counts.output_tokens
