"""The rules of a question (spec section 7), checked after any provider's reply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tasks.contracts.clock import format_date
from tasks.contracts.questions import (
    ABSTENTION,
    ChartAdmission,
    PatientChart,
    Question,
    QuestionType,
)
from tasks.qa.aspects import MAXIMUM_ANSWER_WORDS
from tasks.qa.derivation import operands
from tasks.qa.recognition import filled_slots
from tasks.qa.shown import ShownTurn
from tasks.qa.stays import patient_stays
from tasks.terminology.normalization import normalize_question, words
from tasks.terminology.synonyms import spellings

MAXIMUM_TURNS_AN_ADMISSION = 4
SINGLE_TYPES = frozenset(
    {QuestionType.MEDICAL_REASONING, QuestionType.CARE_PLAN_RATIONALE, QuestionType.ADVERSARIAL}
)
CROSS_TYPES = frozenset(set(QuestionType) - SINGLE_TYPES | {QuestionType.ADVERSARIAL})

_SOURCE_NAME = re.compile(
    r"\b(?:\w+_icd\w*|microbiologyevents|hadm_id|subject_id|note_id|turn_ids?|mimic(?:-iv)?"
    r"|\w+\.(?:csv|json)|(?:discharge|radiology) (?:note|report)s?|dialogue|transcript)\b",
    re.IGNORECASE,
)
_NOTE_ID = re.compile(r"\b\d+-[A-Z]{2}-\d+\b")
_IN_PERSON = re.compile(
    r"\b(?:i (?:am|was|have|had|did|do|will|can)|i'[a-z]+|my|we|our|you|your)\b", re.IGNORECASE
)
_TARGETS = ("target", "other")


def violations(question: Question, chart: PatientChart) -> tuple[str, ...]:
    """Every rule that a question breaks, as ``qa_id: rule``; empty for a sound question."""
    return tuple(f"{question.qa_id}: {message}" for message in broken_rules(question, chart))


def broken_rules(question: Question, chart: PatientChart) -> Iterator[str]:
    """Every rule that a question breaks, in words that repeat nothing of it."""
    for check in (_scope, _citations, _wording, _answer, _support):
        yield from check(question, chart)


def _scope(question: Question, chart: PatientChart) -> Iterator[str]:
    single = question.scope == "single_admission"
    if question.question_type not in (SINGLE_TYPES if single else CROSS_TYPES):
        yield f"type {question.question_type} does not belong to scope {question.scope}"
    named = question.evidence.admissions
    known = [admission.bundle.hadm_id for admission in chart.admissions]
    if any(hadm_id not in known for hadm_id in named):
        yield "an admission of the evidence is unknown"
    elif list(named) != sorted(set(named), key=known.index):
        yield "admissions of the evidence are repeated or not in time order"
    if single and len(named) != 1:
        yield f"a single-admission question names {len(named)} admissions, not 1"
    if not single and len(set(named)) < 2:
        yield f"a cross-admission question names {len(set(named))} admissions, fewer than 2"
    if single and not any(question.question.startswith(one) for one in _prefixes(question, chart)):
        yield "the question does not open with its hospitalization's dates"


def _prefixes(question: Question, chart: PatientChart) -> Iterator[str]:
    for admission in _named(question, chart):
        first = format_date(admission.bundle.admission_start)
        last = format_date(admission.bundle.admission_end)
        span = f"on {first}" if first == last else f"from {first} to {last}"
        yield f"During the hospitalization {span}, "


def _citations(question: Question, chart: PatientChart) -> Iterator[str]:
    evidence = question.evidence
    cited = [(turn.hadm_id, turn.turn_number) for turn in evidence.turns]
    numbers = tuple(number for _, number in cited)
    if not cited:
        yield "no turn is cited"
    stays = {stay.hadm_id: stay for stay in patient_stays(chart).stays}
    missing = sum(hadm not in stays or turn not in stays[hadm].shown for hadm, turn in cited)
    if missing:
        yield f"{missing} cited turns do not exist"
    places = [(stays[hadm].position, turn) for hadm, turn in cited if hadm in stays]
    if places != sorted(set(places)):
        yield "cited turns are repeated or not in time order"
    if {hadm for hadm, _ in cited} != set(evidence.admissions):
        yield "cited turns do not cover exactly the admissions of the evidence"
    if max(Counter(hadm for hadm, _ in cited).values(), default=0) > MAXIMUM_TURNS_AN_ADMISSION:
        yield f"more than {MAXIMUM_TURNS_AN_ADMISSION} turns of one admission are cited"
    if evidence.turn_ids != (numbers if question.scope == "single_admission" else None):
        yield "turn_ids differ from the cited turns"


def _wording(question: Question, chart: PatientChart) -> Iterator[str]:
    for name, text in (("question", question.question), ("answer", question.answer)):
        if "___" in text:
            yield f"the {name} holds a mark of removed text"
        if _SOURCE_NAME.search(text):
            yield f"the {name} names a table, file, column or kind of document"
        if set(words(text)) & _identifiers(chart) or _NOTE_ID.search(text):
            yield f"the {name} holds an identifier"
    if _IN_PERSON.search(question.question):
        yield "the question is not in the third person"


def _answer(question: Question, _chart: PatientChart) -> Iterator[str]:
    count = len(question.answer.split())
    if count > MAXIMUM_ANSWER_WORDS:
        yield f"the answer has {count} words, more than {MAXIMUM_ANSWER_WORDS}"
    adversarial = question.question_type is QuestionType.ADVERSARIAL
    if adversarial and question.answer != ABSTENTION:
        yield "an adversarial question is not answered by the canonical abstention"
    if not adversarial and normalize_question(ABSTENTION) in normalize_question(question.answer):
        yield "an answerable question is answered by the abstention"


def _support(question: Question, chart: PatientChart) -> Iterator[str]:
    if question.question_type is QuestionType.ADVERSARIAL:
        yield from _answered_after_all(question, chart)
        return
    turns = _cited_turns(question, chart)
    taken = operands(question.question, question.answer, turns)
    if not taken:
        yield "the answer does not follow from the cited turns"
    elif taken < len(turns):
        yield f"{len(turns) - taken} cited turns could be dropped without losing the answer"


def _answered_after_all(question: Question, chart: PatientChart) -> Iterator[str]:
    asked = [
        [slots[name] for name in _TARGETS if name in slots]
        for slots in filled_slots(question.question)
    ]
    if not any(asked):
        return
    single = question.scope == "single_admission"
    record = "".join(
        stay.plain
        for stay in patient_stays(chart).stays
        if not single or stay.hadm_id in question.evidence.admissions
    )
    if all(all(_mentioned(target, record) for target in targets) for targets in asked if targets):
        yield "the record mentions what an adversarial question asks about"


def _mentioned(target: str, record: str) -> bool:
    return any(f" {' '.join(words(spelling))} " in record for spelling in spellings(target))


def _named(question: Question, chart: PatientChart) -> Iterator[ChartAdmission]:
    for admission in chart.admissions:
        if admission.bundle.hadm_id in question.evidence.admissions:
            yield admission


def _cited_turns(question: Question, chart: PatientChart) -> list[ShownTurn]:
    wanted = {(turn.hadm_id, turn.turn_number) for turn in question.evidence.turns}
    cited = {hadm_id for hadm_id, _ in wanted}
    return [
        turn
        for stay in patient_stays(chart).stays
        if stay.hadm_id in cited
        for number, turn in stay.shown.items()
        if (stay.hadm_id, number) in wanted
    ]


def _identifiers(chart: PatientChart) -> set[str]:
    return {chart.subject_id, *(admission.bundle.hadm_id for admission in chart.admissions)}
