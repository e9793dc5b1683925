"""Catalogue entries: microbiology, kinds of patients and general wording."""

from __future__ import annotations

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.sample.entries import Texts


class Specimen(Contract):
    """A specimen and the test done on it; ``procedure`` names the procedure that yields it."""

    key: str
    itemid: str
    name: str
    test_itemid: str
    test: str
    said: str
    negative: Texts
    storage_hours: tuple[int, int]
    procedure: str = ""


class Susceptibility(Contract):
    """An antibiotic that an organism is tested against."""

    antibiotic: str
    resistant: float


class Organism(Contract):
    """An organism with its usual resistance."""

    key: str
    name: str
    said: str
    itemid: str
    tested: tuple[Susceptibility, ...]


class Antibiotic(Contract):
    """A tested antibiotic; ``predicts`` names the oral drugs whose effect it tells."""

    name: str
    itemid: str
    drug: str
    drug_class: str = ""
    sensitive: str
    resistant: str
    predicts: Texts = ()


class Microbiology(Contract):
    """Specimens, organisms and antibiotics."""

    specimens: tuple[Specimen, ...]
    organisms: tuple[Organism, ...]
    antibiotics: tuple[Antibiotic, ...]


class ConditionChance(Contract):
    """Probability of having a condition."""

    condition: str
    chance: float = Field(ge=0, le=1)


class ConditionWeight(Contract):
    """Relative frequency of a reason for admission."""

    condition: str
    weight: float = Field(gt=0)


class DrugChance(Contract):
    """Probability of taking a drug without a coded reason."""

    drug: str
    chance: float = Field(ge=0, le=1)


class Archetype(Contract):
    """A kind of patient: lasting conditions and reasons for admission."""

    key: str
    weight: float = Field(gt=0)
    age: tuple[int, int]
    chronic: tuple[ConditionChance, ...]
    acute: tuple[ConditionWeight, ...]


class Allergy(Contract):
    """An allergy line and the drug classes it rules out."""

    name: str
    weight: float
    classes: Texts


class Patients(Contract):
    """Who the patients are."""

    archetypes: tuple[Archetype, ...]
    secondary: tuple[ConditionChance, ...]
    allergies: tuple[Allergy, ...]
    extra_home: tuple[DrugChance, ...]
    races: Texts
    languages: Texts
    marital_statuses: Texts
    insurances: Texts
    family_history: Texts


class GenericTexts(Contract):
    """Wording for problems that no condition of the catalogue describes."""

    symptoms: Texts
    denials: Texts
    complaints: Texts
    recovery: Texts
    follow_up: Texts
    advice: Texts


class RegionTexts(Contract):
    """How problems outside the catalogue present, by words of their titles; the first one fits."""

    words: Texts
    complaints: Texts
    symptoms: Texts
    denials: Texts


class Wording(Contract):
    """Sentence templates that are not tied to one condition."""

    generic: GenericTexts
    regions: tuple[RegionTexts, ...]
    exam: dict[str, Texts]
    discharge_exam: dict[str, Texts]
    hpi_openings: Texts
    hpi_admitted: Texts
    reports: Texts
    denies: Texts
    last_admission: Texts
    arrivals: dict[str, Texts]
    lab_notes: Texts
    generic_course: Texts
    continued: Texts
    stable: Texts
    change_intro: dict[str, Texts]
    procedure: Texts
    procedure_plain: Texts
    death: Texts
    thanks: Texts
    addenda: Texts
