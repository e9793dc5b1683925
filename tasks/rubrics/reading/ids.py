"""Ids of queries as files state them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.rubrics.reading.counting import ReadingLog

_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def plain_id(value: object) -> str | None:
    """An id that can name a file, or None."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = str(value).strip()
    return text if _PLAIN_ID.fullmatch(text) else None


def record_id(
    record: Mapping[str, Any],
    names: Iterable[str],
    place: str,
    log: ReadingLog,
    default: str | None = None,
) -> str | None:
    """The id under the first of the names that a record has; None for one that is no plain id.

    ``default`` is that of a record without one. 3.0, as tables are often exported, is 3.
    """
    stated = next((record[name] for name in names if record.get(name) is not None), None)
    if stated is None:
        return default
    if isinstance(stated, float) and stated.is_integer():
        log.repaired("id_as_decimal", place)
        stated = int(stated)
    return plain_id(stated)
