"""Laboratory values of a discharge note's results, by the block they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from tasks.contracts.records import FactKind, SourceSpan
from tasks.ehr.sections import Section, named
from tasks.ehr.statements import Statement
from tasks.ehr.vocabulary import laboratory

_ADMISSION = re.compile(r"\badmission\b|\badmit\b", re.IGNORECASE)
_DISCHARGE = re.compile(r"\bdischarge\b", re.IGNORECASE)
_OTHER_FLUID = re.compile(r"\b(?:URINE|PLEURAL|ASCITES|CSF|STOOL|FLUID|OTHER BODY)\b")
_LINE_PREFIX = re.compile(r"^\s*(?:_{2,}|\d{1,2}:\d\d\s?(?:AM|PM))")


@dataclass(frozen=True)
class _Value:
    point: str
    name: str
    value: str
    flagged: bool
    start: int
    end: int


def laboratory_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """Blood tests of the admission block, the discharge block, and of results without a block.

    A test repeated within the admission or unnamed block counts with its first value; within the
    discharge block it is left out unless all values agree, as their dates are removed.
    """
    values = [value for section in named(sections, "results") for value in _values(note, section)]
    return tuple(_statement(value, note_id) for value in _settled(values))


def _values(note: str, section: Section) -> Iterator[_Value]:
    point, blood, start = "first", False, section.start
    for line in note[section.start : section.end].splitlines(keepends=True):
        found = list(_pattern().finditer(line))
        if _LINE_PREFIX.match(line):
            blood = not _OTHER_FLUID.search(line)
        elif not found:
            point, blood = _point(line, point), blood and not line.strip().endswith(":")
        if found and blood and point:
            for match in found:
                yield _Value(
                    point,
                    " ".join(match["name"].split()),
                    match["value"],
                    bool(match["flag"]),
                    start + match.start(),
                    start + match.end(),
                )
        start += len(line)


def _point(line: str, current: str) -> str:
    """The block that a heading opens: admission, discharge, or empty for any other block."""
    heading = line.strip().strip("=-*# ")
    is_heading = heading.endswith(":") or (len(heading.split()) <= 5 and heading.isupper())
    if not heading or not is_heading:
        return current
    if _DISCHARGE.search(heading):
        return "discharge"
    return "admission" if _ADMISSION.search(heading) else ""


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(laboratory().tests, key=lambda name: (-len(name), name))
    words = "|".join(r"\s".join(map(re.escape, name.split())) for name in names)
    return re.compile(
        rf"(?<![\w(/%-])(?P<name>{words})-(?P<value>[<>]?\d[\d,]*(?:\.\d+)?)(?P<flag>\*?)(?![\w.%])"
    )


def _settled(values: list[_Value]) -> Iterable[_Value]:
    tests = laboratory().tests
    grouped: dict[tuple[str, str], list[_Value]] = {}
    for value in values:
        grouped.setdefault((value.point, tests[value.name]), []).append(value)
    for (point, _), group in grouped.items():
        if point != "discharge" or len({value.value for value in group}) == 1:
            yield group[0]


def _statement(value: _Value, note_id: str) -> Statement:
    test = laboratory().tests[value.name]
    detail = {"point": value.point, "test": test, "name": value.name}
    return Statement(
        kind=FactKind.LAB,
        label=f"{value.point} {test}",
        value=value.value,
        source=SourceSpan(
            table="discharge",
            item=note_id,
            section="Pertinent Results",
            start=value.start,
            end=value.end,
        ),
        detail=detail | {"flag": "abnormal"} if value.flagged else detail,
    )
