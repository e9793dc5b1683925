"""Entries of a medication list: drug, dose, route and frequency, or a drug that is on hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from tasks.ehr.passages import Passage
from tasks.ehr.statements import speakable
from tasks.ehr.vocabulary import prescriptions

_DRUG_WORDS = 5
_AMOUNT = (
    r"(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s?[-/]\s?\d+(?:\.\d+)?)?\s?"
    r"(?:mg/mL|mcg/hr|mg|mcg|micrograms?|milligrams?|grams?|gm|g|mEq|mmol|mL|ml|units?|UNIT|"
    r"puffs?|PUFF|tabs?|TAB|tablets?|caps?|CAP|capsules?|drops?|DROP|sprays?|SPRY|patch(?:es)?|PTCH|"
    r"NEB|APPL|LOZ|SUPP|%)(?![A-Za-z])"
)
_NAME = r"(?P<drug>[A-Za-z%][A-Za-z0-9 \-/',.+&%]*?(?:\s?[\(\[][^()\[\]]*[\)\]][A-Za-z ]*)*)"
_DOSED = re.compile(rf"^{_NAME}[\s,:]+(?P<dose>{_AMOUNT})(?P<rest>.*)$", re.IGNORECASE)
_PARTS = re.compile(r"(?P<number>[\d.,]+(?:\s?[-/]\s?[\d.]+)?)\s*(?P<unit>[^\d\s].*)")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_UNITS = {
    **dict.fromkeys(("mg", "milligram", "milligrams"), "mg"),
    **dict.fromkeys(("mcg", "microgram", "micrograms"), "mcg"),
    **dict.fromkeys(("g", "gm", "gram", "grams"), "g"),
    **{"ml": "mL", "meq": "mEq", "mg/ml": "mg/mL", "mcg/hr": "mcg/hr", "mmol": "mmol"},
    **{"unit": "unit", "units": "units", "puff": "puff", "puffs": "puffs"},
    **{"tab": "tablet", "tabs": "tablets", "tablet": "tablet", "tablets": "tablets"},
    **{"cap": "capsule", "caps": "capsules", "capsule": "capsule", "capsules": "capsules"},
    **{"drop": "drop", "drops": "drops", "spray": "spray", "sprays": "sprays"},
}
"""Units by their small letters."""

_PRESCRIPTION_TAIL = re.compile(r"\s(?:RX\s?\*|Disp(?:ense)?\b|Refills?:|#\*).*$")
_HELD = re.compile(r"^HELD\s?[-\u2013:]\s*", re.IGNORECASE)
_HELD_NOTICE = re.compile(
    r"[\s.]+This (?:medication|medicine|drug) (?:was|is) held\b.*$", re.IGNORECASE
)
_BRACKETS = re.compile(r"\s*[\(\[][^()\[\]]*[\)\]]")
_NOT_DRUGS = re.compile(
    r"^(?:the pre-?admission|none|no |not |patient|please|rx\b|unknown|allerg|insulin sc|"
    r"sliding|fingerstick|all |see |prior to|you |continue|stop|same|n/a|medications?\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Prescription:
    """One entry of a medication list; ``written`` is empty where no dose or frequency is given.

    ``held`` entries name a drug that is not to be taken until a doctor says so.
    """

    drug: str
    dose: str
    route: str
    frequency: str
    start: int
    end: int
    held: bool = False

    @property
    def written(self) -> str:
        """Dose, route and frequency in the words that are spoken."""
        if not (self.dose or self.frequency):
            return ""
        return " ".join(part for part in (self.dose, self.route, self.frequency) if part)


def parse_entry(entry: Passage) -> Prescription | None:
    """One line of a medication list; null where it names no drug.

    What follows a removed number is not read: the drug stays on the list without a dose.
    """
    listed = _PRESCRIPTION_TAIL.sub("", entry.text).strip()
    held = _HELD.match(listed) is not None
    text = _HELD_NOTICE.sub("", _HELD.sub("", listed)) if held else listed
    if not text or _NOT_DRUGS.match(text) or text.endswith(":"):
        return None
    dosed = _DOSED.match(text)
    name, dose, rest = (dosed["drug"], dosed["dose"], dosed["rest"]) if dosed else _undosed(text)
    drug = speakable(_BRACKETS.sub("", name), _DRUG_WORDS).lower()
    if not drug or not drug[0].isalpha():
        return None
    rest = rest.split("__")[0]
    return Prescription(
        drug,
        _amount(" ".join(dose.split())),
        _route(rest),
        _frequency(rest),
        entry.start,
        entry.end,
        held,
    )


def _undosed(text: str) -> tuple[str, str, str]:
    """Name, no dose and the rest of an entry that gives at most a route or a frequency."""
    spellings = (*prescriptions().routes, *prescriptions().frequencies)
    written = _written_as(spellings).search(text)
    end = min(written.start() if written else len(text), len(re.split(r"[,;:.(]|__", text)[0]))
    return text[:end], "", text[end:]


def _amount(dose: str) -> str:
    """A dose in one spelling, so that ``20MG`` and ``20 milligrams`` are the same dose."""
    found = _PARTS.fullmatch(dose)
    if found is None:
        return dose
    number = _THOUSANDS.sub("", found["number"])
    unit = found["unit"]
    return f"{'0' if number.startswith('.') else ''}{number} {_UNITS.get(unit.lower(), unit)}"


def _route(rest: str) -> str:
    match = _written_as(tuple(prescriptions().routes)).search(rest)
    return _lookup(prescriptions().routes, match[0]) if match else ""


def _frequency(rest: str) -> str:
    match = _written_as(tuple(prescriptions().frequencies)).search(rest)
    frequency = _lookup(prescriptions().frequencies, match[0]) if match else ""
    if re.search(r"\bPRN\b|\bas needed\b", rest, re.IGNORECASE):
        return f"{frequency} as needed".strip()
    return frequency


@cache
def _written_as(spellings: tuple[str, ...]) -> re.Pattern[str]:
    ordered = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))
    words = "|".join(map(re.escape, ordered))
    return re.compile(rf"(?<![\w/])(?:{words})(?![\w/])", re.IGNORECASE)


def _lookup(words: dict[str, str], spelling: str) -> str:
    return words.get(spelling) or words.get(spelling.upper()) or words[spelling.lower()]
