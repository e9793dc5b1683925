"""Reads JSON and JSON lines as they are found: strict first, then by stated repairs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from tasks.contracts.errors import SourceError
from tasks.rubrics.characters import whole_characters
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.literal import RepeatedKey, is_literal, read_literal

_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(\s*[\]}])')


UNREADABLE = object()
"""Stands for what is no JSON, or not in one way only."""


class Record(NamedTuple):
    """One record of a file."""

    number: int
    """Its place among all records from 0, those that can't be read among them."""
    place: str
    """The same for people: line or item, from 1."""
    value: object


def read_text(path: Path) -> str:
    """A file's text without a byte-order mark; raises SourceError naming file and remedy."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SourceError(
            f"{path}: can't be read ({error.strerror}); give the path of a file"
        ) from None
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{path}: byte {error.start} is no UTF-8; convert the file to UTF-8"
        ) from None


def records_of(path: Path, log: ReadingLog) -> Iterator[Record]:
    """Every record that can be read: a line of JSON lines, an item of a list, or one object.

    A line that can't be read is refused and counted; a list that can't be read is an error.
    """
    text = read_text(path).strip()
    if text.startswith("["):
        whole = parse(text, "file", log)
        if not isinstance(whole, list):
            raise SourceError(f"{path}: is no JSON list; correct the file")
        items = cast("list[object]", whole)
        yield from (Record(at, f"item {at + 1}", value) for at, value in enumerate(items))
        return
    if _is_one_object(text):
        yield Record(0, "file", parse(text, "file", log))
        return
    number = 0
    for line_number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            value = parse(line, f"line {line_number}", log)
            if value is not UNREADABLE:
                yield Record(number, f"line {line_number}", value)
            number += 1


def parse(text: str, place: str, log: ReadingLog) -> Any:
    """A JSON value; UNREADABLE where it can't be read, which is counted.

    Trailing commas are taken away, literals of Python read. NaN and infinities become null, which
    no field accepts; half a character (a lone surrogate) becomes U+FFFD.
    """
    repaired = _TRAILING_COMMA.sub(lambda found: found[1] or found[2], text)
    for candidate in (text, repaired):
        constants: list[str] = []
        try:
            value = json.loads(
                candidate, parse_constant=constants.append, object_pairs_hook=_each_key_once
            )
        except RepeatedKey:
            return _refused("repeated_key", place, log)
        except (ValueError, RecursionError):
            continue
        if candidate is not text:
            log.repaired("trailing_comma", place)
        if constants:
            log.repaired("number_not_finite", place)
        return _of_whole_characters(value, text, place, log)
    return _of_literal(text, place, log) if is_literal(text) else _refused("not_json", place, log)


def _of_literal(text: str, place: str, log: ReadingLog) -> Any:
    try:
        value = read_literal(text)
    except RepeatedKey:
        return _refused("repeated_key", place, log)
    except ValueError:
        return _refused("not_json", place, log)
    log.repaired("python_literal", place)
    return _of_whole_characters(value, text, place, log)


def _refused(rule: str, place: str, log: ReadingLog) -> Any:
    log.refused(rule, place)
    return UNREADABLE


def _is_one_object(text: str) -> bool:
    """Whether a text of several lines is one object, which is not JSON lines."""
    if not text.startswith("{") or "\n" not in text:
        return False
    scratch = ReadingLog("")
    if parse(text.partition("\n")[0], "", scratch) is not UNREADABLE:
        return False
    return parse(text, "", scratch) is not UNREADABLE


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RepeatedKey
    return found


def _of_whole_characters(value: Any, text: str, place: str, log: ReadingLog) -> Any:
    if "\\ud" not in text.casefold():
        return value
    dumped = json.dumps(value, ensure_ascii=False)
    whole = whole_characters(dumped)
    if whole == dumped:
        return value
    log.repaired("half_character", place)
    return json.loads(whole)
