"""The audits' plots as inline SVG."""

# matplotlib's annotations leave its **kwargs unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from flows.report_plots import BLUE, ORANGE, svg
from tasks.contracts.audit import FormVariety, LengthCount, Separability, TermCount
from tasks.contracts.audit_report import ClaimFigures

_WORDS_SHOWN = 12
_BOUND = 0.6
_CHANCE = 0.5


def claims_plot(claims: Sequence[ClaimFigures]) -> str:
    """Claims that were checked, and those that no record makes."""
    figure = Figure(figsize=(8, 2.6), layout="constrained")
    axes = figure.add_subplot()
    names = [line.kind for line in claims]
    axes.barh(names, [line.claims for line in claims], color=BLUE, label="checked")
    axes.barh(names, [line.unsupported for line in claims], color=ORANGE, label="unsupported")
    axes.invert_yaxis()
    axes.set_xlabel("claims of turns")
    axes.legend(frameon=False)
    return svg(figure, "Bars of claims by kind, checked and unsupported")


def auroc_plot(scopes: Sequence[tuple[str, Separability]]) -> str:
    """AUROC of the worst reading with its interval; chance and bound as lines."""
    figure = Figure(figsize=(8, 1.8), layout="constrained")
    axes = figure.add_subplot()
    for place, (_, one) in enumerate(scopes):
        if one.auroc is not None and one.lower is not None and one.upper is not None:
            axes.plot([one.lower, one.upper], [place, place], color=BLUE)
            axes.plot([one.auroc], [place], marker="o", color=BLUE)
    axes.axvline(_CHANCE, color="#888", linewidth=0.8)
    axes.axvline(_BOUND, color=ORANGE, linewidth=0.8, linestyle="--")
    axes.set_yticks(range(len(scopes)), [name for name, _ in scopes])
    axes.set_xlim(0, 1)
    axes.invert_yaxis()
    axes.set_xlabel("AUROC of adversarial against answerable, by wording alone (bound dashed)")
    return svg(figure, "AUROC of the wording with 95 % intervals")


def words_plot(words: Sequence[TermCount]) -> str:
    """First words of adversarial and of answerable questions."""
    shown = words[:_WORDS_SHOWN]
    return _pairs(
        [one.term for one in shown],
        [one.adversarial for one in shown],
        [one.answerable for one in shown],
        "Bars of first words by kind of question",
    )


def length_plot(lengths: Sequence[LengthCount]) -> str:
    """Lengths of adversarial and of answerable questions."""
    figure = Figure(figsize=(8, 2.2), layout="constrained")
    axes = figure.add_subplot()
    places = [one.words for one in lengths]
    width = 0.4
    axes.bar(
        [place - width / 2 for place in places],
        _shares([one.adversarial for one in lengths]),
        width,
        color=ORANGE,
        label="adversarial",
    )
    axes.bar(
        [place + width / 2 for place in places],
        _shares([one.answerable for one in lengths]),
        width,
        color=BLUE,
        label="answerable",
    )
    axes.set_xlabel("words of a question, without its opening dates")
    axes.set_ylabel("share")
    axes.legend(frameon=False)
    return svg(figure, "Lengths of adversarial and answerable questions")


def forms_plot(texts: Sequence[tuple[str, FormVariety]]) -> str:
    """Share of the commonest form of each kind of text."""
    figure = Figure(figsize=(8, 0.5 + 0.3 * len(texts)), layout="constrained")
    axes = figure.add_subplot()
    axes.barh([name for name, _ in texts], [100 * (one.share or 0) for _, one in texts], color=BLUE)
    axes.invert_yaxis()
    axes.set_xlabel("share of the commonest, %")
    return svg(figure, "Share of the commonest form of each kind of text")


def _pairs(names: list[str], adversarial: list[int], answerable: list[int], title: str) -> str:
    figure = Figure(figsize=(8, 0.6 + 0.35 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    places = range(len(names))
    axes.barh([place - 0.2 for place in places], _shares(adversarial), 0.4, color=ORANGE)
    axes.barh([place + 0.2 for place in places], _shares(answerable), 0.4, color=BLUE)
    axes.set_yticks(list(places), names)
    axes.invert_yaxis()
    axes.set_xlabel("share of adversarial (orange) and of answerable questions (blue)")
    return svg(figure, title)


def _shares(counts: Sequence[int]) -> list[float]:
    total = sum(counts)
    return [count / total if total else 0.0 for count in counts]
