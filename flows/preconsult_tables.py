"""Tables of a pre-consultation's report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from flows.evaluation_cells import FigureTable
from flows.page_parts import Cell
from flows.preconsult_comparisons import (
    DOCTOR_HEAD,
    HumanScores,
    compared_doctors,
    compared_languages,
    compared_with_people,
    number,
)
from flows.preconsult_files import SEED, Doctor, by_doctor
from tasks.contracts.preconsultation import Language, ScoreLine
from tasks.preconsultation.diseases import Disease, disease_named, disease_table
from tasks.preconsultation.summaries import (
    Summary,
    View,
    group,
    is_incomplete,
    mean_of,
    missing_counts,
    summarise,
)

_SHARES = ("coverage", "weighted_coverage", "top_1", "top_k")
_SPREAD = ("unweighted", "weighted", "penalty", "reward")
_STATES = ("clean", "early_stop", "qa_format_error", "matching_error", "failed")
_UNKNOWN = "not in the table"
_VIEWS = (
    ("preconsult-doctors", "Doctors, clean dialogues only", View()),
    (
        "preconsult-all",
        "Doctors, all dialogues, each that the doctor spoilt as 0",
        View(population="all"),
    ),
    (
        "preconsult-positive",
        "Without negative units, clean dialogues",
        View(with_negatives=False),
    ),
    (
        "preconsult-unleaked",
        "Without dialogues in which the patient named the disease",
        View(with_leaks=False),
    ),
)


def all_tables(
    lines: Sequence[ScoreLine], human: HumanScores, language: Language
) -> list[FigureTable]:
    """Every table, the most important first; a person's scores are of one language."""
    doctors = by_doctor(lines)
    chapters = disease_table().provenance
    return [
        *_incomplete(doctors),
        *(_main(doctors, *view) for view in _VIEWS),
        _spread(doctors),
        _errors(doctors),
        _groups(doctors, "preconsult-diseases", "By disease", lambda one: one.disease),
        *(
            _groups(doctors, f"preconsult-{key}", f"By {name}", _of_table(of), caption)
            for key, name, of, caption in (
                ("specialties", "primary specialty", _specialty, ""),
                ("second-specialties", "secondary specialty", _second_specialty, ""),
                ("chapters", "ICD-11 chapter", _chapter, chapters),
            )
        ),
        compared_doctors(doctors),
        compared_languages(doctors),
        compared_with_people(lines, human, language),
    ]


def _incomplete(doctors: Mapping[Doctor, Sequence[ScoreLine]]) -> Iterator[FigureTable]:
    """The rows of which too much is missing, if there are any."""
    rows = [
        (*doctor, len(lines), *missing_counts(lines))
        for doctor, lines in doctors.items()
        if is_incomplete(lines)
    ]
    if rows:
        head = (*DOCTOR_HEAD, "dialogues", "without scores", "clean", "without diagnosis")
        title = "Incomplete: figures that don't stand for all profiles"
        caption = (
            "Above a tenth is missing for reasons that aren't the doctor's: the other roles gave "
            "no usable reply. What is missing may be the harder part."
        )
        yield FigureTable("preconsult-incomplete", title, head, tuple(rows), caption)


def _main(
    doctors: Mapping[Doctor, Sequence[ScoreLine]], key: str, title: str, view: View
) -> FigureTable:
    head = (
        *DOCTOR_HEAD,
        "n",
        "missing",
        "diagnosed",
        *(name for score in _SPREAD for name in (score, "95 %")),
        *(name for share in _SHARES for name in (f"{share.replace('_', ' ')}, %", "95 %")),
    )
    rows: list[tuple[Cell, ...]] = []
    for doctor, lines in doctors.items():
        found = {name: summarise(lines, name, view, SEED) for name in (*_SPREAD, *_SHARES)}
        first = found[_SPREAD[0]]
        cells: list[Cell] = [*doctor, first.n, first.missing, found["top_1"].n]
        for name in _SPREAD:
            cells += [number(found[name].mean), _interval(found[name], 1)]
        for name in _SHARES:
            cells += [_percent(found[name].mean), _interval(found[name], 100)]
        rows.append(tuple(cells))
    return FigureTable(key, title, head, tuple(rows), "Means; intervals resample profiles.")


def _spread(doctors: Mapping[Doctor, Sequence[ScoreLine]]) -> FigureTable:
    rows = [
        (*doctor, name.replace("_", " "), one.n, *map(number, (one.mean, one.median, one.sd)))
        for doctor, lines in doctors.items()
        for name in (*_SPREAD, "coverage", "weighted_coverage")
        for one in (summarise(lines, name, View(), SEED),)
    ]
    head = (*DOCTOR_HEAD, "score", "n", "mean", "median", "sd")
    return FigureTable("preconsult-spread", "Mean, median and deviation, clean", head, tuple(rows))


def _errors(doctors: Mapping[Doctor, Sequence[ScoreLine]]) -> FigureTable:
    head = (
        *DOCTOR_HEAD,
        "dialogues",
        "clean",
        "early stop",
        "format error",
        "matching error",
        "failed",
        "malformed turns",
        "facts",
        "not said",
        "repeated",
        "not verbatim",
        "dialogues that leak",
    )
    rows = [
        (
            *doctor,
            len(lines),
            *(sum(one.status == state for one in lines) for state in _STATES),
            sum(one.malformed_turns for one in lines),
            sum(one.units for one in lines),
            sum(one.unsupported for one in lines),
            sum(one.duplicates for one in lines),
            sum(one.matching_errors for one in lines),
            sum(bool(one.leaked_turns) for one in lines),
        )
        for doctor, lines in doctors.items()
    ]
    return FigureTable("preconsult-errors", "What was left out, and why", head, tuple(rows))


def _groups(
    doctors: Mapping[Doctor, Sequence[ScoreLine]],
    key: str,
    title: str,
    of: Callable[[ScoreLine], str],
    caption: str = "",
) -> FigureTable:
    rows = [
        (
            *doctor,
            name,
            sum(one.scores is not None for one in own),
            sum(one.top_1 is not None for one in own),
            number(mean_of(own, "weighted", View())),
            *(_percent(mean_of(own, share, View())) for share in _SHARES),
        )
        for doctor, lines in doctors.items()
        for name, own in group(lines, of).items()
    ]
    head = (
        *DOCTOR_HEAD,
        "group",
        "n",
        "diagnosed",
        "weighted",
        "coverage, %",
        "weighted coverage, %",
    )
    return FigureTable(key, title, (*head, "top-1, %", "top-k, %"), tuple(rows), caption)


def _specialty(row: Disease) -> str:
    return row.specialty


def _second_specialty(row: Disease) -> str:
    return row.second_specialty


def _chapter(row: Disease) -> str:
    return row.chapter


def _of_table(of: Callable[[Disease], str]) -> Callable[[ScoreLine], str]:
    def name(line: ScoreLine) -> str:
        row = disease_named(line.disease)
        return _UNKNOWN if row is None else of(row)

    return name


def _percent(value: float | None) -> Cell:
    return None if value is None else 100 * value


def _interval(found: Summary, scale: int) -> str:
    if found.lower is None or found.upper is None:
        return "n/a"
    digits = 1 if scale == 1 else 0
    return f"{scale * found.lower:.{digits}f}-{scale * found.upper:.{digits}f}"
