"""What can be asked about a fact: its target, its answer, and what else the question must say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tasks.contracts.records import Fact, FactKind
from tasks.qa.fact_parts import (
    action,
    day,
    grown,
    labelled,
    measured,
    measures,
    new_dose,
    outcome,
    part,
    point,
    treated_with,
    value,
)
from tasks.qa.stays import Cite, Stay
from tasks.terminology.normalization import normalize_question, words

MAXIMUM_ANSWER_WORDS = 10

_PLAIN_WORDS = frozenset({"and", "of", "with", "by", "intravenous", "oral", "therapy"})


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
