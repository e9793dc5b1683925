"""The dataset's plots as inline SVG."""

# matplotlib's annotations leave its **kwargs unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

from tasks.contracts.statistics import Composition, PatientStatistics, QuestionTypeStatistics

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

_STYLE: dict[RcKeyType, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "anamnesis",
    "font.size": 9,
    "text.parse_math": False,
}

BLUE = "#2b6cb0"
ORANGE = "#c05621"


def coverage_plot(patients: Sequence[PatientStatistics]) -> str:
    """Longitudinal coverage: how many patients have how many sessions, turns, tokens and days."""
    figure = Figure(figsize=(11, 2.6), layout="constrained")
    figures = (
        ("sessions", [patient.sessions for patient in patients]),
        ("turns", [patient.turns for patient in patients]),
        ("tokens", [patient.tokens for patient in patients]),
        ("days", [patient.span_days for patient in patients]),
    )
    for position, (name, values) in enumerate(figures, start=1):
        axes = figure.add_subplot(1, len(figures), position)
        axes.hist(values, bins=min(20, max(4, len(patients) // 3)), color=BLUE)
        axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
        axes.set_xlabel(f"{name} a patient")
        axes.set_ylabel("patients" if position == 1 else "")
        axes.tick_params(axis="x", labelrotation=30)
    return svg(figure, "Histograms of sessions, turns, tokens and days a patient")


def speaker_plot(composition: Composition) -> str:
    """Turns and words by speaker."""
    figure = Figure(figsize=(7, 2), layout="constrained")
    for position, (name, counts) in enumerate(
        (("turns", composition.turns_by_speaker), ("words", composition.words_by_speaker)), start=1
    ):
        axes = figure.add_subplot(1, 2, position)
        axes.barh(list(counts), list(counts.values()), color=[BLUE, ORANGE][: len(counts)])
        axes.set_xlabel(name)
        axes.locator_params(axis="x", nbins=4)
    return svg(figure, "Bars of turns and words by speaker")


def question_plot(questions: Sequence[QuestionTypeStatistics]) -> str:
    """Questions by scope and type."""
    figure = Figure(figsize=(9, 0.5 + 0.35 * len(questions)), layout="constrained")
    axes = figure.add_subplot()
    names = [f"{line.question_type.value} ({line.scope.split('_')[0]})" for line in questions]
    single = [line.scope == "single_admission" for line in questions]
    axes.barh(
        names,
        [line.questions for line in questions],
        color=[BLUE if one else ORANGE for one in single],
    )
    axes.invert_yaxis()
    axes.set_xlabel("questions")
    return svg(figure, "Bars of questions by scope and type")


def svg(figure: Figure, title: str) -> str:
    """A figure as an inline SVG element; the same figure gives the same text."""
    buffer = StringIO()
    # Names of systems and files are no formulas: a dollar sign in one ended the run.
    for drawn in figure.findobj():
        if isinstance(drawn, Text):
            drawn.set_parse_math(False)
    with rc_context(_STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Title": title})
    text = buffer.getvalue()
    return text[text.index("<svg") :]
