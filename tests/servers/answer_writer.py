"""Answers requests of an evaluation: questions as told, and verdicts by comparing two texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers.faults import Message
from tests.servers.fences import fenced_parts

_NUMBERED = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)

Answering = Callable[[str], str | None]
"""The answer to a question; null leaves it out of the reply."""


@dataclass
class AnswerWriter:
    """A model that answers each question by a rule, and judges right what equals the gold.

    ``asked`` and ``judged`` count the questions and the verdicts it was asked for; ``undecided``
    has it say nothing that is a verdict.
    """

    answering: Answering
    undecided: bool = False
    asked: list[str] = field(default_factory=list[str])
    judged: int = 0

    def __call__(self, messages: Sequence[Message]) -> str:
        """The reply as JSON text; raises LookupError for any other request."""
        fenced = fenced_parts(messages)
        if "questions" in fenced:
            return self._answers(fenced["questions"])
        if "the answer to judge" in fenced:
            self.judged += 1
            same = fenced["the answer to judge"].strip() == fenced["the gold answer"].strip()
            return json.dumps({"correct": "perhaps" if self.undecided else same})
        raise LookupError("neither questions nor an answer to judge")

    def _answers(self, questions: str) -> str:
        numbered = [(int(number), text) for number, text in _NUMBERED.findall(questions)]
        self.asked += [text for _, text in numbered]
        given = [(number, self.answering(text)) for number, text in numbered]
        answers = [{"number": number, "answer": text} for number, text in given if text is not None]
        return json.dumps({"answers": answers}, ensure_ascii=False)


def gold_answers(release: Path) -> Mapping[str, str]:
    """Gold answers of a release by question, spaces as a prompt has them."""
    return {
        " ".join(one["question"].split()): one["answer"]
        for path in sorted(release.glob("*/benchmark_qa.json"))
        for one in json.loads(path.read_text(encoding="utf-8"))["qas"]
    }
