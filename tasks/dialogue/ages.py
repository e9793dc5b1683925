"""Ages that a dialogue says and the record doesn't: notes hold ``___`` where an age was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.violations import Violation, of_turn
from tasks.terminology.number_words import NUMBER_VALUES, ONES, TEENS, TENS

_DECADES = [word.removesuffix("y") + "ies" for word in TENS]
_N = rf"(\d{{1,3}}|(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(ONES)}))?|{'|'.join(TEENS)})"
_OLD = re.compile(
    rf"\b{_N}[- ]years?[- ]olds?\b|\b{_N} years of age\b|\baged? (?:of )?{_N}\b|"
    rf"\bturn(?:ed|ing|s)? {_N}(?= (?:this|last|next|in|years?)\b|\s*[.,;!?]|$)",
    re.IGNORECASE,
)
_MAY_BE_OLD = re.compile(r"old|age|turn", re.IGNORECASE)
_I_AM = re.compile(
    rf"\b(?:I'm|I am|you're|you are|he's|she's|he is|she is)"
    rf"(?: (?:now|only|already|almost|nearly))? {_N}(?=\s*[.,;!?]|$| (?:and|now|so|but|already)\b)",
    re.IGNORECASE,
)
_DECADE = re.compile(
    r"\bin (?:my|your) (?:early |mid-? ?|late )?"
    r"(?:(\d)0'?s|(twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties))\b",
    re.IGNORECASE,
)
_RECORDED = re.compile(
    r"\b(?:aged?|age of|at)\s+(\d{1,3})\b|\b(\d{1,3})\s*-?\s*(?:y\.?/?o\b|yrs?\b|years?\b)",
    re.IGNORECASE,
)
_OVER = re.compile(r"\b(?:over|above|older than|more than)\s+$", re.IGNORECASE)
_TOP_CODED = 91
_OLDEST_SHOWN = 89
_YOUNGEST = 10


def age_violations(lines: Sequence[SourcedLine], record: AdmissionRecord) -> Iterator[Violation]:
    """Turns that say an age which is neither the patient's nor one that the record gives."""
    # Few dialogues say an age, and finding those of the notes is the slow part.
    known: frozenset[int] | None = None
    own = record.patient.age_years
    top_coded = own == _TOP_CODED
    for line in lines:
        for decade in _decades_in(line.text):
            if own is None or own // 10 != decade:
                yield of_turn(
                    "invented_age",
                    line.turn_number,
                    f"says an age in the {decade}0s, which is not known: leave it out",
                )
        for age, before in _ages_in(line.text):
            known = _known_ages(record) if known is None else known
            over = top_coded and age == _OLDEST_SHOWN and _OVER.search(before) is not None
            if age not in known and not over:
                yield of_turn(
                    "invented_age",
                    line.turn_number,
                    f"says the age {age}, which is not known: leave it out",
                )


def _ages_in(text: str) -> Iterator[tuple[int, str]]:
    """Each age that is said, with the words before it."""
    # The first form begins with a number in figures or words, and is tried at each of them.
    for form in (_OLD, _I_AM) if _MAY_BE_OLD.search(text) else (_I_AM,):
        for found in form.finditer(text):
            number = next(part for part in found.groups() if part)
            age = _value(number)
            if form is _OLD or age >= _YOUNGEST:
                yield age, text[: found.start() + found[0].index(number)]


def _decades_in(text: str) -> Iterator[int]:
    for found in _DECADE.finditer(text):
        yield int(found[1]) if found[1] else 2 + _DECADES.index(found[2].lower())


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    return sum(NUMBER_VALUES[word] for word in re.split(r"[- ]", number.lower()))


def _known_ages(record: AdmissionRecord) -> frozenset[int]:
    bundle, age = record.bundle, record.patient.age_years
    texts = [note.text for note in (*bundle.discharge_notes, *bundle.radiology_notes)]
    if bundle.previous_admission_summary:
        texts.append(bundle.previous_admission_summary.summary_paragraph)
    written = {
        int(number)
        for text in texts
        for found in _RECORDED.finditer(text)
        for number in found.groups()
        if number
    }
    own = {age} if age is not None and age < _TOP_CODED else set[int]()
    return frozenset(written | own)
