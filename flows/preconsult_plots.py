"""The plots of a pre-consultation as inline SVG: scores and accuracy against turns."""

# matplotlib's annotations leave its **kwargs unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from flows.evaluation_plots import MOST_SHOWN, draw_line
from flows.preconsult_files import Doctor
from flows.report_plots import svg
from tasks.contracts.preconsultation import ScoreLine
from tasks.preconsultation.summaries import View, mean_of

_PANELS = (
    ("weighted", "weighted score", 1),
    ("coverage", "coverage, %", 100),
    ("top_1", "top-1, %", 100),
    ("top_k", "top-k, %", 100),
)


def turns_plot(doctors: Mapping[Doctor, Sequence[ScoreLine]]) -> str:
    """Scores and accuracy of clean dialogues against the number of turns, a line a doctor."""
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    names = list(dict.fromkeys(one[:3] for one in doctors))
    for panel, (measure, label, scale) in enumerate(_PANELS, start=1):
        axes = figure.add_subplot(1, len(_PANELS), panel)
        for place, own in enumerate(names[:MOST_SHOWN]):
            points = [
                (one[3], scale * mean)
                for one, lines in doctors.items()
                if one[:3] == own and (mean := mean_of(lines, measure, View())) is not None
            ]
            draw_line(axes, place, f"{own[1]}, {own[0]}", points)
        axes.set_xlabel("turns")
        axes.set_ylabel(label)
        axes.set_ylim(0, 100 if scale > 1 else None)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    if labels:
        figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    if len(names) > MOST_SHOWN:
        figure.suptitle(f"The first {MOST_SHOWN} of {len(names)} doctors", fontsize=9)
    return svg(figure, "Scores and accuracy against the number of turns")
