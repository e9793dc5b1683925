"""Answers requests of the flows of rubrics: every role in its shape, pairs as told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.servers.faults import Message
from tests.servers.fences import fenced_parts

_NUMBERED = re.compile(r"^(\d+)\. ", re.MULTILINE)
_WEIGHED = re.compile(r"^(\d+)\. \[\w+, (-?\d+)\]", re.MULTILINE)
_IDS = re.compile(r"^\[([fi]\d+)\]", re.MULTILINE)
_PASSAGES = re.compile(r"^\[(p\d+)\]", re.MULTILINE)

Prefers = Callable[[str, str], tuple[bool, bool]]
"""Whether answers A and B are good: a good one meets every merit and no fault, another the rest."""

Reply = object


def first_answer(_first: str, _second: str) -> tuple[bool, bool]:
    """A judge of places."""
    return True, False


@dataclass
class RubricWriter:
    """A model that plays every role; ``roles`` lists what it was asked for, in order.

    ``prefers`` judges pairs; null makes replies to pairs unreadable.
    """

    prefers: Prefers | None = first_answer
    roles: list[str] = field(default_factory=list[str])

    def __call__(self, messages: Sequence[Message]) -> str:
        """The reply as JSON text."""
        parts = fenced_parts(messages)
        role = role_of(messages[1]["content"], parts)
        self.roles.append(role)
        if role in ("pair", "compare"):
            return self._judged(role, parts)
        return json.dumps(_REPLIES[role](parts), ensure_ascii=False)

    def _judged(self, role: str, parts: Mapping[str, str]) -> str:
        if self.prefers is None:
            return "I think it depends."
        first, second = self.prefers(parts["answer A"], parts["answer B"])
        if role == "compare":
            better = "tie" if first == second else "A" if first else "B"
            return json.dumps({"better": better})
        verdicts = [
            {
                "number": int(number),
                "a_meets": first == (int(points) > 0),
                "b_meets": second == (int(points) > 0),
            }
            for number, points in _WEIGHED.findall(parts["rubric"])
        ]
        return json.dumps({"verdicts": verdicts})


def role_of(task: str, parts: Mapping[str, str]) -> str:
    """The role that a request is meant for, by the opening words of its task."""
    openings = {
        "Plan a search": "router",
        "Choose the sources": "reranker",
        "Put the evidence": "evidence",
        "Split the evidence": "facts",
        "Find facts": "relevance",
        "Describe what": "intent",
        "Audit a draft": "auditor",
        "Split a rubric": "atomizer",
        "Does a rubric": "entail",
        "Spoil a good": "perturber",
        "Judge two answers": "pair",
        "Which of two": "compare",
        "Judge an answer": "score",
        "Apply an edit": "editor",
        "Answer the user": "base",
    }
    for opening, role in openings.items():
        if task.startswith(opening):
            return role
    if task.startswith("Say how an answer"):
        return "critic"
    return "rubric" if "interaction intent" in parts else "direct"


def _criterion(text: str, points: int, support: Sequence[str] = ()) -> dict[str, Reply]:
    return {
        "criterion": text,
        "axis": "accuracy",
        "points": points,
        "support": list(support),
    }


def _rubric(parts: Mapping[str, str]) -> Reply:
    ids = _IDS.findall("\n".join(parts.values()))
    criteria = [_criterion(f"Heeds what {id} says", 5, [id]) for id in ids]
    return {"criteria": [*criteria, _criterion("Promises a cure", -7, ids[:1])]}


def _facts(parts: Mapping[str, str]) -> Reply:
    ids = _PASSAGES.findall(parts["sources"])[:2]
    facts = [{"text": f"Fact of {id}.", "passage_ids": [id]} for id in ids]
    return {"positive_facts": facts, "negative_constraints": [], "safety_red_flags": []}


def _evidence(parts: Mapping[str, str]) -> Reply:
    id = next(iter(_PASSAGES.findall(parts["sources"])), "")
    source = {"source": 1, "relevance": "on topic", "passage_ids": [id], "conflict_note": ""}
    return {
        "sources": [source],
        "consensus": [],
        "contention": [],
        "red_flags": [],
        "regional_context": "",
    }


def _atoms(parts: Mapping[str, str]) -> Reply:
    lines = parts["rubric"].splitlines()
    found = [re.match(r"(\d+)\. \[[^\]]*\] (.*?)(?: \(support: .*\))?$", line) for line in lines]
    return {"atoms": [{"criterion": int(one[1]), "text": one[2]} for one in found if one]}


def _spoilt(parts: Mapping[str, str]) -> Reply:
    original = parts["the answer"].split(". ")[0]
    return {
        "kind": "unsupported_reassurance",
        "original": original,
        "replacement": f"{original}. All is well",
    }


def _scores(parts: Mapping[str, str]) -> Reply:
    numbers = _NUMBERED.findall(parts["rubric"])
    return {"verdicts": [{"number": int(number), "met": False} for number in numbers]}


_REPLIES: Mapping[str, Callable[[Mapping[str, str]], Reply]] = {
    "router": lambda _parts: {
        "intent_category": "advice",
        "search_queries": ["gout water", "bloating food", "fever child"],
    },
    "reranker": lambda _parts: {"best": [2, 1]},
    "evidence": _evidence,
    "facts": _facts,
    "relevance": lambda _parts: {"irrelevant": []},
    "intent": lambda _parts: {
        "persona": "a layperson",
        "missing_context": ["age"],
        "tone": "plainly",
        "requests": [],
    },
    "rubric": _rubric,
    "auditor": _rubric,
    "direct": lambda _parts: {
        "criteria": [_criterion("Answers the question", 5), _criterion("Promises a cure", -7)]
    },
    "atomizer": _atoms,
    "entail": lambda _parts: {"entailed": True},
    "perturber": _spoilt,
    "score": _scores,
    "critic": lambda _parts: {
        "edits": [{"priority": 1, "action": "ADD", "instruction": "Say more."}]
    },
    "editor": lambda parts: {"answer": parts["the answer"] + " More."},
    "base": lambda _parts: {"answer": "Drink water."},
}
