"""Finds a doctor who speaks as the patient, and a patient who speaks as the doctor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from tasks.contracts.dialogue import SourcedLine
from tasks.dialogue.violations import Violation, of_turn
from tasks.terminology.normalization import words
from tasks.terminology.vocabulary import VocabularyName, as_written_only, vocabulary

_QUOTED = re.compile(r'"[^"]*"')
_OWN = (
    "chest|heart|lungs?|stomach|belly|abdomen|legs?|knees?|hips?|ankles?|feet|throat|skin|kidneys?|"
    "liver|bladder|bowels?|breathing|blood (?:pressure|sugar)|symptoms?|illness|condition|"
    "appetite|medications?|medicines?|pills?|inhaler|prescriptions?|allerg(?:y|ies)|infection"
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
_MINE = re.compile(
    r"\b(?:my|I (?:have|had|take|took|am taking|was taking|am on)|I've had|I'm (?:on|taking))\s+"
    r"((?:[\w'-]+[ ]?){1,5})",
    re.IGNORECASE,
)
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
    r"\blet me (?:examine|listen to|check) your?\b|\bI(?:'d| would) like to examine you\b",
    re.IGNORECASE,
)
_LISTS: tuple[VocabularyName, ...] = ("diagnoses", "drugs", "findings")
_MOST_NAMED_WORDS = 4


def voice_violations(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    """Turns in which one speaks of the other's illness or work as of their own."""
    for line in lines:
        text = _QUOTED.sub(" ", line.text)
        if line.speaker == "Doctor" and (said := _as_patient(text)):
            yield of_turn(
                "doctor_as_patient",
                line.turn_number,
                f"lets the doctor say `{said}`, as if the doctor were the patient",
            )
        elif line.speaker == "Patient" and (said := _as_doctor(text)):
            yield of_turn(
                "patient_as_doctor",
                line.turn_number,
                f"lets the patient say `{said}`, as if the patient were the doctor",
            )


def _as_patient(text: str) -> str:
    for form in (_OWN_BODY, _OWN_STATE, _OWN_STAY):
        if found := form.search(text):
            return found[0]
    return next(
        (found[0].strip() for found in _MINE.finditer(text) if _names_illness(found[1])), ""
    )


def _names_illness(phrase: str) -> bool:
    """Whether a phrase begins, after one word at most, with a name from the lists."""
    said = words(phrase)
    return any(
        said[start : start + size] in _names()
        for start in (0, 1)
        for size in range(1, _MOST_NAMED_WORDS + 1)
    )


@cache
def _names() -> frozenset[tuple[str, ...]]:
    return frozenset(
        words(spelling)
        for name in _LISTS
        for group in vocabulary(name).groups
        for spelling in group
        if not as_written_only(spelling) or len(spelling) > 2
    )


def _as_doctor(text: str) -> str:
    found = _READS_RESULTS.search(text) or _ORDERS.search(text)
    return found[0] if found else ""
