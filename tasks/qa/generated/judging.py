"""What is wrong with a question: the rules first, then the support and answerability audits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.audit.support.question_reading import Reading, read_question
from tasks.audit.support.questions import audit_question, read_for_audit
from tasks.audit.support.record_words import Record
from tasks.contracts.audit import QuestionAudit
from tasks.contracts.characters import has_odd_character
from tasks.contracts.questions import PatientChart, Question
from tasks.qa.doubts import audited
from tasks.qa.support import broken_rules

_OPENING = re.compile(r"During the hospitalization [^,]*, ")
_ASKS = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"(?:did|was|were|is|are|has|have|had|does|do|can|could|would|will|should|may|might)\b",
    re.IGNORECASE,
)
_TELLS_OF_ITS_SOURCE = re.compile(
    r"\b(?:conversations?|transcripts?|turns? \d+|if (?:any|known|mentioned|stated|documented)"
    r"|if at all|mentioned|documented|according to|as stated|described in)\b",
    re.IGNORECASE,
)
_NEXT_SENTENCE = re.compile(r"(?<!\bvs)[.!]\s+[A-Z]")
_MOST_WORDS = 60


class QuestionJudge:
    """Judges questions of one chart; ``beside`` are questions that the audits learn wording from.

    What it says of a question repeats nothing of it.
    """

    def __init__(self, chart: PatientChart, beside: tuple[Question, ...] = ()) -> None:
        self._chart = chart
        self._reading = read_for_audit(audited(chart, beside))

    @property
    def record(self) -> Record:
        """The notes and rows behind the chart."""
        return self._reading.record

    def read(self, question: Question) -> Reading:
        """What a question asks about, as far as its words tell."""
        return read_question(question, self._reading.sessions)

    def faults(self, question: Question) -> tuple[str, ...]:
        """What is wrong with a question; empty for a sound one."""
        broken = (*wording_faults(question.question), *broken_rules(question, self._chart))
        if has_odd_character(question.answer):
            broken += ("the answer holds an invisible character or mixed scripts",)
        return broken or tuple(_doubts(audit_question(question, self._reading)))


def wording_faults(text: str) -> Iterator[str]:
    """What is wrong with the wording of any question, whatever it asks."""
    body = _OPENING.sub("", text, count=1)
    if _ASKS.search(body) is None or _AUXILIARY.match(body):
        yield "the question could be answered with yes or no; ask what, which, when, why or how"
    if _TELLS_OF_ITS_SOURCE.search(body):
        yield "the question speaks of a conversation, or of something being mentioned"
    if not text.endswith("?") or text.count("?") > 1 or _NEXT_SENTENCE.search(text):
        yield "the question is not one sentence that ends in a question mark"
    if has_odd_character(text):
        yield "the question holds an invisible character or mixed scripts"
    if len(body.split()) > _MOST_WORDS:
        yield f"the question has {len(body.split())} words, more than {_MOST_WORDS}"


def _doubts(audit: QuestionAudit) -> Iterator[str]:
    if audit.whole_dialogue:
        yield "so many turns are cited that they prove nothing in particular"
    if audit.supported is False:
        yield "the answer does not follow from the cited turns as an answer to this question"
    if audit.dispensable_turns:
        yield f"{audit.dispensable_turns} cited turns could be left out"
    for place in audit.contradicting_turns:
        yield f"turn {place.rpartition(':')[2]} gives another answer to this question"
    if audit.answered:
        yield "what an unanswerable question asks about is told after all"
