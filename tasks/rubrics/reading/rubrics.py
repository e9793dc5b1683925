"""Reads rubrics of HealthBench's shape, also as they are published with faults.

What can be put right by a stated rule is repaired, what can't is refused; both are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from tasks.contracts.errors import SourceError
from tasks.contracts.rubrics import (
    AXES,
    LARGEST_WEIGHT,
    VARIANTS,
    Axis,
    Criterion,
    Rubric,
    RubricSet,
    Variant,
)
from tasks.rubrics.pipeline.wording_rules import sign_agrees
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.ids import record_id
from tasks.rubrics.reading.json_text import records_of
from tasks.rubrics.words import fold

_LISTS = ("rubrics", "generated_rubrics", "criteria", "rubric")
_IDS = ("query_id", "index", "prompt_id", "id")
_KNOWN = frozenset({"criterion", "axis", "points", "tags", "support"})

OTHER_AXES: Mapping[str, Axis] = {
    "communication": "communication_quality",
    "safety": "accuracy",
    "safety_risk_awareness": "accuracy",
    "clinical_correctness": "accuracy",
    "contraindications_harm_avoidance": "accuracy",
    "guideline_adherence": "accuracy",
    "information_completeness": "completeness",
    "value_added": "completeness",
    "resourcefulness": "completeness",
    "healthcare_implications": "completeness",
    "adaptability": "context_awareness",
    "personalization": "context_awareness",
    "patient_centeredness": "communication_quality",
}
"""Axes of public rubric files that are none of HealthBench's, and where they belong."""


def read_rubrics(path: Path, name: str, log: ReadingLog) -> RubricSet:
    """Rubrics by query; raises SourceError where a file holds none.

    A file that is one list of criteria, without any query, is a fixed rubric: its only rubric has
    the id ``*`` and holds for every query.
    """
    records = list(records_of(path, log))
    fixed = bool(records) and all(_is_criterion(one.value) for one in records)
    # Lines of a record that is laid out over several lines are no list of criteria.
    if fixed and not log.has_refused("not_json"):
        criteria = read_criteria([one.value for one in records], "*", log)
        return RubricSet(name=name, rubrics=(Rubric(query_id="*", criteria=criteria),))
    found: dict[str, Rubric] = {}
    variants: set[str] = set()
    for _, place, value in records:
        rubric = _rubric(value, place, log)
        if rubric is None:
            continue
        if rubric.query_id in found:
            log.refused("repeated_query", rubric.query_id)
            continue
        found[rubric.query_id] = rubric
        variants.add(str(cast("dict[str, Any]", value).get("variant", "")))
    if not found:
        raise SourceError(
            f"{path}: holds no rubric{log.why_nothing}; expected JSON lines such as "
            '{"index": 0, "rubrics": [{"criterion": "…", "axis": "accuracy", "points": 5}]}'
        )
    return RubricSet(name=name, variant=_variant(variants), rubrics=tuple(found.values()))


def by_query(rubrics: RubricSet, query_ids: Iterable[str]) -> dict[str, Rubric]:
    """The rubric of every query that has one; a fixed rubric is every query's."""
    found = {one.query_id: one for one in rubrics.rubrics}
    if fixed := found.get("*"):
        return {query: fixed.model_copy(update={"query_id": query}) for query in query_ids}
    return {query: found[query] for query in query_ids if query in found}


def read_criteria(
    values: Iterable[object], query_id: str, log: ReadingLog
) -> tuple[Criterion, ...]:
    """The criteria of one rubric without those that are refused, each text once."""
    kept: dict[str, Criterion] = {}
    for number, value in enumerate(values, start=1):
        place = f"{query_id}#{number}"
        one = _criterion(value, place, log)
        if one is None:
            continue
        folded = fold(one.criterion)
        if folded in kept:
            log.refused("duplicate_criterion", place)
            continue
        if not sign_agrees(one.criterion, one.points):
            log.kept("sign_against_wording", place)
        kept[folded] = one
    criteria = tuple(kept.values())
    if criteria and not any(one.points < 0 for one in criteria):
        log.kept("no_negative_criterion", query_id)
    if criteria and not any(one.points > 0 for one in criteria):
        log.kept("no_positive_criterion", query_id)
    return criteria


def _rubric(value: object, place: str, log: ReadingLog) -> Rubric | None:
    if not isinstance(value, dict):
        log.refused("not_a_record", place)
        return None
    record = cast("dict[str, Any]", value)
    query_id = record_id(record, _IDS, place, log)
    if query_id is None:
        log.refused("no_query_id", place)
        return None
    listed = next((record[key] for key in _LISTS if key in record), None)
    if not isinstance(listed, list):
        log.refused("no_criteria_list", query_id)
        return None
    criteria = read_criteria(cast("list[object]", listed), query_id, log)
    if not criteria:
        log.kept("empty_rubric", query_id)
    return Rubric(query_id=query_id, criteria=criteria)


def _criterion(value: object, place: str, log: ReadingLog) -> Criterion | None:
    if not isinstance(value, dict):
        log.refused("not_a_criterion", place)
        return None
    record = cast("dict[str, Any]", value)
    text = record.get("criterion")
    if not isinstance(text, str) or not text.strip():
        log.refused("no_text", place)
        return None
    points = _points(record.get("points"), place, log)
    axis = None if points is None else _axis(record, place, log)
    if points is None or axis is None:
        return None
    plain = " ".join(text.split())
    if plain != text:
        log.repaired("blanks", place)
    if set(record) - _KNOWN:
        log.repaired("further_fields", place)
    support = record.get("support")
    ids = cast("list[object]", support) if isinstance(support, list) else []
    return Criterion(criterion=plain, axis=axis, points=points, support=tuple(map(str, ids)))


def _points(value: object, place: str, log: ReadingLog) -> int | None:
    """Whole points; refused are texts, truth values, fractions, 0 and what is out of range."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        log.refused("points_not_a_number", place)
        return None
    # Not "abs(value) >": NaN is neither above nor below.
    if not abs(value) <= LARGEST_WEIGHT:
        log.refused("points_out_of_range", place)
        return None
    if value != int(value):
        log.refused("points_not_whole", place)
        return None
    if value == 0:
        log.refused("points_zero", place)
        return None
    if isinstance(value, float):
        log.repaired("points_as_decimal", place)
    return int(value)


def _axis(record: Mapping[str, Any], place: str, log: ReadingLog) -> Axis | None:
    stated = record.get("axis")
    tags = record.get("tags")
    if stated is None and isinstance(tags, list):
        named = [str(one).partition(":") for one in cast("list[object]", tags)]
        stated = next((axis for key, _, axis in named if key.strip().casefold() == "axis"), None)
    if not isinstance(stated, str):
        log.refused("no_axis", place)
        return None
    folded = "_".join(stated.strip().casefold().replace("-", " ").split())
    for known in AXES:
        if known == folded:
            if folded != stated:
                log.repaired("axis_spelling", place)
            return known
    other = OTHER_AXES.get(folded)
    if other is None:
        log.refused("unknown_axis", place)
        return None
    log.repaired("axis_of_another_set", place)
    return other


def _is_criterion(value: object) -> bool:
    return isinstance(value, dict) and "criterion" in value


def _variant(stated: set[str]) -> Variant | None:
    if len(stated) != 1:
        return None
    name = next(iter(stated))
    return next((one for one in VARIANTS if one == name), None)
