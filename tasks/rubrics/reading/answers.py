"""Reads answers to queries: reference responses, or those of a system."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from tasks.contracts.errors import SourceError
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.ids import record_id
from tasks.rubrics.reading.json_text import records_of

_TEXTS = ("reference_response", "response", "answer", "sanswer", "completion")
_IDS = ("query_id", "index", "prompt_id", "id")


def read_answers(path: Path, log: ReadingLog) -> dict[str, str]:
    """Answers by query id; empty ones are refused. Raises SourceError where there is none.

    Records without an id get the number of their place, from 0.
    """
    answers: dict[str, str] = {}
    for number, place, value in records_of(path, log):
        record = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        query_id = record_id(record, _IDS, place, log, str(number))
        text = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), None)
        if query_id is None or text is None:
            log.refused("not_an_answer", place)
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
