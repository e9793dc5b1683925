"""What a run would take, priced and as tables: shared by the flows that can reckon it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from flows.page_parts import Cell, table
from tasks.adapters.llm.prices import PriceTable
from tasks.contracts.usage import Certainty, Estimate, StageEstimate

_REPLIES: dict[Certainty, str] = {
    "about": "replies reckoned",
    "at most": "replies at their limit",
    "exact": "replies counted",
}


def stage_estimate(
    model: str,
    calls: int,
    input_tokens: int,
    output_tokens: int,
    prices: PriceTable | None,
    *,
    overhead_tokens: int = 0,
    kept: int | None = None,
    certainty: Certainty = "about",
) -> StageEstimate:
    """A stage with its cost; ``overhead_tokens`` are paid like those of prompts, but not listed."""
    paid = input_tokens + overhead_tokens

    def cost(given: int, replied: int) -> float | None:
        return None if prices is None else round(prices.cost_usd(model, given, replied), 4)

    return StageEstimate(
        calls=calls,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        usd=cost(paid, output_tokens),
        input_usd=cost(paid, 0),
        kept=kept,
        certainty=certainty,
    )


def estimate_line(estimate: Estimate) -> str:
    """What an estimate is of, and how it was made."""
    asked = "" if estimate.questions is None else f", {estimate.questions:,} questions"
    return (
        f"{estimate.patients:,} patients, {estimate.admissions:,} admissions{asked}, "
        f"{estimate.model}; prompts counted with {estimate.tokenizer}, "
        f"{_REPLIES[estimate.replies]}, new tries left out; nothing was asked"
    )


def estimate_rows(estimate: Estimate) -> Iterator[tuple[str, ...]]:
    """The table of an estimate as the terminal shows it, the head first."""
    yield _head(estimate)
    for name, one in estimate.stages.items():
        yield (name, *(_written(cell) for cell in _cells(estimate, one)))


def estimate_section(estimate: Estimate) -> str:
    """The same as a section of a report's page."""
    rows = [(name, *_cells(estimate, one)) for name, one in estimate.stages.items()]
    return "<h2>Estimate</h2>" + table(_head(estimate), rows, caption=estimate_line(estimate))


def _head(estimate: Estimate) -> tuple[str, ...]:
    if _looked_for_kept(estimate):
        return (
            "stage",
            "kept",
            "requests",
            "prompt tokens",
            "these are",
            "replies at most",
            "dollars at most",
            "of them prompts",
        )
    return ("stage", "requests", "prompt tokens", "reply tokens", "US dollars")


def _cells(estimate: Estimate, one: StageEstimate) -> tuple[Cell, ...]:
    if _looked_for_kept(estimate):
        return (
            one.kept,
            one.calls,
            one.input_tokens,
            one.certainty,
            one.output_tokens,
            _dollars(one.usd),
            _dollars(one.input_usd),
        )
    return (one.calls, one.input_tokens, one.output_tokens, _dollars(one.usd))


def _looked_for_kept(estimate: Estimate) -> bool:
    return any(one.kept is not None for one in estimate.stages.values())


def _dollars(usd: float | None) -> Decimal | None:
    return None if usd is None else Decimal(f"{usd:.4f}")


def _written(cell: Cell) -> str:
    if cell is None:
        return "no prices"
    if isinstance(cell, Decimal):
        return f"{cell:,.2f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)
