"""Catalogue entries: conditions, drugs, procedures, studies and tests."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract

Range = tuple[float, float]
Texts = tuple[str, ...]

_LIST_WORDS = ("SL", "XL", "SR", "DS", "HCl", "Extended-Release", "Diskus")


class IcdCode(Contract):
    """An ICD code with its dictionary title."""

    version: Literal[9, 10] = Field(description="ICD-9 or ICD-10")
    code: str = Field(description="Code without a dot")
    title: str = Field(description="Title as MIMIC's dictionaries word it")


class Drug(Contract):
    """A drug as medication lists write it; doses climb from weakest to strongest."""

    key: str = Field(description="Name within the catalogue")
    name: str = Field(description="Name as a medication list prints it")
    doses: Texts = Field(min_length=1, description="Doses, weakest first")
    start: int = Field(default=0, description="Index of the usual first dose")
    route: str = Field(description="PO, SC, IH, SL or TD")
    frequency: str = Field(description="Frequency as printed, for example BID")
    spoken: str = Field(description="Frequency in prose, for example twice daily")
    form: str = Field(description="Unit of a prescription line, for example tablet(s)")
    classes: Texts = Field(default=(), description="Allergy classes")
    group: str = Field(default="", description="Drugs of one group are not taken together")
    course_days: int | None = Field(default=None, description="Length of a finite course")
    not_with: Texts = Field(default=(), description="Conditions in which it is not given")
    bladder_only: bool = Field(default=False, description="Does not reach blood or tissue")

    @property
    def said(self) -> str:
        """Name in prose: lower case, without the marks that lists add."""
        words = self.name.split(" (")[0].split()
        return " ".join(word for word in words if word not in _LIST_WORDS).lower()


class Treatment(Contract):
    """A sentence that gives an inpatient treatment and its reason."""

    text: str = Field(description="Template of the sentence")
    avoid: Texts = Field(default=(), description="Allergy classes that rule it out")
    either: str = Field(default="", description="At most one sentence of this name is used")
    after: str = Field(default="", description="Only where this procedure was done")


class DrugChange(Contract):
    """A change of the home medications that a condition can bring about."""

    drug: str = Field(description="Key of the drug that changes")
    action: str = Field(description="An Action, or replace:KEY of the drug it takes the place of")
    because: str = Field(description="Reason, read after 'because of'")
    labs: dict[str, Range] = Field(default_factory=dict, description="Values behind the reason")
    after: str = Field(default="", description="Only where this procedure was done")


class ProcedureChance(Contract):
    """A procedure that a condition can need."""

    procedure: str = Field(description="Key of the procedure")
    chance: float = Field(ge=0, le=1, description="Probability in one stay")
    because: str = Field(description="Purpose, read after the procedure's name")


class CultureChance(Contract):
    """A culture that a condition calls for."""

    specimen: str = Field(description="Key of the specimen")
    positive: float = Field(ge=0, le=1, description="Probability of growth")
    organisms: Texts = Field(description="Keys of likely organisms, most likely first")


class Condition(Contract):
    """A condition: its codes, how it presents, how it is treated and what it leaves behind."""

    key: str = Field(description="Name within the catalogue")
    name: str = Field(description="Name in prose")
    kind: Literal["acute", "chronic", "status"] = Field(description="How it runs")
    codes: tuple[IcdCode, ...] = Field(min_length=1, description="One code a version")
    lay: str = Field(default="", description="Name for patients")
    keywords: Texts = Field(default=(), description="Word groups that name it in other titles")
    unless: Texts = Field(default=(), description="Words that rule a title out")
    covers: Texts = Field(default=(), description="Chronic conditions whose code it stands for")
    needs: Texts = Field(default=(), description="Chronic conditions it occurs in")
    excludes: Texts = Field(default=(), description="Conditions it is not coded beside")
    leaves: Texts = Field(default=(), description="Chronic conditions a patient has afterwards")
    history: str = Field(default="", description="Entry in later past histories")
    sex: Literal["F", "M", ""] = Field(default="", description="Only in this sex")
    elective: bool = Field(default=False, description="Planned admission")
    once: bool = Field(default=False, description="Happens once in a life")
    fatal: bool = Field(default=False, description="A patient can die of it")
    service: str = Field(default="MEDICINE", description="Service that admits it")
    variables: dict[str, Texts] = Field(default_factory=dict, description="Choices of one stay")
    home: Texts = Field(default=(), description="Keys of usual home drugs")
    complaints: Texts = Field(default=(), description="Chief complaints")
    symptoms: Texts = Field(default=(), description="Symptoms reported")
    denials: Texts = Field(default=(), description="Symptoms denied")
    exam: dict[str, str] = Field(default_factory=dict, description="Findings by region")
    vitals: dict[str, Range] = Field(default_factory=dict, description="Vital signs")
    labs: dict[str, Range] = Field(default_factory=dict, description="Laboratory values")
    urine: bool = Field(default=False, description="A urinalysis is sent and abnormal")
    imaging: Texts = Field(default=(), description="Keys of studies")
    treatments: tuple[Treatment, ...] = Field(default=(), description="Inpatient treatments")
    changes: tuple[DrugChange, ...] = Field(default=(), description="Home drug changes")
    procedures: tuple[ProcedureChance, ...] = Field(default=(), description="Procedures")
    cultures: tuple[CultureChance, ...] = Field(default=(), description="Cultures")
    recovery: Texts = Field(default=(), description="How it got better")
    follow_up: Texts = Field(default=(), description="Visits and tests after discharge")
    advice: Texts = Field(default=(), description="Instructions to the patient")


class CatalogueProcedure(Contract):
    """A procedure with its codes."""

    key: str = Field(description="Name within the catalogue")
    name: str = Field(description="Name in prose")
    codes: tuple[IcdCode, ...] = Field(min_length=1, description="One code a version")
    history: str = Field(description="Entry in later past histories; empty for none")


class LaterStudy(Contract):
    """The same study repeated later in the stay."""

    findings: Texts = Field(description="Sentences")
    impression: Texts = Field(description="Sentences")


class Imaging(Contract):
    """An imaging study with its typical report."""

    key: str = Field(description="Name within the catalogue")
    examination: str = Field(description="Title of the report")
    technique: str = Field(default="", description="How it was done")
    findings: Texts = Field(default=(), description="Sentences")
    impression: Texts = Field(min_length=1, description="Sentences")
    brief: str = Field(description="Name of the study in prose")
    question: str = Field(description="What it was ordered to evaluate for")
    radiology: bool = Field(default=True, description="False for studies outside radiology")
    after: str = Field(default="", description="Only where this procedure was done")
    later: LaterStudy | None = Field(default=None, description="Report of a repeat study")


class LabTest(Contract):
    """A laboratory test with its reference range."""

    name: str = Field(description="Name as printed")
    low: float = Field(description="Lower reference limit")
    high: float = Field(description="Upper reference limit")
    decimals: int = Field(description="Decimals printed")
    group: Literal["count", "chemistry", "liver", "mineral", "coagulation", "single"] = Field(
        description="Line it is printed on"
    )
    said: str = Field(description="Name in prose")
