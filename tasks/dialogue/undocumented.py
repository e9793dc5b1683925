"""What models like to add: habits, falls, places, common tests. A record holds it or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import AdmissionBundle
from tasks.dialogue.violations import Violation, of_turn

_SUBJECTS = {
    "smoking": r"smok(?:e|es|ed|er|ing)|cigarettes?|tobacco|nicotine|pack[- ]years?|vap(?:e|ing)",
    "alcohol": r"alcohol(?:ic|ism)?|etoh|beers?|wine|whisk(?:e)?y|vodka|liquor|drinks? a day|"
    r"drink(?:ing)? (?:heavily|socially)",
    "drug use": r"cocaine|heroin|ivdu|iv drugs?|opiate abuse|marijuana|cannabis",
    "pregnancy": r"pregnan(?:t|cy)|gravida|g\dp\d|miscarriage",
    "a fall": r"fall|falls|fell|fallen",
    "intensive care": r"icu|[mstcn]icu|ccu|cvicu|tsicu|intensive care(?: unit)?|critical care",
    "a nursing home": r"nursing (?:home|facility)|snf|ecf|ltac|skilled (?:nursing|care)|"
    r"extended care|long[- ]term care|assisted living",
    "rehabilitation": r"rehab(?:ilitation)?",
    "hospice": r"hospice|comfort (?:care|measures)|cmo",
    "troponin": r"troponins?|c?tropn?[ti]?|trops?",
    "hemoglobin A1c": r"(?:%?hb|hgb)?a1c",
    "lactate": r"lactate|lactic acid",
    "TSH": r"tsh",
    "BNP": r"(?:nt-?)?(?:pro)?bnp",
    "D-dimer": r"d-?dimer",
    "lipase": r"lipase",
    "C-reactive protein": r"crp|c-reactive protein",
    "a relative's cancer": r"(?:mother|father|sister|brother|aunt|uncle|grand\w+)"
    r"[^.?!]{0,25}\bcancer",
}
_SAID = {name: re.compile(rf"\b(?:{words})\b") for name, words in _SUBJECTS.items()}
_ANY = re.compile(rf"\b(?:{'|'.join(_SUBJECTS.values())})\b")
_QUESTION = re.compile(r"[^.?!]*\?")
_MANNERS = re.compile(
    r"\bf(?:all|ell|alls|allen) (?:asleep|into|apart|ill|behind|short|back|under|in line|off)\b|"
    r"\b(?:this|last|next|in the) fall\b"
)


def undocumented_violations(
    lines: Sequence[SourcedLine], bundle: AdmissionBundle
) -> Iterator[Violation]:
    """Turns that tell of a subject on which the record doesn't say a word, for or against.

    Questions tell nothing.
    """
    record: str | None = None
    for line in lines:
        said = line.text.lower()
        if not _ANY.search(said):
            continue
        told = _MANNERS.sub(" ", _QUESTION.sub(" ", said))
        record = _record_of(bundle) if record is None else record
        for name, form in _SAID.items():
            if (found := form.search(told)) and not form.search(record):
                yield of_turn(
                    f"undocumented ({name})",
                    line.turn_number,
                    f"says `{found[0]}`: the source holds nothing of it, leave it out",
                )


def _record_of(bundle: AdmissionBundle) -> str:
    """A record's texts and what is told of the previous stay: one line, in small letters."""
    texts = [note.text for note in (*bundle.discharge_notes, *bundle.radiology_notes)]
    texts += [row.long_title for row in (*bundle.diagnoses, *bundle.procedures)]
    if previous := bundle.previous_admission_summary:
        texts += [previous.summary_paragraph, *previous.problems]
    return " ".join(" ".join(texts).lower().split())
