"""Estimates as tables."""

from __future__ import annotations

import io

from rich.console import Console

from flows.cli_output import print_estimate
from flows.estimates import stage_estimate
from tasks.adapters.llm.prices import ModelPrice, PriceTable
from tasks.contracts.usage import Estimate, StageEstimate

PRICES = PriceTable(
    source="prices.json",
    prices={
        "m": ModelPrice(
            input_usd_per_million_tokens=1.0, output_usd_per_million_tokens=4.0
        )
    },
)  # fmt: skip


def printed(width: int, *stages: StageEstimate, **given: object) -> list[str]:
    """The lines of the terminal, their blanks folded."""
    estimate = Estimate.model_validate(
        {
            "model": "m",
            "tokenizer": "o200k_base",
            "patients": 2,
            "admissions": 4,
            "stages": {f"stage {number}": one for number, one in enumerate(stages)},
            **given,
        }
    )
    console = Console(file=io.StringIO(), width=width)
    print_estimate(console, estimate)
    assert isinstance(console.file, io.StringIO)
    return [" ".join(line.split()) for line in console.file.getvalue().splitlines()]


def test_dollars_are_those_of_prompts_and_of_replies_at_their_limit() -> None:
    # 2 M tokens of prompts, 0.5 M beside them, 1 M of replies: 2.5 x 1 + 1 x 4 dollars.
    stage = stage_estimate("m", 10, 2_000_000, 1_000_000, PRICES, overhead_tokens=500_000, kept=3)
    assert (stage.usd, stage.input_usd) == (6.5, 2.5)
    assert (stage.calls, stage.input_tokens, stage.kept) == (10, 2_000_000, 3)


def test_an_evaluation_shows_what_is_kept_and_what_is_exact() -> None:
    known = stage_estimate("m", 10, 2_000_000, 1_000_000, PRICES, kept=3, certainty="exact")
    head, row, line = printed(120, known, questions=24, replies="at most")
    assert head == (
        "stage kept requests prompt tokens these are "
        "replies at most dollars at most of them prompts"
    )
    assert row == "stage 0 3 10 2,000,000 exact 1,000,000 6.00 2.00"
    assert line == (
        "estimate: 2 patients, 4 admissions, 24 questions, m; prompts counted with o200k_base, "
        "replies at their limit, new tries left out; nothing was asked"
    )


def test_a_build_shows_what_it_reckoned() -> None:
    head, row, line = printed(120, stage_estimate("m", 10, 2_000_000, 1_000_000, None))
    assert head == "stage requests prompt tokens reply tokens US dollars"
    assert row == "stage 0 10 2,000,000 1,000,000 no prices"
    assert line == (
        "estimate: 2 patients, 4 admissions, m; prompts counted with o200k_base, "
        "replies reckoned, new tries left out; nothing was asked"
    )


def test_no_figure_is_cut_on_a_narrow_terminal() -> None:
    large = stage_estimate("m", 10**6, 10**12, 10**11, PRICES, kept=10**6, certainty="at most")
    rows = printed(40, large, replies="at most")
    (row,) = [line for line in rows if line.startswith("stage 0")]
    assert row == (
        "stage 0 1,000,000 1,000,000 1,000,000,000,000 at most 100,000,000,000 1,400,000.00 "
        "1,000,000.00"
    )
