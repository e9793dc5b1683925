"""Finds a doctor who speaks as the patient, and a patient who speaks as the doctor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from tasks.contracts.dialogue import SourcedLine
from tasks.dialogue.violations import Violation, of_turn, said_openly
from tasks.terminology.normalization import words
from tasks.terminology.vocabulary import VocabularyName, vocabulary

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_QUOTED = re.compile(r'"[^"]*"')
_OWN = (
    "chest|heart|lungs?|stomach|belly|abdomen|legs?|knees?|hips?|ankles?|feet|throat|skin|kidneys?|"
    "liver|bladder|bowels?|breathing|blood (?:pressure|sugar)|symptoms?|illness|condition|"
    "appetite|medications?|medicines?|pills?|inhaler|prescriptions?|allerg(?:y|ies)|infection|pain"
)
_ILL = (
    "cough(?:ing)?|vomit(?:ing)?|wheez(?:y|ing)|bleeding|(?:short|out) of breath|breathless|dizzy|"
    "light-?headed|nause(?:ous|ated)|feverish|constipated|diabetic|in (?:a lot of )?pain|"
    "throwing up|losing weight|allergic|sick to my"
)
_OWN_BODY = re.compile(rf"\bmy (?:\w+ )?(?:{_OWN})\b(?! goes out)", re.IGNORECASE)
_OWN_STATE = re.compile(
    rf"\bI(?:'m| am| was|'ve been| have been| had been| feel| felt| get| got| keep| kept| started)"
    rf"(?: (?:so|very|really|still|also|always|a bit|quite|getting|feeling))* (?:{_ILL})\b",
    re.IGNORECASE,
)
_OWN_STAY = re.compile(
    r"\bI (?:was|am|got|have been) (?:admitted|hospitali[sz]ed|diagnosed|discharged)\b|"
    r"\bI (?:can'?t|cannot|couldn'?t) (?:breathe|swallow|urinate|sleep|walk)\b",
    re.IGNORECASE,
)
_TO_THE_DOCTOR = re.compile(r", doctor(?=[.?!,])", re.IGNORECASE)
_HAVING = (
    r"(?:(?:'ve|'d| have| had) been (?:having|taking)|(?:'m| am| was) (?:having|taking|on)|"
    r"(?:'m| am| was) experiencing|(?:'ve| have) a history of|(?:'ve|'d| have) had|'ve| have| had|"
    r" take| took| noticed)"
)
_MINE = re.compile(
    rf"\b(?:my(?P<own>)|I{_HAVING})\s+(?P<what>(?:[\w'-]+[ ]?){{1,6}})", re.IGNORECASE
)
_HIS = re.compile(
    r"\byou(?:'ve| have| had|'re on| are on| were diagnosed with)\s+(?P<what>(?:[\w'-]+[ ]?){1,6})",
    re.IGNORECASE,
)
_LEADING = frozenset((
    "a", "an", "the", "some", "this", "that", "these", "lots", "lot", "of", "type", "bad",
    "severe", "terrible", "awful", "chronic", "mild",
))  # fmt: skip
_RESULT = (
    "x-?rays?|(?:ct |mri )?scans?|ct|mri|labs?|(?:lab|test)(?: results?|s)|"
    "blood (?:tests?|work|counts?|cultures?|sugar|pressure)|cultures?|results?|biopsy|"
    "echo(?:cardiogram)?|ekg|ecg|ultrasound|potassium|sodium|creatinine|hemoglobin|white count|"
    "kidneys?|liver|lungs?|heart|vitals?|oxygen(?: level| saturation)?|temperature"
)
_READS_RESULTS = re.compile(
    rf"\byour (?:\w+ ){{0,2}}(?:{_RESULT}) (?:\w+ )?"
    r"(?:shows?|showed|is|are|was|were|came back|looks?|reveals?|revealed|grew|improved)\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"\b(?:we|I)(?:'ll| will|'re going to| are going to|'m going to| am going to)\s+(?:\w+ ){0,2}"
    r"(?:(?:start|put|admit|discharge|monitor|examine|treat) you\b|"
    r"(?:prescribe|order|adjust|increase|decrease|lower|raise) (?:you|your)\b|"
    r"give you (?:\d|some \w*(?:antibiotic|fluid|medicine|medication)|an? "
    r"(?:antibiotic|prescription|dose|injection|transfusion)))|"
    r"\blet me (?:examine|listen to|check) your?\b|\bI(?:'d| would) like to examine you\b|"
    r"\byou (?:were|are being|are|will be) (?:admitted|discharged)\b|"
    r"\bhow are you feeling\b|\bwhat brings you (?:in|here)\b",
    re.IGNORECASE,
)
_LISTS: tuple[VocabularyName, ...] = ("diagnoses", "drugs", "findings")
_MOST_NAMED_WORDS = 4
_SHORTEST_NAME = 3
_FEWEST_SWAPPED = 3


def voice_violations(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    """Turns in which one speaks of the other's illness or work as of their own.

    Where most turns that show whose voice they are show the other one's, the whole dialogue has its
    speakers swapped.
    """
    spoken = [_spoken(line) for line in lines]
    if _is_swapped(spoken):
        yield said_openly(
            "swapped_speakers: what the patient would say is said by the doctor, and the other way "
            "round"
        )
    for one in spoken:
        if one.speaker == "Doctor" and one.as_patient:
            yield of_turn(
                "doctor_as_patient",
                one.turn,
                f"lets the doctor say `{one.as_patient}`, as if the doctor were the patient",
            )
        elif one.speaker == "Patient" and one.as_doctor:
            yield of_turn(
                "patient_as_doctor",
                one.turn,
                f"lets the patient say `{one.as_doctor}`, as if the patient were the doctor",
            )


@dataclass(frozen=True, slots=True)
class _Spoken:
    """What a turn says as a patient would, and as a doctor would; empty where nothing."""

    turn: int
    speaker: str
    as_patient: str
    as_doctor: str


def _spoken(line: SourcedLine) -> _Spoken:
    text = _QUOTED.sub(" ", line.text)
    return _Spoken(line.turn_number, line.speaker, _as_patient(text), _as_doctor(text))


def _is_swapped(spoken: Sequence[_Spoken]) -> bool:
    right, wrong = 0, 0
    for one in spoken:
        shows = bool(one.as_patient), bool(one.as_doctor)
        as_patient, as_doctor = shows if one.speaker == "Doctor" else shows[::-1]
        wrong += as_patient and not as_doctor
        right += as_doctor and not as_patient
    return wrong >= _FEWEST_SWAPPED and wrong > right


def _as_patient(text: str) -> str:
    for form in (_OWN_BODY, _OWN_STATE, _OWN_STAY, _TO_THE_DOCTOR):
        if found := form.search(text):
            return found[0]
    for found in _MINE.finditer(text):
        if _names_illness(found["what"], any_word_before=found["own"] is not None):
            return found[0].strip()
    return ""


def _as_doctor(text: str) -> str:
    told = " ".join(one for one in _SENTENCE_END.split(text) if not one.endswith("?"))
    if found := _READS_RESULTS.search(told) or _ORDERS.search(text):
        return found[0]
    for found in _HIS.finditer(told):
        if _names_illness(found["what"], any_word_before=False):
            return found[0].strip()
    return ""


def _names_illness(phrase: str, *, any_word_before: bool) -> bool:
    """Whether a phrase begins with a name from the lists, behind an article or such a word."""
    said = words(phrase)
    first = next((place for place, word in enumerate(said) if word not in _LEADING), len(said))
    return any(
        said[start : start + size] in _names()
        for start in range(first, first + 1 + any_word_before)
        for size in range(1, _MOST_NAMED_WORDS + 1)
    )


@cache
def _names() -> frozenset[tuple[str, ...]]:
    """Illnesses, medicines and complaints of the lists; names of a letter or two are left out."""
    return frozenset(
        words(spelling)
        for name in _LISTS
        for group in vocabulary(name).groups
        for spelling in group
        if len(spelling) >= _SHORTEST_NAME
    )
