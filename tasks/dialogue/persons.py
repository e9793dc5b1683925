"""Who speaks, who is named and who lives: persons that a dialogue may not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import get_args

from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import AdmissionBundle
from tasks.dialogue.violations import Violation, of_turn
from tasks.terminology.normalization import words
from tasks.terminology.vocabulary import VocabularyName, vocabulary

_ROLES = (
    r"(?:the )?(?:doctor|physician|patient|nurse|narrator|surgeon|resident|pharmacist|therapist|"
    r"interpreter|assistant|wife|husband|mother|father|daughter|son|sister|brother|family|"
    r"speaker|dr\.?|rn|md|pt)(?: [A-Z0-9]\w*)?"
)
_LABEL = re.compile(rf"(?:^|[.?!)\]\n])[\s*_]*({_ROLES}[\s*_]*:)", re.IGNORECASE)
_DIRECTION = re.compile(
    rf"[\[(*]\s*({_ROLES}\b(?!'s)|(?:nods?|sighs?|smil(?:es|ing)|laughs?|paus(?:es?|ing)|coughs|"
    r"cries|crying|enters?|leaves|silence|looks|shakes)\b)[^\])*]*[\])*]",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"\b(?:(?:Mr|Mrs|Ms|Miss|Dr)\.?|[Dd]octor|[Nn]urse|[Mm]y name(?: is|'s)|[Ii]'m called|"
    r"[Cc]all me) [A-Z][a-z]+\b"
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b")
_NO_NAMES = frozenset((
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "christmas", "easter", "thanksgiving", "god", "lord",
    "mom", "mum", "mama", "dad", "papa", "grandma", "grandpa", "doctor", "nurse", "sir", "madam",
    "english", "spanish", "american", "internet", "velcro", "yes", "please", "okay", "thank",
    "well", "emergency", "room", "department", "hospital", "clinic", "center", "care", "unit",
    "intensive", "primary", "physical", "therapy", "therapist", "surgery", "medicine", "infectious",
    "disease", "cardiology", "neurology", "oncology", "hematology", "nephrology", "urology",
    "pulmonology", "orthopedics", "psychiatry", "dermatology", "gastroenterology", "radiology",
))  # fmt: skip
_DEATH = re.compile(
    r"\b(?:you(?:'ve| have)? (?:died|passed away|deceased)|you(?:'re| are| were) "
    r"(?:dead|deceased|pronounced dead)|I(?:'ve| have)? (?:died|passed away)|I(?:'m| am) dead|"
    r"(?:before|after|since|when|time of) (?:you|I|your|my) (?:died|passed away|death)|"
    r"the patient (?:died|passed away|expired|is dead))\b",
    re.IGNORECASE,
)


def label_violations(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    """Turns in which somebody else begins to speak, and stage directions: ``Nurse: …``."""
    for line in lines:
        if found := _LABEL.search(line.text) or _DIRECTION.search(line.text):
            yield of_turn(
                "speaker_in_text",
                line.turn_number,
                f"holds `{found[1].strip()}`: a turn is what its speaker says and nothing else",
            )


def name_violations(lines: Sequence[SourcedLine], bundle: AdmissionBundle) -> Iterator[Violation]:
    """Names of people, places and things that the record doesn't hold.

    Names of medicine are for the claims to judge. A name at the head of a sentence is told from
    other words only behind a title.
    """
    record: frozenset[str] | None = None
    for line in lines:
        said = [found[0] for found in _CALLED.finditer(line.text)]
        for found in _NAME.finditer(line.text):
            if found[0].casefold() in _NO_NAMES or found[0].casefold() in _medical_words():
                continue
            record = _words_of(bundle) if record is None else record
            said += [found[0]] if found[0].casefold() not in record else []
        if said:
            yield of_turn(
                "invented_name", line.turn_number, f"says `{said[0]}`: nobody says a name"
            )


def death_violations(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    """Turns that speak of the patient, who is spoken with, as dead."""
    for line in lines:
        if found := _DEATH.search(line.text):
            yield of_turn(
                "told_death", line.turn_number, f"says `{found[0]}` of a patient who is speaking"
            )


@cache
def _medical_words() -> frozenset[str]:
    return frozenset(
        word
        for name in get_args(VocabularyName)
        for group in vocabulary(name).groups
        for spelling in group
        for word in words(spelling)
    )


def _words_of(bundle: AdmissionBundle) -> frozenset[str]:
    """Every word of a record, and of what is told of the previous stay."""
    texts = [note.text for note in (*bundle.discharge_notes, *bundle.radiology_notes)]
    texts += [row.long_title for row in (*bundle.diagnoses, *bundle.procedures)]
    for row in bundle.microbiology:
        texts += [row.spec_type_desc, row.test_name, row.org_name, row.ab_name, row.comments]
    if previous := bundle.previous_admission_summary:
        texts += [previous.summary_paragraph, *previous.problems]
    return frozenset(re.findall(r"[a-z]+", " ".join(texts).casefold()))
