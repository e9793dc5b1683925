"""Whether a question in other words still asks the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.audit.support.cues import Cue
from tasks.contracts.questions import ABSTENTION, Question
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
_COUNTS = re.compile(r"\bhow many\b", re.IGNORECASE)
_JOINERS = (" to ", " versus ", " and ", ", ")
_DEEDS = frozenset({Cue.STARTED, Cue.HELD, Cue.STOPPED, Cue.INCREASED, Cue.DECREASED, Cue.RESUMED})
_EXTREMES = {
    "first": re.compile(r"\b(?:first|earliest|initial\w*)\b", re.IGNORECASE),
    "last": re.compile(r"\b(?:last|latest|final\w*|most recent\w*)\b", re.IGNORECASE),
    "highest": re.compile(
        r"\b(?:highest|largest|greatest|biggest|longest|maximum|peak\w*|most(?! recent))\b",
        re.IGNORECASE,
    ),
    "lowest": re.compile(
        r"\b(?:lowest|smallest|least|shortest|fewest|minimum|nadir)\b", re.IGNORECASE
    ),
}


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
    dates, found = _dates(planned), _dates(worded)
    if dates != found and (_is_ordered(planned) or sorted(dates) != sorted(found)):
        yield Violation(
            "the dates are not those of the question, in their order",
            f"its dates, in their order, have to be: {', then '.join(dates) or 'none'}",
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
    counts = _COUNTS.search(before.body) is not None
    if set(before.stays) != set(after.stays) or (counts and before.is_range > after.is_range):
        yield Violation.plain("it no longer speaks of the same stays in the same way")
    if before.threshold != after.threshold:
        yield Violation.plain("its limit is not the same")
    for cue in sorted(_lost(before.cues, after.cues)):
        yield Violation("a condition is lost", f"it has to speak of: {cue}")
    for cue in sorted(_lost(after.cues, before.cues) | (after.cues - before.cues) & _DEEDS):
        yield Violation("a condition is new", f"it must not speak of: {cue}")
    for name, pattern in _EXTREMES.items():
        if bool(pattern.search(before.body)) != bool(pattern.search(after.body)):
            yield Violation.plain(f"whether it asks for the {name} has to stay as it is")


def _lost(one: frozenset[Cue], other: frozenset[Cue]) -> frozenset[Cue]:
    """Home and discharge where only the first speaks of them; at home is on arrival as well."""
    lost = (one - other) & {Cue.HOME, Cue.DISCHARGE}
    return lost - {Cue.HOME} if Cue.ARRIVAL in other else lost


def _is_ordered(question: Question) -> bool:
    """The answer has parts in the order in which the question names the stays, or may have them."""
    return question.answer == ABSTENTION or any(joiner in question.answer for joiner in _JOINERS)


def _dates(question: Question) -> list[str]:
    return list(dict.fromkeys(_DATE.findall(question.question)))


def _numbers(question: Question) -> list[str]:
    return _NUMBER.findall(_DATE.sub(" ", question.question))
