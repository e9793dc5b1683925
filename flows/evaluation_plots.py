"""The plots of an evaluation as inline SVG."""

# matplotlib's annotations leave its **kwargs unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.projections.polar import PolarAxes

from flows.evaluation_cells import percent
from flows.report_plots import BLUE, svg
from tasks.contracts.evaluation import Estimated, GroupScores, SystemScores
from tasks.contracts.questions import QuestionType

MOST_SHOWN = 8
"""Systems of a plot with a line each: more can't be told apart."""

# Okabe and Ito's colours, which the colour-blind tell apart; marks differ too, for print.
_COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999",
)  # fmt: skip
_MARKS = "osD^vPX*"

Groups = Callable[[SystemScores], Mapping[str, GroupScores]]


def radar_plot(systems: Sequence[SystemScores]) -> str:
    """Score by question type: J of answerable types, Acc of adversarial questions."""
    types = [one for one in QuestionType if any(one in system.by_type for system in systems)]
    figure = Figure(figsize=(8.5, 5), layout="constrained")
    axes = figure.add_subplot(projection="polar")
    assert isinstance(axes, PolarAxes)
    angles = [2 * math.pi * place / len(types) for place in range(len(types))]
    for place, system in enumerate(systems[:MOST_SHOWN]):
        # A type without a value leaves a gap: it isn't zero.
        found = (_score(system.by_type.get(one)) for one in types)
        values = [math.nan if one is None else one for one in found]
        closed = [*zip(angles, values, strict=True), (angles[0], values[0])]
        draw_line(axes, place, system.system, closed)
    groups = {one: [system.by_type.get(one) for system in systems[:MOST_SHOWN]] for one in types}
    names = [f"{one.value.replace('_', chr(10))}\n{_numbers(groups[one])}" for one in types]
    axes.set_xticks(angles, names)
    axes.set_ylim(0, 100)
    axes.set_rgrids([25, 50, 75, 100])
    figure.legend(loc="outside right upper", frameon=False)
    _say_how_many(figure, len(systems))
    return svg(figure, "Radar of the score by question type, a line a system")


def score_plot(systems: Sequence[SystemScores]) -> str:
    """Score of every system as a bar with its 95 % interval."""
    figure = Figure(figsize=(8.5, 0.8 + 0.32 * len(systems)), layout="constrained")
    axes = figure.add_subplot()
    for place, system in enumerate(systems):
        found = system.overall.score["medlocomo"]
        hatch = "" if system.valid else "///"
        axes.barh([place], [percent(found) or 0.0], color=BLUE, alpha=0.75, hatch=hatch)
        if found.lower is not None and found.upper is not None:
            axes.plot([100 * found.lower, 100 * found.upper], [place, place], color="#222")
    axes.set_yticks(
        range(len(systems)), [f"{one.system} {_numbers([one.overall])}" for one in systems]
    )
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("Score with 95 % interval, % (hatched: invalid run)")
    return svg(figure, "Bars of the score of every system with 95 % intervals")


def groups_plot(systems: Sequence[SystemScores], panels: Mapping[str, Groups]) -> str:
    """Score against groups of questions, such as the position of the evidence: one panel each."""
    figure = Figure(figsize=(11, 3.8), layout="constrained")
    for number, (name, groups) in enumerate(panels.items(), start=1):
        axes = figure.add_subplot(1, len(panels), number)
        _lines(axes, systems, groups)
        axes.set_xlabel(name)
        axes.set_ylim(0, 100)
        axes.set_ylabel("Score, %" if number == 1 else "")
    _legend(figure)
    _say_how_many(figure, len(systems))
    return svg(figure, f"Score by {', '.join(panels)}, a line a system")


def _lines(axes: Axes, systems: Sequence[SystemScores], groups: Groups) -> None:
    names = list(dict.fromkeys(str(name) for one in systems for name in groups(one)))
    for place, system in enumerate(systems[:MOST_SHOWN]):
        found = groups(system)
        known = [(at, _score(found.get(name))) for at, name in enumerate(names)]
        points = [(at, value) for at, value in known if value is not None]
        if points:
            draw_line(axes, place, system.system, points)
    shown = {name: [groups(one).get(name) for one in systems[:MOST_SHOWN]] for name in names}
    axes.set_xticks(
        range(len(names)),
        [f"{name}\n{_numbers(shown[name])}" for name in names],
        rotation=25,
        ha="right",
        rotation_mode="anchor",
    )


def recall_plot(systems: Sequence[SystemScores]) -> str:
    """Recall of the cited evidence at k; empty where nothing was retrieved."""
    panels: dict[str, Callable[[SystemScores], Mapping[int, Estimated]]] = {
        "admissions": lambda one: one.recall_admissions,
        "turns": lambda one: one.recall_turns,
    }
    retrieving = [one for one in systems if _recalls(one)]
    if not retrieving:
        return ""
    figure = Figure(figsize=(8.5, 3.4), layout="constrained")
    for number, (name, recalls) in enumerate(panels.items(), start=1):
        axes = figure.add_subplot(1, 2, number)
        for place, system in enumerate(retrieving[:MOST_SHOWN]):
            points = [
                (k, 100 * found.mean)
                for k, found in recalls(system).items()
                if found.mean is not None
            ]
            if points:
                draw_line(axes, place, system.system, points)
        numbers = [found.n for one in retrieving[:MOST_SHOWN] for found in recalls(one).values()]
        axes.set_xlabel(f"k best {name} {_between(numbers)}")
        axes.set_ylim(0, 100)
        axes.set_ylabel("cited evidence among them, %" if number == 1 else "")
    _legend(figure)
    _say_how_many(figure, len(retrieving))
    return svg(figure, "Recall of the cited admissions and turns at k")


def cost_plot(systems: Sequence[SystemScores]) -> str:
    """Cost against score, in US dollars where every system has prices, else in tokens."""
    paid = [one for one in systems if one.requests]
    if not paid:
        return ""
    priced = all(one.usd is not None for one in paid)
    figure = Figure(figsize=(8.5, 3.6), layout="constrained")
    axes = figure.add_subplot()
    for place, system in enumerate(paid[:MOST_SHOWN]):
        score = percent(system.overall.score["medlocomo"])
        cost = system.usd if priced else system.input_tokens + system.output_tokens
        if score is not None and cost is not None:
            name = f"{system.system} {_numbers([system.overall])}"
            draw_line(axes, place, name, [(cost, score)])
    axes.set_xlabel("US dollars" if priced else "tokens of prompts and replies")
    axes.set_ylabel("Score, %")
    axes.set_ylim(0, 100)
    _legend(figure)
    _say_how_many(figure, len(paid))
    return svg(figure, "Cost of every system against its score")


def draw_line(axes: Axes, place: int, name: str, points: Sequence[tuple[float, float]]) -> None:
    """A line in the colour and with the marks of its place, which is below ``MOST_SHOWN``."""
    axes.plot(
        [at for at, _ in points],
        [value for _, value in points],
        label=name,
        color=_COLOURS[place],
        marker=_MARKS[place],
        linewidth=1.2,
    )


def _legend(figure: Figure) -> None:
    """One entry a system, below all panels."""
    entries = {
        name: handle
        for axes in figure.axes
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if entries:
        figure.legend(
            list(entries.values()),
            list(entries),
            loc="outside lower center",
            ncols=3,
            frameon=False,
        )


def _say_how_many(figure: Figure, systems: int) -> None:
    """Say so where some of the systems are left out."""
    if systems > MOST_SHOWN:
        figure.suptitle(f"The {MOST_SHOWN} best of {systems} systems", fontsize=9)


def _numbers(groups: Iterable[GroupScores | None]) -> str:
    """What Scores are means of: one number where it is the same for all."""
    return _between([one.score["medlocomo"].n for one in groups if one is not None])


def _between(numbers: Sequence[int]) -> str:
    least, most = min(numbers, default=0), max(numbers, default=0)
    return f"(n {most})" if least == most else f"(n {least} to {most})"


def _recalls(system: SystemScores) -> bool:
    found = [*system.recall_admissions.values(), *system.recall_turns.values()]
    return any(one.n for one in found)


def _score(group: GroupScores | None) -> float | None:
    return None if group is None else percent(group.score["medlocomo"])
