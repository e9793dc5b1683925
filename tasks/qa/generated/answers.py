"""Whether a model's answer is one: something that the record tells of what the question names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from tasks.audit.support.question_reading import Reading
from tasks.audit.support.reading_words import Text, keys_of, read_text
from tasks.audit.support.record_words import Record
from tasks.audit.support.spoken import mentions
from tasks.audit.support.values import read_answer
from tasks.contracts.records import Fact, FactKind
from tasks.qa.generated.qualifiers import asks_for_what_is_not_so, suits_one
from tasks.qa.stays import Stay
from tasks.terminology.normalization import says

_SPOKEN = re.compile(
    r"\b(?:i|you|we|my|your|our|me|us)\b|'(?:ll|ve|re|m|d)\b|\b(?:that|it|here|there|what|let)'s\b",
    re.IGNORECASE,
)
_JOINING = re.compile(r"; |, | (?:to|versus|and|then) ")
_SMALL = frozenset(
    keys_of("a an and as at by for from in into of on or so that the this to with was were is are")
)
_NO_START = frozenset(["and", "but", "is", "or", "so", "that", "this", "was", "were", "which"])
_NO_END = frozenset([
    "a", "an", "and", "as", "at", "because", "by", "for", "from", "in", "is", "of", "on", "or",
    "the", "this", "to", "was", "were", "with", "your",
])  # fmt: skip
_AMOUNT = re.compile(
    r"\b(?:what|which) (?:\w+ ){0,4}(?<!in )(?:dose|dosage|amount)s?\b|\bhow (?:much|many)\b",
    re.IGNORECASE,
)
_OFFERS = re.compile(r"\bor\b|\bof\b.+\band\b", re.IGNORECASE)
_WHEN = re.compile(r"^\W*when\b(?!.*\b(?:what|which|who|where|why|how)\b)", re.IGNORECASE)
_TIME = re.compile(
    r"\d{4}-\d{2}|\d{1,2}:\d{2}|\b(?:\d+ (?:hour|minute)s?|admission|arrival|discharge|before|after"
    r"|during|since|until|daily|days?|nights?|mornings?|evenings?|weeks?|months?|years?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_DAYS = re.compile(r"\d+ days?|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: and )?)+", re.I)

_DIFFERENCE = re.compile(
    r"\b(?:by how (?:many|much)|how large|how (?:many|much) (?:\w+ ){1,6}(?:by|than))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?: \w+)?")

_NAMED_BY_VALUE = frozenset((
    FactKind.CULTURE, FactKind.IMAGING, FactKind.DISPOSITION, FactKind.CONDITION,
))  # fmt: skip
"""Facts whose value is what was found, and no dose, reason or number of something."""

_LINKING = ("problem", "organism", "antibiotic", "specimen", "test")


class AnswerCheck:
    """Says what is wrong with answers about one stay, whatever turns are cited.

    A turn says many words beside what it tells: chance finds of them are no answers.
    """

    def __init__(self, stay: Stay, record: Record) -> None:
        self._hadm_id = stay.hadm_id
        self._stated = stay.admission.facts
        self._facts = tuple(_KnownFact.of(fact) for fact in stay.admission.facts)
        self._record = record

    def faults(self, answer: str, reading: Reading) -> Iterator[str]:
        """What is wrong with an answer; dates and spans of days are left to the cited turns."""
        words = answer.casefold().split()
        if not words or words[0] in _NO_START or words[-1] in _NO_END or _SPOKEN.search(answer):
            yield "the answer is a piece of talk, not a name, value, finding or reason"
        elif _WHEN.search(reading.body) and not _TIME.search(answer):
            yield "the answer to when is no time"
        elif _AMOUNT.search(reading.body) and not re.search(r"\d", answer):
            yield "the answer to a question for a dose or a number holds none"
        elif asks_for_what_is_not_so(reading.body, self._stated):
            yield "the question asks for what is not so; ask for what is"
        elif not _is_worked_out(answer, reading.body):
            yield from self._untold(answer, reading)

    def _untold(self, answer: str, reading: Reading) -> Iterator[str]:
        offered = says(reading.body, answer)
        if offered and not _OFFERS.search(reading.body):
            yield "the question gives its answer away"
        elif not offered and not self._tells_all(answer, reading):
            yield "the record does not tell this answer of what the question names"
        elif self._is_of_another(answer, reading):
            yield "the record tells this answer of another time, change or result than is asked for"

    def _tells_all(self, answer: str, reading: Reading) -> bool:
        parts = _JOINING.split(answer)
        return self._tells(answer, reading) or (
            len(parts) > 1 and all(self._tells(part, reading) for part in parts)
        )

    def _tells(self, answer: str, reading: Reading) -> bool:
        """A fact, or a line of the record, holds an answer beside what the question names."""
        keys = {key for key in keys_of(answer) if key not in _SMALL}
        told = [fact.text for fact in self._facts if keys and keys <= fact.text.places.keys()]
        if not reading.terms or not keys:
            return bool(told)
        lines = (self._record.lines[number] for number in self._record.having(keys))
        told += [line.text for line in lines if line.hadm_id == self._hadm_id]
        return any(map(partial(_names, reading), told)) or self._leads_to(answer, reading)

    def _is_of_another(self, answer: str, reading: Reading) -> bool:
        """Whether all facts behind an answer say something else of it than the question does."""
        for part in _JOINING.split(answer):
            keys = {key for key in keys_of(part) if key not in _SMALL}
            behind = [known.fact for known in self._behind(keys, reading)]
            if behind and not suits_one(reading.body, part, behind, self._stated):
                return True
        return False

    def _behind(self, keys: set[str], reading: Reading) -> list[_KnownFact]:
        """Facts that hold an answer's words; where some name what is asked about, only those."""
        holding = [fact for fact in self._facts if keys and keys <= fact.text.places.keys()]
        return [fact for fact in holding if _names(reading, fact.text)] or holding

    def _leads_to(self, answer: str, reading: Reading) -> bool:
        """A fact whose whole part the answer is, and one that the question names, go together.

        They are of one kind and the answer is what one is about, as what else was found; or they
        speak of the same thing, as the reason for a drug and its dose.
        """
        holding = [fact for fact in self._facts if keys_of(answer) in fact.parts]
        named = [fact for fact in self._facts if holding and _names(reading, fact.text)]
        return any(
            (one.kind == other.kind and keys_of(answer) in one.names)
            or not one.links.isdisjoint(other.links)
            for one in holding
            for other in named
        )


@dataclass(frozen=True)
class _KnownFact:
    """A fact as words, and its parts; ``names`` say what it is about.

    ``links`` are the things that it speaks of beside a value.
    """

    fact: Fact
    text: Text
    parts: frozenset[tuple[str, ...]]
    names: frozenset[tuple[str, ...]]
    links: frozenset[tuple[str, ...]]

    @property
    def kind(self) -> FactKind:
        return self.fact.kind

    @classmethod
    def of(cls, fact: Fact) -> _KnownFact:
        parts = (fact.label, fact.value, *fact.detail.values())
        keys = frozenset(keys_of(part) for part in parts if part.strip())
        about = (fact.label, fact.value) if fact.kind in _NAMED_BY_VALUE else (fact.label,)
        names = frozenset(map(keys_of, about))
        linked = (fact.detail[name] for name in _LINKING if name in fact.detail)
        links = frozenset(map(keys_of, (fact.label, *linked)))
        return cls(fact, read_text(" ".join(parts)), keys, names, links)


def _names(reading: Reading, text: Text) -> bool:
    return any(mentions(text, term) for term in reading.terms)


def _is_worked_out(answer: str, body: str) -> bool:
    """A date, weekday, span or difference, which only the cited turns can prove."""
    if read_answer(answer).kind == "date" or _DAYS.fullmatch(answer):
        return True
    return bool(_DIFFERENCE.search(body) and _NUMBER.fullmatch(answer))
