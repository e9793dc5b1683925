"""Answers question requests as a good model would, from a release of the same data."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_PREFIX = re.compile(r"begins with exactly these words: `(?P<prefix>[^`]+)`")
_TYPE = re.compile(r"^- `(?P<type>[a-z_]+)`:", re.MULTILINE)
_LISTED = re.compile(r'^\{"number":.*\}$', re.MULTILINE)
_ADVERSARIAL = "adversarial"


class QuestionWriter:
    """Answers requests for a stay's own questions from qa.json, and words others as they stand.

    Stays with the same dates are told apart by their first turn. Everything is read when it is
    made, so that an answer takes no time. Raises LookupError for what is no question request, and
    for stays that the release lacks: the server then fails with status 500.
    """

    def __init__(self, release: Path) -> None:
        self._stays: dict[str, list[tuple[str, dict[str, dict[str, Any]]]]] = {}
        for file in sorted(release.glob("*/*/qa.json")):
            self._add(file.parent)

    def __call__(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """The reply as JSON text."""
        task = next(one["content"] for one in messages if one["role"] == "user")
        if prefix := _PREFIX.search(task):
            types = _TYPE.findall(task[: prefix.start()])
            return json.dumps({"questions": self._own(prefix["prefix"], types, task)})
        listed = [json.loads(line) for line in _LISTED.findall(task)]
        if not listed:
            raise LookupError("the request is not for questions")
        worded = [{"number": one["number"], "question": _worded(one)} for one in listed]
        return json.dumps({"questions": worded}, ensure_ascii=False)

    def _own(self, prefix: str, types: Sequence[str], task: str) -> list[dict[str, Any]]:
        stays = self._stays.get(prefix, [])
        if not stays:
            raise LookupError("the release holds no stay with these dates")
        asked = next((asked for opening, asked in stays if opening in task), stays[0][1])
        return [asked[kind] for kind in types if kind in asked]

    def _add(self, folder: Path) -> None:
        first = _read(folder / "conversation.json")["conversation_lines"][0]["text"]
        asked = {
            one["question_type"]: {
                "question_type": one["question_type"],
                "question": one["question"],
                "answer": one["answer"],
                "cited_turns": one["evidence"]["turn_ids"],
            }
            for one in _read(folder / "qa.json")["qas"]
            if one["question_type"] != _ADVERSARIAL
        }
        question = next(iter(asked.values()))["question"]
        # No opening holds a comma before its end: dates are written with hyphens.
        prefix = question[: question.index(", ") + 2]
        self._stays.setdefault(prefix, []).append((first, asked))


def _worded(listed: Mapping[str, Any]) -> str:
    """A listed question as it stands, or about what replaces its target."""
    text = listed["question"]
    for swap in listed.get("replace", ()):
        text = re.sub(re.escape(swap["old"]), lambda _, to=swap["new"]: to, text, flags=re.I)
    return text


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_bytes())
