"""What can be asked about a fact: its target, its answer, and what else the question must say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tasks.contracts.records import Fact, FactKind
from tasks.qa.stays import Cite, Stay
from tasks.terminology.normalization import normalize_question, words

MAXIMUM_ANSWER_WORDS = 10

_POINTS = {
    "admission": "on admission",
    "discharge": "at discharge",
    "first": "at the first measurement",
}
_DOSE_OF = "dose of "
_MEASURES = ("treated", "managed", "addressed", "handled", "controlled", "given", "repaired")
_PLAIN_WORDS = frozenset({"and", "of", "with", "by", "intravenous", "oral", "therapy"})
_EMPTY_ANSWERS = frozenset({"follow-up", "none known", "allergy"})


def _nowhere(_: Fact) -> str:
    return ""


def _label_of(fact: Fact) -> str:
    return fact.label


def _value_of(fact: Fact) -> str:
    return fact.value


def _nothing(_: Fact) -> Mapping[str, str] | None:
    return {}


@dataclass(frozen=True)
class Aspect:
    """One thing to ask about facts of a kind; ``group`` names the vocabulary of its targets.

    ``answer`` and ``slots`` return None where a fact has no such part. ``offers``: the forms name
    the possible answers. Facts of a stay that agree
    in target and slots must agree in the answer, else nothing is asked.
    """

    family: str
    kind: FactKind
    group: str
    answer: Callable[[Fact], str | None]
    target: Callable[[Fact], str] = field(default=_label_of)
    slots: Callable[[Fact], Mapping[str, str] | None] = field(default=_nothing)
    offers: bool = False


@dataclass(frozen=True)
class Reading:
    """An aspect of one stated fact."""

    aspect: Aspect
    fact: Fact
    cite: Cite
    target: str
    answer: str
    slots: Mapping[str, str]

    @cached_property
    def key(self) -> tuple[str, ...]:
        """Equal for readings of different stays that can be compared."""
        return (self.target.casefold(), *(self.slots[name] for name in sorted(self.slots)))


def value(fact: Fact) -> str | None:
    """The fact's value, where it says more than that the fact exists."""
    text = fact.value.strip().rstrip(".")
    return None if text.casefold() in _EMPTY_ANSWERS else text


def part(name: str) -> Callable[[Fact], str | None]:
    """A named part of a fact, such as the dose; None where the record gives none."""
    return lambda fact: fact.detail.get(name)


def treated_with(fact: Fact) -> str:
    """The drug or therapy of a treatment, also where the record speaks of its dose."""
    return fact.label[len(_DOSE_OF) :] if fact.label.startswith(_DOSE_OF) else fact.label


def new_dose(fact: Fact) -> str | None:
    """The dose that a change ended at, where the record gives one."""
    dose = fact.detail.get("dose")
    return dose and dose.rpartition(" to ")[2]


def measures(fact: Fact) -> str | None:
    """What was done about a problem, where its course tells that."""
    text = value(fact)
    return text if text and text.casefold().startswith(_MEASURES) else None


def outcome(fact: Fact) -> str | None:
    """How a problem went on, where its course tells that in place of what was done."""
    return None if measures(fact) else value(fact)


def grown(fact: Fact) -> str | None:
    """The culture that an organism grew in; None where nothing grew."""
    return fact.label if fact.detail.get("result") == "organism" else None


def labelled(label: str) -> Callable[[Fact], str | None]:
    """The value of facts with one given label."""
    return lambda fact: fact.value if fact.label.casefold() == label else None


def point(fact: Fact) -> Mapping[str, str] | None:
    """When in the stay a measurement was made, in words."""
    words = _POINTS.get(fact.detail.get("point", ""))
    return None if words is None else {"point": words}


def measured(fact: Fact) -> str:
    """Name of a laboratory test or vital sign without the point of measurement."""
    return fact.detail.get("test", fact.label)


def action(allowed: Callable[[str], bool]) -> Callable[[Fact], Mapping[str, str] | None]:
    """The treatment's action as a slot, for the actions that are allowed."""

    def read(fact: Fact) -> Mapping[str, str] | None:
        verb = fact.detail.get("action", "")
        return {"action": verb} if verb and allowed(verb) else None

    return read


def day(fact: Fact) -> Mapping[str, str] | None:
    """The event's date as a slot, where the record gives one."""
    return {"date": fact.detail["date"]} if "date" in fact.detail else None


CHANGES = frozenset(
    {"increased", "decreased", "held", "stopped", "switched", "changed", "discontinued", "reduced"}
)
PLANNED = CHANGES | {"continued", "maintained", "restarted", "resumed"}
"""What is decided about a drug that the patient had before; anything else answers a finding."""

DOSE_CHANGES = frozenset({"increased", "decreased", "reduced"})

LAB = Aspect("lab_result", FactKind.LAB, "laboratory", value, measured, point)
VITAL = Aspect("vital_sign", FactKind.EXAM, "vital", value, measured, point)
IMAGING = Aspect("imaging_finding", FactKind.IMAGING, "imaging", value)
DATED_IMAGING = Aspect("imaging_finding_on", FactKind.IMAGING, "imaging", value, slots=day)
CULTURE = Aspect("culture_result", FactKind.CULTURE, "culture", value)
DATED_CULTURE = Aspect("culture_result_on", FactKind.CULTURE, "culture", value, slots=day)
SUSCEPTIBILITY = Aspect("susceptibility", FactKind.SUSCEPTIBILITY, "susceptibility", value)
CAUSE = Aspect(
    "treatment_cause",
    FactKind.TREATMENT,
    "drug",
    value,
    treated_with,
    slots=action(lambda verb: verb not in PLANNED),
)
SYMPTOM = Aspect("symptom_report", FactKind.HISTORY, "symptom", value, offers=True)
RANK = Aspect("diagnosis_rank", FactKind.DIAGNOSIS, "problem", value, offers=True)
ALLERGY = Aspect("allergy_reaction", FactKind.ALLERGY, "allergen", value)
REGIMEN = Aspect("discharge_regimen", FactKind.DISCHARGE_MEDICATION, "drug", value)
DOSE = Aspect("discharge_dose", FactKind.DISCHARGE_MEDICATION, "drug", part("dose"))
INTERVAL = Aspect("discharge_frequency", FactKind.DISCHARGE_MEDICATION, "drug", part("frequency"))
HOME_REGIMEN = Aspect("home_regimen", FactKind.HOME_MEDICATION, "drug", value)
HOME_DOSE = Aspect("home_dose", FactKind.HOME_MEDICATION, "drug", part("dose"))
HOME_INTERVAL = Aspect("home_frequency", FactKind.HOME_MEDICATION, "drug", part("frequency"))
CHANGE = Aspect("medication_change", FactKind.MEDICATION_CHANGE, "drug", value)
REASON = Aspect(
    "change_reason",
    FactKind.TREATMENT,
    "drug",
    value,
    treated_with,
    slots=action(PLANNED.__contains__),
)
NEW_DOSE = Aspect(
    "changed_dose",
    FactKind.TREATMENT,
    "drug",
    new_dose,
    treated_with,
    slots=action(DOSE_CHANGES.__contains__),
)
TREATED_FOR = Aspect(
    "treatment_for",
    FactKind.TREATMENT,
    "reason",
    treated_with,
    target=_value_of,
    slots=action(lambda verb: verb not in PLANNED),
)
CHANGED_FOR = Aspect(
    "changed_for",
    FactKind.TREATMENT,
    "reason",
    treated_with,
    target=_value_of,
    slots=action(PLANNED.__contains__),
)
STUDY_SHOWING = Aspect("study_showing", FactKind.IMAGING, "finding", _label_of, target=_value_of)
CULTURE_GROWING = Aspect("culture_growing", FactKind.CULTURE, "organism", grown, target=_value_of)
DRUG_TESTED = Aspect(
    "drug_tested",
    FactKind.SUSCEPTIBILITY,
    "organism",
    part("antibiotic"),
    target=lambda fact: fact.detail.get("organism", ""),
    slots=lambda fact: {"result": fact.value},
)
COURSE = Aspect("course_management", FactKind.COURSE, "problem", measures)
OUTCOME = Aspect("course_outcome", FactKind.COURSE, "problem", outcome)
FOLLOW_UP = Aspect("follow_up", FactKind.FOLLOW_UP, "clinic", value)
PERFORMED = Aspect("procedure_performed", FactKind.PROCEDURE, "", _label_of, _nowhere, day)
STAY_LENGTH = Aspect("stay_length", FactKind.STAY, "", labelled("length of stay"))
COMPLAINT = Aspect("chief_complaint", FactKind.CHIEF_COMPLAINT, "", value)
DESTINATION = Aspect("destination", FactKind.DISPOSITION, "", value)
CONDITION = Aspect("condition", FactKind.CONDITION, "condition", value)


def readings(stay: Stay, aspect: Aspect) -> dict[tuple[str, ...], Reading]:
    """Unambiguous stated facts of a stay under an aspect, by key.

    A key with two answers in the record is left out, stated or not.
    """
    if aspect not in stay.read:
        stay.read[aspect] = _readings(stay, aspect)
    return stay.read[aspect]


def _readings(stay: Stay, aspect: Aspect) -> dict[tuple[str, ...], Reading]:
    answers: dict[tuple[str, ...], set[str]] = defaultdict(set)
    found: dict[tuple[str, ...], Reading] = {}
    for fact in stay.facts_of(aspect.kind):
        answer, slots = aspect.answer(fact), aspect.slots(fact)
        if answer is None or slots is None:
            continue
        statement = stay.stated.get(fact.fact_id)
        cite = statement.cite if statement else Cite(stay.position, 0)
        reading = Reading(aspect, fact, cite, aspect.target(fact), answer, slots)
        answers[reading.key].add(normalize_question(answer))
        if statement and stay.turn_says(cite.turn, answer) and _fits(answer):
            found.setdefault(reading.key, reading)
    sure = {key: reading for key, reading in found.items() if len(answers[key]) == 1}
    if aspect.kind is not FactKind.TREATMENT or aspect.group != "drug":
        return sure
    return {key: one for key, one in sure.items() if not _told_otherwise(key, answers)}


def _told_otherwise(key: tuple[str, ...], answers: Mapping[tuple[str, ...], set[str]]) -> bool:
    """The same was done with the drug for another reason, alone or together with a second one."""
    own = set(words(key[0]))
    return any(
        other[1:] == key[1:] and said != answers[key] and own & set(words(other[0])) - _PLAIN_WORDS
        for other, said in answers.items()
        if other != key
    )


def _fits(answer: str) -> bool:
    return 0 < len(answer.split()) <= MAXIMUM_ANSWER_WORDS
