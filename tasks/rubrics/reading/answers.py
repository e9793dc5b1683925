"""Reads answers to queries: reference responses, or those of a system."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from tasks.contracts.errors import SourceError
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.ids import record_id
from tasks.rubrics.reading.json_text import records_of
from tasks.rubrics.reading.queries import make_query

_TEXTS = ("reference_response", "response", "answer", "sanswer", "completion")
_QUESTIONS = ("problem", "query", "question", "original_query")
_IDS = ("query_id", "index", "prompt_id", "id")


def read_answers(
    path: Path, log: ReadingLog, questions: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Answers by query id; empty ones are refused. Raises SourceError where there is none.

    A record without an id that states its question answers the query that asks it, if ``questions``
    (by query id) are given: places of files agree by chance. Others get the number of their place,
    from 0.
    """
    answers: dict[str, str] = {}
    for number, place, value in records_of(path, log):
        record = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        asking = _asking(record, str(number), questions)
        query_id = record_id(record, _IDS, place, log, asking)
        text = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), None)
        if query_id is None or text is None:
            log.refused("not_an_answer" if asking else "another_problem", place)
        elif not text.strip():
            log.refused("empty_answer", query_id)
        elif query_id in answers:
            log.refused("repeated_query", query_id)
        else:
            answers[query_id] = text.strip()
    if not answers:
        raise SourceError(
            f'{path}: holds no answer{log.why_nothing}; expected JSON lines such as {{"index": 0, '
            '"reference_response": "…"}'
        )
    return answers


def _asking(
    record: Mapping[str, Any], place: str, questions: Mapping[str, str] | None
) -> str | None:
    """The query that a record's question is; its place where nothing tells, None for no query.

    Several queries may ask the same in other conversations: then only the record's place tells.
    """
    stated = next((record[key] for key in _QUESTIONS if isinstance(record.get(key), str)), "")
    asked = make_query(place, stated) if questions is not None else None
    if questions is None or asked is None:
        return place
    found = [query_id for query_id, question in questions.items() if question == asked.question]
    if place in found or len(found) == 1:
        return place if place in found else found[0]
    return None
