"""What stays of a text when everything that belongs to one patient is taken out of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from tasks.contracts.audit import AuditPatient
from tasks.contracts.records import AdmissionBundle

SLOT = "#"
"""Stands where a number, a date or words of the record were."""

_DATE = r"\d{4}-\d{2}-\d{2}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?"
_OPENING = re.compile(
    rf"^\s*(?:during|in|for|on)\s+the\s+(?:hospitali[sz]ation|admission|stay|hospital stay)\s+"
    rf"(?:from\s+{_DATE}\s+(?:to|until)\s+{_DATE}|(?:on|of)\s+{_DATE})\s*,\s*",
    re.IGNORECASE,
)
_DATES = re.compile(rf"(?<!\w){_DATE}(?!\w)|(?<!\w)\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?!\w)")
_NUMBERS = re.compile(r"(?<!\w)[<>]?[-+]?\d+(?:[.,/:-]\d+)*%?")
_TOKEN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d\w*(?:[.,/:-]\w+)*|[?#]")
_WORD = re.compile(r"[^\W_]+")
_JOINING = frozenset(
    """
    and or of with without to by in on at for from following as per plus versus vs via due not
    no the a an other unspecified
    """.split()  # noqa: SIM905 - a list of words reads best as text
)
_GENERAL_FILE = Path(__file__).with_name("general_words.txt")

Kept = Callable[[str], bool]


def without_opening(question: str) -> str:
    """A question without ``During the hospitalization from … to …,`` at its head."""
    return _OPENING.sub("", question, count=1)


def mask_dates(text: str) -> str:
    """Dates and times of day replaced by one sign."""
    return _DATES.sub(SLOT, text)


def mask_numbers(text: str) -> str:
    """Dates, times of day and numbers replaced by one sign; ``5mg`` becomes ``#mg``."""
    return _NUMBERS.sub(SLOT, mask_dates(text))


def plain(text: str) -> str:
    """Width-folded, with straight apostrophes, and without case."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return text.casefold()


def plain_words(text: str) -> list[str]:
    """Words and numbers as they stand in a note, without case; ``___`` is no word."""
    return _WORD.findall(plain(text))


def text_tokens(text: str) -> list[str]:
    """Words, numbers and signs of a question in order, without case."""
    return _TOKEN.findall(plain(text))


@cache
def general_words() -> frozenset[str]:
    """Base forms of words in general use (``general_words.txt``)."""
    lines = _GENERAL_FILE.read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def in_general_use(word: str) -> bool:
    """Whether a word, or the word it is an inflection of, is in general use."""
    known = general_words()
    if word in known:
        return True
    if "'" in word:
        head, _, tail = word.partition("'")
        return tail == "t" or in_general_use(head)
    if "-" in word:
        return all(in_general_use(part) for part in word.split("-"))
    return any(base in known for base in _bases(word))


def _bases(word: str) -> Iterator[str]:
    """What a word may be an inflection of."""
    for ending in ("s", "es", "d", "ed", "ing", "ly", "r", "er", "st", "est"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        yield stem
        if ending in ("ing", "ed", "er", "est"):
            yield f"{stem}e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]
        if stem.endswith("i"):
            yield f"{stem[:-1]}y"


class Vocabulary:
    """Words of the records of a whole release; audits that share one read each note once."""

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._patients: set[str] = set()

    def add(self, patient: AuditPatient) -> None:
        """Take a patient's notes and rows; a patient taken before is passed over."""
        if patient.subject_id in self._patients:
            return
        self._patients.add(patient.subject_id)
        for session in patient.sessions:
            if session.bundle is not None:
                for text in record_texts(session.bundle):
                    self._words.update(plain_words(text))

    def frame(self) -> Kept:
        """Says of a word whether it belongs to the form of a text.

        It does where it is in general use, or where no record of the release holds it. A release
        without records has only the first half of the rule.
        """
        words = frozenset(self._words)

        @cache
        def kept(word: str) -> bool:
            return in_general_use(word) or (bool(words) and words.isdisjoint(plain_words(word)))

        return kept


def record_texts(bundle: AdmissionBundle) -> Iterator[str]:
    """Notes, titles and results of an admission."""
    for note in (*bundle.discharge_notes, *bundle.radiology_notes):
        yield note.text
    for row in (*bundle.diagnoses, *bundle.procedures):
        yield row.long_title
    for event in bundle.microbiology:
        said = (event.spec_type_desc, event.test_name, event.org_name, event.ab_name)
        yield " ".join((*said, event.comments))


def form_of(text: str, kept: Kept) -> str:
    """A text with every other word than its frame's taken out.

    Neighbouring slots are one slot, also where a comma or a small word such as ``and`` or ``of``
    stands between them, so that lists and titles of any length are equal.
    """
    form: list[str] = []
    joining: list[str] = []
    for token in text_tokens(text):
        if token == SLOT or token[0].isdigit() or not (token == "?" or kept(token)):
            if not form or form[-1] != SLOT:
                form += [*joining, SLOT]
            joining = []
        elif form and form[-1] == SLOT and token in _JOINING and len(joining) < 3:
            joining.append(token)
        else:
            form += [*joining, token]
            joining = []
    return " ".join((*form, *joining))


def slot_words(text: str, kept: Kept) -> frozenset[str]:
    """The words of a text that its form leaves out, numbers and dates apart."""
    return frozenset(
        token
        for token in text_tokens(mask_numbers(text))
        if token not in ("?", SLOT) and not token[0].isdigit() and not kept(token)
    )
