"""Reads a model's reply: finds the JSON object in it and validates it in full."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tasks.contracts.errors import ReplyMalformed

Reply = TypeVar("Reply", bound=BaseModel)

MOST_VIOLATIONS = 20
MOST_CHARACTERS = 300_000
"""Several times the longest dialogue that is asked for; checking more would take minutes."""

MOST_OBJECTS = 500
"""Stretches of a reply that are tried; a model that opens braces for ever means none of them."""

_OBJECT_START = re.compile(r'\{\s*(?=["}])')
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN_CHARACTERS = 60
_MOST_DIGITS = 18
_OUTWEIGHS = 2
"""How many times as long as another an object has to be to stand for the reply."""
_SAYS_SEVERAL_THINGS = "the reply holds several different JSON objects; expected one"


@dataclass(frozen=True)
class _Attempt:
    """A stretch of the reply that starts like an object, and what is wrong with it."""

    length: int
    violations: tuple[str, ...]
    json_text: str = ""


def read_reply(content: str, model: type[Reply]) -> Reply:
    """The reply as an object of the asked shape.

    Reasoning before it, a code fence and prose around it are passed over; of several objects one
    counts that is much longer than the others of that shape, or the same. Lone surrogates become
    U+FFFD. Raises ReplyMalformed, whose message holds nothing of the content and whose violations
    are of the longest object found.
    """
    text = _mended(content).removeprefix("\ufeff")
    answer = _without_reasoning(text)
    failed: list[_Attempt] = []
    replies: list[tuple[int, Reply]] = []
    usable = answer if len(answer) <= MOST_CHARACTERS else ""
    for attempt in islice(_attempts(usable), MOST_OBJECTS):
        if attempt.violations:
            failed.append(attempt)
            continue
        try:
            reply = model.model_validate_json(attempt.json_text)
        except ValidationError as error:
            failed.append(_Attempt(attempt.length, _broken(error)))
        else:
            replies.append((attempt.length, reply))
    if replies:
        replies.sort(key=lambda reply: reply[0], reverse=True)
        length, chosen = replies[0]
        if all(one == chosen or other * _OUTWEIGHS < length for other, one in replies):
            return chosen
        failed = [_Attempt(length, (_SAYS_SEVERAL_THINGS,))]
    longest = max(failed, key=lambda attempt: attempt.length, default=None)
    violations = longest.violations if longest else (_without_object(answer),)
    raise ReplyMalformed(
        f"the reply is no JSON of the shape {model.__name__}: violations: {len(violations)}",
        content=text,
        violations=violations,
    )


def _mended(text: str) -> str:
    """The text with the halves of a pair joined and lone surrogates replaced."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _without_reasoning(text: str) -> str:
    """What follows ``</think>``; reasoning that never ends leaves nothing.

    Some servers cut the opening tag off, so an answer is told from reasoning by how it starts.
    """
    if text.lstrip().startswith(("{", "[", "`")):
        return text
    reasoning, end, answer = text.partition("</think>")
    if end:
        return answer
    return "" if reasoning.lstrip().startswith("<think>") else text


def _attempts(text: str) -> Iterator[_Attempt]:
    """Every outermost stretch of a text that starts like a JSON object."""
    position = 0
    while start := _OBJECT_START.search(text, position):
        begin = start.start()
        problems: list[str] = []
        json_text = ""
        try:
            value, position = _decoder(problems).raw_decode(text, begin)
            # Escaped halves of pairs become visible by being read.
            json_text = _mended(json.dumps(value, ensure_ascii=False))
        except json.JSONDecodeError as error:
            position = max(error.pos, begin + 1)
            problems = [_unreadable(error, begin)]
        except RecursionError:
            position = len(text)
            problems = ["the object is nested too deeply"]
        yield _Attempt(position - begin, _at_most(problems), json_text)


def _decoder(problems: list[str]) -> json.JSONDecoder:
    """Reads JSON and tells what is no JSON, or says two things at once, though Python reads it."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
            problems.append(f"the key {_shown(twice)} appears twice in one object")
        return fields

    def no_number(digits: str) -> None:
        problems.append(f"{digits[:_SHOWN_CHARACTERS]} is no JSON number of a usable size")

    def real(digits: str) -> float | None:
        value = float(digits)
        return value if math.isfinite(value) else no_number(digits)

    def whole(digits: str) -> int | None:
        return int(digits) if len(digits) <= _MOST_DIGITS else no_number(digits)

    # Not strict: a line break inside a string is no JSON, but has one meaning only.
    return json.JSONDecoder(
        object_pairs_hook=unique,
        parse_constant=no_number,
        parse_float=real,
        parse_int=whole,
        strict=False,
    )


def _without_object(answer: str) -> str:
    if len(answer) > MOST_CHARACTERS:
        return f"the reply has {len(answer)} characters; expected at most {MOST_CHARACTERS}"
    if not answer.strip():
        return "the reply is empty; expected one JSON object"
    return "the reply holds no JSON object; expected one and nothing else"


def _unreadable(error: json.JSONDecodeError, begin: int) -> str:
    before = error.doc[max(begin, error.pos - _SHOWN_CHARACTERS // 2) : error.pos]
    told = json.dumps(before, ensure_ascii=False)
    problem = error.msg.removesuffix(" starting at")
    return f"not JSON: {problem} at character {error.pos - begin}, after {told}"


def _broken(error: ValidationError) -> tuple[str, ...]:
    return _at_most([_violation(one) for one in error.errors(include_url=False)])


def _violation(error: ErrorDetails) -> str:
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error["loc"]
    ).removeprefix(".")
    found = error["input"]
    told = "" if isinstance(found, dict | list) else f"; found {_shown(found)}"
    return f"{path or 'the object'}: {error['msg']}{told}"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"


def _at_most(problems: list[str]) -> tuple[str, ...]:
    if len(problems) <= MOST_VIOLATIONS:
        return tuple(problems)
    rest = len(problems) - MOST_VIOLATIONS + 1
    return (*problems[: MOST_VIOLATIONS - 1], f"and {rest} more of the kind")
