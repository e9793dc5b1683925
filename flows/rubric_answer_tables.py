"""Tables of discrimination and refinement, beside the published figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flows.evaluation_cells import FigureTable
from flows.page_parts import Cell
from flows.rubric_cells import percent, span, three
from flows.rubric_published import (
    AUROC,
    MEAN_DELTA,
    MEAN_DELTA_GPT4O,
    REFINED_AFTER,
    REFINED_BEFORE,
)
from tasks.contracts.rubric_measures import (
    DiscriminationScores,
    JudgeAgreement,
    MeanScore,
    RefinementScores,
)
from tasks.contracts.rubrics import AXES


def discrimination_table(scores: Sequence[DiscriminationScores]) -> FigureTable:
    """Wins, ties, losses and deltas, ours and published."""
    rows = [_discriminated(one) for one in scores]
    gap: tuple[Cell, ...] = (None,) * 5
    for name, delta, auroc in (
        ("whole pipeline, published", MEAN_DELTA, AUROC),
        ("GPT-4o, published", MEAN_DELTA_GPT4O, None),
    ):
        figures = (three(delta), "", None, three(auroc), None, None, None)
        rows.append((name, "", *gap, None, "", *figures))
    head = (
        "rubrics", "judge", "pairs", "win", "tie", "loss", "errors", "win %", "95 %",
        "mean delta", "95 %", "median", "AUROC by win", "AUROC n", "AUROC of V", "P(delta > 0) %",
    )  # fmt: skip
    return FigureTable(
        "rubrics-discrimination",
        "Discrimination of reference answers and near-misses",
        head,
        tuple(rows),
        "Three trials in both orders; decision: strict plurality of the six signs. AUROC by win: "
        "label is the decision, score the delta, n/a where all pairs fall in one class; AUROC of "
        "V: label is which answer it is, score its V. 1,000 resamples, percentiles. none: direct "
        "comparison without a rubric",
    )


def _discriminated(one: DiscriminationScores) -> tuple[Cell, ...]:
    return (
        one.name,
        one.judge,
        one.pairs,
        one.wins,
        one.ties,
        one.losses,
        one.errors,
        percent(one.win_rate.value),
        span(one.win_rate, 100),
        three(one.mean_delta.value),
        span(one.mean_delta),
        three(one.median_delta.value),
        three(one.auroc_by_win),
        one.auroc_n,
        three(one.auroc_of_values),
        percent(one.positive_deltas.value),
    )


def agreement_table(found: Sequence[JudgeAgreement]) -> FigureTable:
    """How far judges decide alike."""
    rows = [
        (one.name, one.first, one.second, percent(one.agreement), three(one.kappa), one.n)
        for one in found
    ]
    return FigureTable(
        "rubrics-agreement",
        "Agreement of judges",
        ("rubrics", "first", "second", "agreement %", "kappa", "pairs"),
        tuple(rows),
        "None with a single judge" if not rows else "",
    )


def refinement_table(scores: Sequence[RefinementScores]) -> FigureTable:
    """HealthBench scores before and after, by both clipping conventions."""
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            one.queries,
            one.errors,
            one.after.n,
            percent(one.before.clip_each),
            percent(one.after.clip_each),
            percent(one.gain.value),
            span(one.gain, 100),
            percent(one.before.clip_after_mean),
            percent(one.after.clip_after_mean),
        )
        for one in scores
    ]
    gain = round(REFINED_AFTER - REFINED_BEFORE, 1)
    rows.append(
        ("whole pipeline, published", *(None,) * 3, REFINED_BEFORE, REFINED_AFTER, gain, "", None,
         None)
    )  # fmt: skip
    head = (
        "rubrics", "answers", "errors", "scored", "before", "after", "gain", "95 %",
        "before, mean clipped", "after, mean clipped",
    )  # fmt: skip
    return FigureTable(
        "rubrics-refinement",
        "Refinement, HealthBench score in percent",
        head,
        tuple(rows),
        "Before, after and gain: each answer's score clipped to 0..1, then the mean; last two "
        "columns: the mean of unclipped scores, clipped (HealthBench's own). self: critique "
        "without a rubric; gold: with the gold rubric, an upper bound. scored: answers whose gold "
        "rubric has positive points; others have no score",
    )


def refinement_axis_table(scores: Sequence[RefinementScores]) -> FigureTable:
    """The gain by axis."""
    rows = [
        (
            one.name,
            *(
                cell
                for axis in AXES
                for cell in _gain(one.before_by_axis[axis], one.after_by_axis[axis])
            ),
        )
        for one in scores
    ]
    head = [part for axis in AXES for part in (f"{axis.replace('_', ' ')}, gain", "n")]
    return FigureTable(
        "rubrics-refinement-axes", "Refinement by axis", ("rubrics", *head), tuple(rows)
    )


def _gain(before: MeanScore, after: MeanScore) -> Iterator[Cell]:
    both = before.clip_each is not None and after.clip_each is not None
    yield percent((after.clip_each or 0.0) - (before.clip_each or 0.0)) if both else None
    yield after.n
