"""The questions gate's tables: a row a question, an admission, and a patient."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from tasks.contracts.characters import has_odd_character
from tasks.contracts.clock import format_date
from tasks.contracts.dialogue import AdmissionDialogue, ConversationLine
from tasks.contracts.questions import ABSTENTION, Question, QuestionType
from tasks.contracts.release import PatientQuestions
from tasks.gates.tables.evidence import Support, judge_support
from tasks.gates.tables.figures import is_of_another
from tasks.gates.tables.question_counts import (
    CROSS_TYPES,
    SINGLE_TYPES,
    AdmissionRow,
    PatientRow,
    admission_row,
    patient_row,
)
from tasks.gates.tables.rows import table
from tasks.gates.tables.wording import Identifiers, has_removed_mark, names_source

_FIRST_PERSON = re.compile(
    r"\b(?:i (?:am|was|have|had|did|do)|i'[a-z]+|my|we|our|your?)\b", re.IGNORECASE
)
_ASKED = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_PREFIX = re.compile(r"During the hospitalization [^,]*, ")
_AUXILIARY = re.compile(
    r"(?:did|was|were|is|are|has|have|had|does|do|can|could|would|will|should|may|might)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\d+(?: [a-z]+)+")
_PUNCTUATION = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question; ``id`` is the qa_id."""

    id: str
    subject_id: str
    scope: str
    question_type: str
    id_off_pattern: bool
    type_outside_scope: bool
    scope_outside_file: bool
    prefix_missing: bool
    admissions_too_few: int
    admissions_unknown: int
    admissions_out_of_order: bool
    turns_cited: int
    most_turns_an_admission: int
    turns_missing: int
    turns_out_of_order: bool
    turns_off_admissions: int
    turn_ids_differ: bool
    answer_words: int
    abstention_misplaced: bool
    unsupported_words: int
    superfluous_turns: int
    has_removed_mark: bool
    has_identifier: bool
    names_source: bool
    has_odd_character: bool
    speaks_in_person: bool
    asks_yes_or_no: bool
    answer_off_type: bool
    answer_of_another: bool
    repeated_wording: int


Patient = tuple[Sequence[AdmissionDialogue], PatientQuestions]


def question_tables(patients: Iterable[Patient]) -> dict[str, pl.DataFrame]:
    """The tables ``questions_items``, ``questions_admissions`` and ``questions_patients``.

    ``patients`` gives each patient's dialogues in time order and its questions.
    """
    items: list[QuestionRow] = []
    admissions: list[AdmissionRow] = []
    rows: list[PatientRow] = []
    for dialogues, questions in patients:
        items += _Record(dialogues, questions).rows()
        admissions += [
            admission_row(questions.subject_id, hadm_id, asked)
            for hadm_id, asked in questions.admissions.items()
        ]
        rows.append(patient_row(dialogues, questions))
    return {
        "questions_items": table(items, QuestionRow),
        "questions_admissions": table(admissions, AdmissionRow),
        "questions_patients": table(rows, PatientRow),
    }


class _Record:
    """What a patient's questions are judged by."""

    def __init__(self, dialogues: Sequence[AdmissionDialogue], questions: PatientQuestions) -> None:
        self.questions = questions
        self.dialogues = {one.bundle.hadm_id: one for one in dialogues}
        self.order = {one.bundle.hadm_id: place for place, one in enumerate(dialogues)}
        self.lines: Mapping[tuple[str, int], ConversationLine] = {
            (one.bundle.hadm_id, line.turn_number): line for one in dialogues for line in one.lines
        }
        self.identifiers = Identifiers(one.bundle for one in dialogues)
        filed = [*questions.admissions.values(), questions.cross]
        self.wordings = Counter(normalize(item.question) for one in filed for item in one.qas)

    def rows(self) -> list[QuestionRow]:
        """A row a question, file by file."""
        single = [
            self._row(item, hadm_id, number)
            for hadm_id, asked in self.questions.admissions.items()
            for number, item in enumerate(asked.qas, start=1)
        ]
        cross = [
            self._row(item, None, number)
            for number, item in enumerate(self.questions.cross.qas, start=1)
        ]
        return single + cross

    def _row(self, item: Question, hadm_id: str | None, number: int) -> QuestionRow:
        cited = item.evidence.turns
        keys = [(turn.hadm_id, turn.turn_number) for turn in cited]
        places = [(self.order.get(hadm_id, -1), turn) for hadm_id, turn in keys]
        named = item.evidence.admissions
        order = [self.order.get(one, -1) for one in named]
        scope = "cross_admission" if hadm_id is None else "single_admission"
        support = self._support(item)
        texts = (item.question, item.answer)
        return QuestionRow(
            id=item.qa_id,
            subject_id=self.questions.subject_id,
            scope=item.scope,
            question_type=item.question_type,
            id_off_pattern=item.qa_id
            != f"{self.questions.subject_id}_{hadm_id or 'cross'}_q{number:02d}",
            type_outside_scope=item.question_type not in _types_of(item.scope),
            scope_outside_file=item.scope != scope,
            prefix_missing=hadm_id is not None and not self._has_prefix(item, hadm_id),
            admissions_too_few=max(0, (2 if hadm_id is None else 1) - len(set(named))),
            admissions_unknown=self._unknown(named, hadm_id),
            admissions_out_of_order=order != sorted(set(order)),
            turns_cited=len(cited),
            most_turns_an_admission=max(Counter(one for one, _ in keys).values(), default=0),
            turns_missing=sum(key not in self.lines for key in keys),
            turns_out_of_order=places != sorted(set(places)),
            turns_off_admissions=len(set(named) ^ {one for one, _ in keys}),
            turn_ids_differ=not _turn_ids_agree(item, hadm_id),
            answer_words=len(item.answer.split()),
            abstention_misplaced=not _abstains_rightly(item),
            unsupported_words=support.unsupported_words,
            superfluous_turns=support.superfluous_turns,
            has_removed_mark=any(has_removed_mark(text) for text in texts),
            has_identifier=any(self.identifiers.within(text) for text in texts),
            names_source=any(names_source(text) for text in texts),
            has_odd_character=any(has_odd_character(text) for text in texts),
            speaks_in_person=_FIRST_PERSON.search(item.question) is not None,
            asks_yes_or_no=_asks_yes_or_no(item.question),
            answer_off_type=item.question_type is QuestionType.FREQUENCY_PATTERN
            and _COUNTED.fullmatch(item.answer) is None,
            answer_of_another=self._is_of_another(item),
            repeated_wording=self.wordings[normalize(item.question)] - 1,
        )

    def _support(self, item: Question) -> Support:
        if item.question_type is QuestionType.ADVERSARIAL:
            return Support(unsupported_words=0, superfluous_turns=0)
        keys = [(turn.hadm_id, turn.turn_number) for turn in item.evidence.turns]
        cited = [self.lines[key] for key in keys if key in self.lines]
        return judge_support(item.question, item.answer, cited)

    def _is_of_another(self, item: Question) -> bool:
        cited = [(turn.hadm_id, turn.turn_number) for turn in item.evidence.turns]
        lines = [self.lines[key] for key in cited if key in self.lines]
        question = _PREFIX.sub("", item.question)
        return len(lines) == 1 and is_of_another(question, item.answer, lines[0].text)

    def _unknown(self, named: Sequence[str], hadm_id: str | None) -> int:
        """Admissions cited that the patient lacks, or that are not the one asked about."""
        known = self.order.keys() if hadm_id is None else {hadm_id}
        return sum(one not in known for one in named)

    def _has_prefix(self, item: Question, hadm_id: str) -> bool:
        dialogue = self.dialogues.get(hadm_id)
        if dialogue is None:
            return False
        first = format_date(dialogue.bundle.admission_start)
        last = format_date(dialogue.bundle.admission_end)
        days = f"on {first}" if first == last else f"from {first} to {last}"
        return item.question.startswith(f"During the hospitalization {days}, ")


def normalize(question: str) -> str:
    """A question without case, punctuation and spacing, to find repeats."""
    return _PUNCTUATION.sub(" ", question.lower()).strip()


def _asks_yes_or_no(question: str) -> bool:
    """A question that a yes or a no could answer: none of the question words, or a verb first."""
    text = _PREFIX.sub("", question)
    return _ASKED.search(text) is None or _AUXILIARY.match(text) is not None


def _types_of(scope: str) -> tuple[QuestionType, ...]:
    return CROSS_TYPES if scope == "cross_admission" else SINGLE_TYPES


def _turn_ids_agree(item: Question, hadm_id: str | None) -> bool:
    numbers = tuple(turn.turn_number for turn in item.evidence.turns)
    return item.evidence.turn_ids == (None if hadm_id is None else numbers)


def _abstains_rightly(item: Question) -> bool:
    if item.question_type is QuestionType.ADVERSARIAL:
        return item.answer == ABSTENTION
    return normalize(ABSTENTION) not in normalize(item.answer)
