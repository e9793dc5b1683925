"""Tables that hold two sets of scores against each other: doctors, languages, people."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations

from flows.evaluation_cells import FigureTable, probability
from flows.page_parts import Cell
from flows.preconsult_files import Doctor
from tasks.contracts.preconsultation import Language, ScoreLine
from tasks.preconsultation.summaries import Comparison, View, compare_scores, values

HumanScores = Mapping[tuple[str, int, str], float]
"""A person's scores by doctor, turns and pid."""

DOCTOR_HEAD = ("language", "doctor", "other roles", "turns")

_TEST_HEAD = ("n", "n", "mean", "mean", "F", "p of F", "t", "degrees", "p of t")


def compared_doctors(doctors: Mapping[Doctor, Sequence[ScoreLine]]) -> FigureTable:
    """Every two doctors of the same language and turns: also a before/after table."""
    rows: list[tuple[Cell, ...]] = []
    order = sorted(doctors, key=_alike)
    for before, after in combinations(order, 2):
        if _alike(before)[:3] == _alike(after)[:3]:
            found = _compare(*_shared(doctors[before], doctors[after]))
            rows.append((*_alike(before)[:3], before[1], after[1], *_test(found)))
    head = ("language", "other roles", "turns", "first", "second", *_TEST_HEAD)
    caption = (
        "Weighted scores of clean dialogues with the profiles that both interviewed; F-test, then "
        "the t-test that fits."
    )
    return FigureTable("preconsult-compared", "Doctors compared", head, tuple(rows), caption)


def _shared(
    first: Sequence[ScoreLine], second: Sequence[ScoreLine]
) -> tuple[list[ScoreLine], list[ScoreLine]]:
    pids = {one.pid for one in first} & {one.pid for one in second}
    mine, theirs = ([one for one in lines if one.pid in pids] for lines in (first, second))
    return mine, theirs


def _alike(doctor: Doctor) -> tuple[str, str, int, str]:
    """What doctors have to have in common to be compared, and the name."""
    language, name, roles, turns = doctor
    return language, roles, turns, name


def compared_languages(doctors: Mapping[Doctor, Sequence[ScoreLine]]) -> FigureTable:
    """Each doctor's English interviews beside the Korean ones."""
    rows = [
        (name, roles, turns, measure, *_test(_compare(lines, korean, measure)))
        for (language, name, roles, turns), lines in doctors.items()
        for korean in (doctors.get(("ko", name, roles, turns)),)
        if language == "en" and korean is not None
        for measure in ("weighted", "coverage", "top_1")
    ]
    head = (*DOCTOR_HEAD[1:], "measure", *_TEST_HEAD)
    title = "English against Korean"
    return FigureTable("preconsult-languages", title, head, tuple(rows), "English stands first.")


def compared_with_people(
    lines: Sequence[ScoreLine], human: HumanScores, language: Language
) -> FigureTable:
    """Our weighted scores beside a person's of the same interviews, which are in one language."""
    found: dict[tuple[str, str, int], tuple[list[float], list[float]]] = {}
    used: set[tuple[str, int, str]] = set()
    pids = {one.pid for one in lines}
    for one in lines:
        key = (one.doctor, one.turns, _pid_of_a_sheet(one, human, pids))
        if one.language == language and key in human and one.scores is not None:
            mine, theirs = found.setdefault((one.doctor, one.roles, one.turns), ([], []))
            mine.append(one.scores.weighted)
            theirs.append(human[key])
            used.add(key)
    rows = [(language, *who, *_test(compare_scores(*both))) for who, both in sorted(found.items())]
    caption = (
        "Ours stand first; F-test for equal variances, then t-test. A person's scores of no scored "
        f"interview: {len(human) - len(used)}."
    )
    head = (*DOCTOR_HEAD, *_TEST_HEAD)
    title = "Weighted scores beside a person's"
    return FigureTable("preconsult-human", title, head, tuple(rows), caption)


def _pid_of_a_sheet(line: ScoreLine, human: HumanScores, pids: Container[str]) -> str:
    """The pid as a person's scores have it: spreadsheets take the zeros off its beginning."""
    bare = line.pid.lstrip("0")
    if (line.doctor, line.turns, line.pid) in human or not bare.isdecimal() or bare in pids:
        return line.pid
    return bare


def _compare(
    first: Sequence[ScoreLine], second: Sequence[ScoreLine], measure: str = "weighted"
) -> Comparison:
    return compare_scores(*(values(one, measure, View())[0] for one in (first, second)))


def _test(found: Comparison) -> Iterator[Cell]:
    yield from found.n
    yield from map(number, found.means)
    yield number(found.f)
    yield probability(found.f_p)
    yield number(found.t)
    yield number(found.degrees)
    yield probability(found.t_p)


def number(value: float | None) -> Cell:
    """A figure with two digits."""
    return None if value is None else Decimal(f"{value:.2f}")
