"""The plots of an evaluation of rubrics as inline SVG."""

# matplotlib's annotations leave its **kwargs unknown.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from flows.report_plots import svg
from tasks.contracts.rubric_measures import CoverageScores, DiscriminationScores, PairResult
from tasks.contracts.rubrics import AXES

# Okabe and Ito's colours, which the colour-blind tell apart; hatches differ too, for print.
_DECISIONS = (
    ("win", "#009e73", ""),
    ("tie", "#999999", "//"),
    ("loss", "#d55e00", "xx"),
    ("errors", "#000000", ".."),
)
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_BINS = 21


def decision_plot(scores: Sequence[DiscriminationScores]) -> str:
    """Win, tie and loss of every set and judge as stacked bars."""
    figure = Figure(figsize=(8.5, 0.9 + 0.34 * len(scores)), layout="constrained")
    axes = figure.add_subplot()
    names = [f"{one.name}, {one.judge}" for one in scores]
    counts = {
        "win": [one.wins for one in scores],
        "tie": [one.ties for one in scores],
        "loss": [one.losses for one in scores],
        "errors": [one.errors for one in scores],
    }
    left = [0] * len(scores)
    for name, colour, hatch in _DECISIONS:
        axes.barh(names, counts[name], left=left, color=colour, hatch=hatch, label=name)
        left = [before + count for before, count in zip(left, counts[name], strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel("pairs")
    figure.legend(loc="outside upper right", ncols=4, frameon=False)
    return svg(figure, "Stacked bars of wins, ties and losses by rubric set and judge")


def delta_plot(results: Mapping[str, Sequence[PairResult]]) -> str:
    """Distribution of the deltas of every set, a line a set."""
    figure = Figure(figsize=(8.5, 3.4), layout="constrained")
    axes = figure.add_subplot()
    deltas = {
        name: [one.delta for one in found if one.delta is not None]
        for name, found in results.items()
    }
    shown = {name: found for name, found in deltas.items() if found}
    every = [delta for found in shown.values() for delta in found]
    # Bins of one width for all sets: bars of different width can't be compared.
    ends = (min(every), max(every)) if every else None
    for place, (name, found) in enumerate(shown.items()):
        axes.hist(
            found,
            bins=_BINS,
            range=ends,
            histtype="step",
            linewidth=1.5,
            color=_COLOURS[place % len(_COLOURS)],
            label=name,
        )
    axes.axvline(0, color="#555", linewidth=0.8)
    axes.set_xlabel("V(reference) - V(near-miss), mean of six runs")
    axes.set_ylabel("pairs")
    if shown:
        figure.legend(loc="outside right upper", frameon=False)
    return svg(figure, "Histogram of deltas by rubric set")


def axis_plot(scores: Sequence[CoverageScores]) -> str:
    """CIA by axis, a group of bars an axis."""
    figure = Figure(figsize=(8.5, 3.4), layout="constrained")
    axes = figure.add_subplot()
    width = 0.8 / max(1, len(scores))
    for place, one in enumerate(scores):
        values = [100 * (one.by_axis[axis].value or 0.0) for axis in AXES]
        places = [number + place * width for number in range(len(AXES))]
        colour = _COLOURS[place % len(_COLOURS)]
        axes.bar(places, values, width, color=colour, label=one.name)
    middle = 0.4 - width / 2
    axes.set_xticks(
        [number + middle for number in range(len(AXES))], [axis.replace("_", "\n") for axis in AXES]
    )
    axes.set_ylabel("CIA, %")
    figure.legend(loc="outside right upper", frameon=False)
    return svg(figure, "Bars of coverage by axis and rubric set")
