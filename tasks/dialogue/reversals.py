"""Results and changes of treatment that a turn turns into their opposite."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import AdmissionBundle, Fact, FactKind
from tasks.dialogue.violations import Violation, of_turn

_CLAUSE = re.compile(r"[^.?!;,]+(?:[.?!;,]|$)")
_JOINED = re.compile(r"\b(?:and|but|while|whereas|yet)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no longer|never|isn't|wasn't|weren't|aren't|didn't)\b", re.IGNORECASE)
_VERDICTS = {
    "sensitive": "susceptible",
    "susceptible": "susceptible",
    "resistant": "resistant",
    "intermediate": "intermediate",
}
_VERDICT = re.compile(rf"\b({'|'.join(_VERDICTS)})\b", re.IGNORECASE)
_NOTHING_GREW = re.compile(
    r"\bno (?:\w+ )?growth\b|\bgrew nothing\b|\bnothing grew\b|\bnegative\b|\bsterile\b",
    re.IGNORECASE,
)
_CHANGES = {
    "stopped": r"stopped|discontinued|withheld|held|paused",
    "started": r"started|begun|initiated|added",
    "increased": r"increased|raised|doubled",
    "reduced": r"reduced|decreased|lowered|halved",
}
_IN_NOTES = {
    "stopped": r"stop\w*|discontinu\w*|withh\w*|h[eo]ld\w*|paus\w*|d/c\w*|off\b",
    "started": r"start\w*|beg[aiu]n\w*|initiat\w*|add\w*|resum\w*|new\b|trial\w*|given|plac\w*",
    "increased": r"increas\w*|rais\w*|doubl\w*|uptitrat\w*|up-titrat\w*|titrat\w*",
    "reduced": r"reduc\w*|decreas\w*|lower\w*|halv\w*|taper\w*|wean\w*|downtitrat\w*|titrat\w*",
}
_CHANGED = {name: re.compile(rf"\b(?:{words})\b", re.I) for name, words in _CHANGES.items()}
_NOTED = {name: re.compile(rf"\b(?:{words})", re.I) for name, words in _IN_NOTES.items()}
_ANY_CHANGE = re.compile(rf"\b(?:{'|'.join(_CHANGES.values())})\b", re.IGNORECASE)
_EVERY = {"4": 6, "6": 4, "8": 3, "12": 2, "24": 1}
_TIMES_A_DAY = {
    1: r"once (?:daily|a day)|(?<!twice )(?<!times )\bdaily|every (?:day|morning|evening|night)|"
    r"nightly|at bedtime|qd|qhs|qam|qpm|q24h",
    2: r"twice (?:daily|a day)|two times (?:daily|a day)|bid|q12h",
    3: r"three times (?:daily|a day)|tid|q8h",
    4: r"four times (?:daily|a day)|qid|q6h",
    6: r"six times (?:daily|a day)|q4h",
}
_OFTEN = {times: re.compile(rf"\b(?:{words})\b", re.I) for times, words in _TIMES_A_DAY.items()}
_ANY_TIMES = re.compile(r"daily|\ba day\b|\b[bqt]id\b|\bq\w{2,3}\b|every |nightly|bedtime", re.I)
_TAKEN = re.compile(r"\d|\btak(?:e|en|ing)\b|\bgiven\b", re.IGNORECASE)
_EVERY_HOURS = re.compile(r"\bevery (4|6|8|12|24) hours\b", re.IGNORECASE)
_CUES = (
    *_VERDICTS, "growth", "grew", "negative", "sterile", "llerg",
    *"|".join(_CHANGES.values()).split("|"),
    "daily", "a day", "bid", "tid", "qid", "every ", "nightly", "bedtime", "q",
)  # fmt: skip
_ALLERGIC = re.compile(r"\ballerg(?:ic|y|ies) to (?:the |any )?(\w{4,})", re.IGNORECASE)
_NOT_ALLERGIC = re.compile(r"\bno (?:known )?(?:drug )?allerg(?:y|ies)\b", re.IGNORECASE)
_ANYTHING = frozenset(
    ("anything", "something", "nothing", "medication", "medications", "medicine", "medicines",
     "drug", "drugs", "food", "foods", "that", "them", "this", "these", "those", "what", "which")
)  # fmt: skip
_STEM = 5
_MEDICINES = (FactKind.HOME_MEDICATION, FactKind.DISCHARGE_MEDICATION, FactKind.TREATMENT)
_STATED_CHANGES = (FactKind.MEDICATION_CHANGE, FactKind.TREATMENT)
_MEANS = {
    "new": "started", "started": "started", "added": "started", "resumed": "started",
    "stopped": "stopped", "held": "stopped", "discontinued": "stopped",
    "increased": "increased", "decreased": "reduced", "reduced": "reduced",
}  # fmt: skip
_NOTE_SENTENCE = re.compile(r"[.;]\s|\n\s*\n|\n\s*\d{1,2}[.)]\s")


def reversal_violations(
    lines: Sequence[SourcedLine], facts: Sequence[Fact], bundle: AdmissionBundle
) -> Iterator[Violation]:
    """Turns that say the opposite of a result, or of a medicine what isn't so.

    That is a change that wasn't made, another frequency, or an allergy that isn't known.

    Read are clauses that name one antibiotic, culture or medicine of the record; questions and
    denials are left alone.
    """
    verdicts, cultures, medicines = _verdicts(facts), _cultures(facts), _medicines(facts)
    notes = _Notes(bundle)
    for line in lines:
        if not _may_tell(line.text):
            continue
        for clause in _clauses(line.text):
            told = (
                _other_verdict(clause, verdicts)
                or _other_growth(clause, cultures)
                or _other_change(clause, medicines, notes)
                or _other_frequency(clause, medicines, notes)
                or _other_allergy(clause, facts, notes)
            )
            if told:
                yield of_turn("reversed", line.turn_number, f"says `{clause.strip()}`: {told}")
                break


class _Notes:
    """The sentences and entries of a record's discharge notes, in small letters."""

    def __init__(self, bundle: AdmissionBundle) -> None:
        self._bundle = bundle

    def about(self, name: str) -> Iterator[str]:
        """Those that hold a word."""
        return (one for one in self._sentences if name in one)

    @cached_property
    def _sentences(self) -> tuple[str, ...]:
        texts = (note.text.casefold() for note in self._bundle.discharge_notes)
        return tuple(one for text in texts for one in _NOTE_SENTENCE.split(text))


def _may_tell(text: str) -> bool:
    """Whether a turn holds a word by which one of the checks goes: most turns hold none."""
    said = text.lower()
    return any(word in said for word in _CUES)


def _clauses(text: str) -> Iterator[str]:
    """Parts of a turn that state one thing each."""
    for found in _CLAUSE.finditer(text):
        if not found[0].endswith("?") and not _NOT.search(found[0]):
            yield from _JOINED.split(found[0])


def _other_verdict(clause: str, verdicts: Mapping[str, frozenset[str]]) -> str:
    said = {_VERDICTS[found[1].lower()] for found in _VERDICT.finditer(clause)}
    named = _named(clause, verdicts) if said else []
    if len(named) != 1 or said <= verdicts[named[0]]:
        return ""
    return f"{named[0]} was {' and '.join(sorted(verdicts[named[0]]))}"


def _other_growth(clause: str, cultures: Mapping[str, bool]) -> str:
    named = _named(clause, cultures) if _NOTHING_GREW.search(clause) else []
    if len(named) != 1 or not cultures[named[0]]:
        return ""
    return f"something grew in the {named[0]}"


def _other_change(
    clause: str,
    medicines: Mapping[str, frozenset[str]],
    notes: _Notes,
) -> str:
    if not _ANY_CHANGE.search(clause):
        return ""
    said = [name for name, form in _CHANGED.items() if form.search(clause)]
    named = _named(clause, medicines)
    if len(named) != 1 or len(said) != 1 or said[0] in medicines[named[0]]:
        return ""
    if _noted(named[0], said[0], notes):
        return ""
    return f"the source doesn't say that {named[0]} was {said[0]}"


def _other_frequency(clause: str, medicines: Mapping[str, frozenset[str]], notes: _Notes) -> str:
    said = _times_a_day(clause) if _TAKEN.search(clause) else frozenset[int]()
    named = _named(clause, medicines) if said else []
    if len(said) != 1 or len(named) != 1:
        return ""
    known = {times for one in notes.about(named[0]) for times in _times_a_day(one)}
    return "" if not known or said <= known else f"{named[0]} is taken at other times"


def _other_allergy(clause: str, facts: Sequence[Fact], notes: _Notes) -> str:
    if "llerg" not in clause:
        return ""
    known = [
        fact.label
        for fact in facts
        if fact.kind is FactKind.ALLERGY and "allerg" not in fact.label.casefold()
    ]
    if known and _NOT_ALLERGIC.search(clause):
        return f"there are allergies: {'; '.join(known)}"
    found = _ALLERGIC.search(clause)
    if found is None or found[1].casefold() in _ANYTHING:
        return ""
    stem = found[1].casefold()[:_STEM]
    if any(stem in label.casefold() for label in known):
        return ""
    told = any("allerg" in one for one in notes.about(stem))
    return "" if told else f"the source knows no allergy to {found[1]}"


def _times_a_day(text: str) -> frozenset[int]:
    if not _ANY_TIMES.search(text):
        return frozenset()
    hours = {_EVERY[found[1]] for found in _EVERY_HOURS.finditer(text)}
    return frozenset(hours | {times for times, form in _OFTEN.items() if form.search(text)})


def _noted(medicine: str, change: str, notes: _Notes) -> bool:
    """Whether a sentence or entry of a note names a medicine and such a change."""
    form = _NOTED[change]
    return any(form.search(one) for one in notes.about(medicine.split()[0]))


def _named(clause: str, names: Mapping[str, object]) -> list[str]:
    said = clause.casefold()
    found = [name for name in names if name in said and re.search(rf"\b{re.escape(name)}\b", said)]
    return [one for one in found if not any(one != other and one in other for other in found)]


def _verdicts(facts: Sequence[Fact]) -> dict[str, frozenset[str]]:
    """What was found of each antibiotic, whatever the organism."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if fact.kind is FactKind.SUSCEPTIBILITY:
            name = fact.detail.get("antibiotic") or fact.label.split(" against ")[0]
            found[name.casefold()].add(_VERDICTS.get(fact.value.casefold(), fact.value))
    return {name: frozenset(values) for name, values in found.items()}


def _cultures(facts: Sequence[Fact]) -> dict[str, bool]:
    """Whether something grew in every culture of a name."""
    grew: defaultdict[str, list[bool]] = defaultdict(list)
    for fact in facts:
        if fact.kind is FactKind.CULTURE:
            name = fact.detail.get("test") or fact.label
            grew[name.casefold()].append(fact.detail.get("result") == "organism")
    return {name: all(each) for name, each in grew.items()}


def _medicines(facts: Sequence[Fact]) -> dict[str, frozenset[str]]:
    """The changes that the record states of each medicine."""
    changes: defaultdict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if fact.kind in (*_MEDICINES, *_STATED_CHANGES):
            stated = changes[fact.label.casefold()]
            told = fact.detail.get("change") or fact.detail.get("action") or ""
            if told:
                stated.add(_MEANS.get(told.casefold(), told.casefold()))
    return {name: frozenset(values) for name, values in changes.items()}
