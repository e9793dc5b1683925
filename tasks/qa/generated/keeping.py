"""Whether a question in other words still asks the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.audit.support.cues import ACTIONS, PHASES
from tasks.audit.support.ordering import LEAST, MOST, asks_first
from tasks.contracts.questions import Question, QuestionType
from tasks.qa.composing import Draft
from tasks.qa.forms import DERIVED
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.repairing import Violation
from tasks.qa.generated.replies import PlannedQuestion
from tasks.qa.generated.wording import Wish
from tasks.terminology.normalization import says

_OPENING = re.compile(r"During the hospitalization (?:from|on) [^,]*, ")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def planned_wish(question: Question, draft: Draft, judge: QuestionJudge) -> Wish:
    """A planned question to be put in other words that keep its dates, slots and meaning."""
    opening = _OPENING.match(question.question)
    slots = [text for name, text in draft.candidate.slots.items() if name not in DERIVED]
    wanted = [opening[0].strip(), *slots] if opening else slots
    keep = tuple(dict.fromkeys(text for text in wanted if text and says(question.question, text)))
    return Wish(
        planned=question,
        shown=PlannedQuestion(number=1, question=question.question, keep=keep),
        check=lambda worded: changes(question, worded, keep, judge),
    )


def changes(
    planned: Question, worded: Question, keep: Sequence[str], judge: QuestionJudge
) -> tuple[Violation, ...]:
    """What a new wording loses, adds or turns round; empty where it asks the same."""
    found = (*_words_changed(planned, worded, keep), *_meaning_changed(planned, worded, judge))
    return found or tuple(map(Violation.plain, judge.faults(worded)))


def _words_changed(planned: Question, worded: Question, keep: Sequence[str]) -> Iterator[Violation]:
    lost = [text for text in keep if not says(worded.question, text)]
    if lost:
        yield Violation(
            "words that have to stay are missing",
            f"these words have to stay: {'; '.join(f'`{text}`' for text in lost)}",
        )
    if _dates(planned) != _dates(worded):
        order = ", then ".join(_dates(planned)) or "none"
        yield Violation(
            "the dates are not those of the question, in their order",
            f"its dates, in their order, have to be: {order}",
        )
    added = set(_numbers(worded)) - set(_numbers(planned))
    if added:
        yield Violation("it holds a number of its own", f"leave out {', '.join(sorted(added))}")
    if says(worded.question, planned.answer) and not says(planned.question, planned.answer):
        yield Violation.plain("it gives its answer away")


def _meaning_changed(
    planned: Question, worded: Question, judge: QuestionJudge
) -> Iterator[Violation]:
    before, after = judge.read(planned), judge.read(worded)
    if (before.stays, before.is_range) != (after.stays, after.is_range):
        yield Violation.plain("it no longer speaks of the same stays in the same way")
    told = PHASES | ACTIONS
    lost, added = (before.cues - after.cues) & told, (after.cues - before.cues) & told
    if lost:
        names = ", ".join(sorted(lost))
        yield Violation("a condition is lost", f"it has to speak of: {names}")
    if added:
        names = ", ".join(sorted(added))
        yield Violation("a condition is new", f"it must not speak of: {names}")
    if before.threshold != after.threshold or before.states != after.states:
        yield Violation.plain("a condition of the question is changed")
    if asks_first(before.body) != asks_first(after.body):
        yield Violation.plain("first and last have to stay as they are")
    counted = planned.question_type is QuestionType.FREQUENCY_PATTERN
    if not counted and any(
        bool(word.search(before.body)) != bool(word.search(after.body)) for word in (MOST, LEAST)
    ):
        yield Violation.plain("higher, lower, longer, shorter and the like have to stay")


def _dates(question: Question) -> list[str]:
    return list(dict.fromkeys(_DATE.findall(question.question)))


def _numbers(question: Question) -> list[str]:
    return _NUMBER.findall(_DATE.sub(" ", question.question))
