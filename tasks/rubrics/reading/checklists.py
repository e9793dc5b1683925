"""Reads LLMEval-Med's checklists: what an answer has to hold, without axes and weights."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

from tasks.contracts.errors import SourceError
from tasks.contracts.rubrics import Axis, Criterion, Rubric, RubricSet
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.json_text import records_of

CORE_POINTS = 5
FURTHER_POINTS = 3

_CORE = re.compile(r"核心需求")
_FURTHER = re.compile(r"次要需求")
_ITEM = re.compile(r"^\s*(?:\d+\s*[.、)）]|[-•*])\s*")
_LABEL = re.compile(r"^(内容|语言|角色|表达|其他|创意|字数)(?:要求|需要|准确性)\s*[:：]\s*")
_NOTHING = re.compile(r"\s*(?<![\u4e00-\u9fff])无[。.]?$")
"""Stands for "no further requirement", alone or after an item."""
_AXES: dict[str, Axis] = {
    "内容": "accuracy",
    "语言": "communication_quality",
    "表达": "communication_quality",
    "角色": "instruction_following",
    "字数": "instruction_following",
    "创意": "instruction_following",
    "其他": "context_awareness",
}


def read_checklists(path: Path, name: str, log: ReadingLog) -> RubricSet:
    """Checklists as rubrics; the query's id is the place of the record, from 0.

    Points are not published: an item of the core requirements counts 5, another 3, and in a plain
    list, which doesn't tell them apart, every item counts 5. The axis follows the item's label,
    ``completeness`` where it has none. Items have no negative weight.
    """
    rubrics: list[Rubric] = []
    for number, place, value in records_of(path, log):
        listed = cast("dict[str, Any]", value).get("checklist") if isinstance(value, dict) else None
        criteria = _criteria(listed, str(number), log)
        if not criteria:
            log.refused("no_checklist", place)
            continue
        log.kept("points_by_rule", str(number))
        rubrics.append(Rubric(query_id=str(number), criteria=criteria))
    if not rubrics:
        raise SourceError(
            f'{path}: holds no checklist{log.why_nothing}; expected JSON lines with "problem" and '
            '"checklist"'
        )
    return RubricSet(name=name, rubrics=tuple(rubrics))


def read_problems(path: Path) -> dict[str, str]:
    """What each record asks, by the id that ``read_checklists`` gives it."""
    return {
        str(number): problem
        for number, _, value in records_of(path, ReadingLog(path.name))
        if isinstance(value, dict)
        and isinstance(problem := cast("dict[str, object]", value).get("problem"), str)
    }


def is_checklist_file(path: Path) -> bool:
    """Whether the first record of a file has a checklist."""
    first = next((one.value for one in records_of(path, ReadingLog(path.name))), None)
    return isinstance(first, dict) and "checklist" in first


def _criteria(listed: object, place: str, log: ReadingLog) -> tuple[Criterion, ...]:
    if isinstance(listed, str):
        items = _of_text(listed)
    elif isinstance(listed, list):
        texts = [one for one in cast("list[object]", listed) if isinstance(one, str)]
        items = [(" ".join(one.split()), CORE_POINTS) for one in texts]
    else:
        return ()
    unique: dict[str, int] = {}
    for text, points in items:
        plain = _NOTHING.sub("", text)
        if plain != text:
            log.repaired("placeholder_item", place)
        if plain:
            unique.setdefault(plain, points)
    return tuple(_criterion(text, points) for text, points in unique.items())


def _of_text(text: str) -> list[tuple[str, int]]:
    """Items of a checklist in two parts; lines that are no items head the part."""
    items: list[tuple[str, int]] = []
    points = CORE_POINTS
    for line in text.splitlines():
        if _FURTHER.search(line) and not _ITEM.match(line):
            points = FURTHER_POINTS
        elif _CORE.search(line) and not _ITEM.match(line):
            points = CORE_POINTS
        elif line.strip():
            items.append((" ".join(_ITEM.sub("", line).split()), points))
    return items


def _criterion(text: str, points: int) -> Criterion:
    label = _LABEL.match(text)
    axis: Axis = _AXES[label[1]] if label else "completeness"
    plain = _LABEL.sub("", text) or text
    return Criterion(criterion=plain, axis=axis, points=points)
