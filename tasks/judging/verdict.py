"""Reads a judge's verdict strictly: what can't be read is an error, never a "no"."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

_YES = frozenset({"yes", "true", "correct"})
_NO = frozenset({"no", "false", "incorrect"})
_FIELDS = frozenset({"verdict", "correct", "answer", "judgment", "judgement"})
_REASONING = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"^```(?:json)?\s*(.*?)\s*```$", re.DOTALL)
_LABEL = re.compile(r"^(?:(?:final )?(?:verdict|answer|judge?ment)|correct) ?[:=] ?")
_WORD = re.compile(r"[a-z]+")
_AFTER_WORD = re.compile(r"[.,;:!\n]| [-(]")


class _TwiceError(ValueError):
    """A JSON object that says two things under one name, or a number that is none."""


def read_verdict(text: str) -> bool | None:
    """True for yes, False for no, None for what can't be read as one of them.

    A verdict is one JSON object, or a text that opens with the word itself and says nothing to the
    contrary later.
    """
    plain = _REASONING.sub("", unicodedata.normalize("NFKC", text).removeprefix("\ufeff"), count=1)
    plain = plain.strip()
    if fence := _FENCE.match(plain):
        plain = fence[1]
    return _of_object(plain) if "{" in plain else _of_words(plain)


def _of_words(text: str) -> bool | None:
    """A verdict in words: ``Yes.``, ``No, another dose.``, ``Verdict: yes``."""
    lower = _LABEL.sub("", text.casefold().strip("\"'*_`# ")).strip("\"'*_` ")
    first = _WORD.match(lower)
    verdict = _read_word(first[0]) if first else None
    if first is None or verdict is None:
        return None
    rest = lower[first.end() :].lstrip("\"'*_`")
    if rest and not _AFTER_WORD.match(rest):
        return None
    contrary = _NO | {"wrong"} if verdict else _YES
    return None if contrary.intersection(_WORD.findall(rest)) else verdict


def _of_object(text: str) -> bool | None:
    """A verdict as one JSON object, alone or in prose that gives no verdict of its own."""
    begin = text.index("{")
    try:
        found, end = json.JSONDecoder(
            object_pairs_hook=_unique, parse_constant=_no_number
        ).raw_decode(text, begin)
    except (ValueError, RecursionError):
        return None
    around = text[:begin] + text[end:]
    if "{" in around or (_YES | _NO).intersection(_WORD.findall(around.casefold())):
        return None
    values = [value for name, value in found.items() if name.casefold() in _FIELDS]
    verdicts = {_read_value(value) for value in values}
    return verdicts.pop() if len(verdicts) == 1 else None


def _read_value(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {0: False, 1: True}.get(value)
    return _read_word(value.casefold().strip(" .")) if isinstance(value, str) else None


def _read_word(word: str) -> bool | None:
    return True if word in _YES else False if word in _NO else None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len({name.casefold() for name in fields}) < len(pairs):
        raise _TwiceError
    return fields


def _no_number(_: str) -> float:
    raise _TwiceError
