"""What is known about one admission: the bundle of source rows and the facts drawn from it."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.clock import Day, Timestamp

TimeProvenance = Literal["recorded", "date_only_normalized", "discharge_phase_anchor"]
"""How an event's time is known: as recorded, a date set to noon, or spread before discharge."""


class DischargeNote(Contract):
    """A discharge summary (MIMIC-IV-Note ``discharge``)."""

    note_id: str = Field(description="MIMIC note_id, for example 10000032-DS-21")
    note_seq: int | None = Field(description="Order of the note among the patient's, as charted")
    charttime: Timestamp | None = Field(description="Day of discharge at 00:00:00 in MIMIC")
    storetime: Timestamp | None = Field(
        description="When the note was stored; may precede charttime"
    )
    text: str = Field(description="The note, with ___ where identifiers were removed")


class RadiologyNote(Contract):
    """A radiology report (MIMIC-IV-Note ``radiology``) linked to the admission by hadm_id."""

    note_id: str = Field(description="MIMIC note_id, for example 10000032-RR-14")
    charttime: Timestamp | None = Field(description="When the examination was made")
    storetime: Timestamp | None = Field(description="When the report was stored")
    text: str = Field(description="The report, with ___ where identifiers were removed")


class Diagnosis(Contract):
    """A billed diagnosis (MIMIC-IV ``diagnoses_icd`` with its title)."""

    seq_num: int = Field(description="Priority of the diagnosis within the stay, from 1")
    icd_code: str = Field(description="ICD code as text; leading zeros matter")
    icd_version: int = Field(description="9 or 10")
    long_title: str = Field(description="Title from d_icd_diagnoses; empty where unknown")
    normalized_time: Timestamp = Field(description="Assigned time in the last hour of the stay")
    time_provenance: TimeProvenance = Field(description="Always discharge_phase_anchor")


class Procedure(Contract):
    """A billed procedure (MIMIC-IV ``procedures_icd`` with its title)."""

    seq_num: int = Field(description="Priority of the procedure within the stay, from 1")
    chartdate: Day = Field(description="Day of the procedure")
    icd_code: str = Field(description="ICD code as text; leading zeros matter")
    icd_version: int = Field(description="9 or 10")
    long_title: str = Field(description="Title from d_icd_procedures; empty where unknown")
    normalized_time: Timestamp = Field(description="chartdate at 12:00:00")
    time_provenance: TimeProvenance = Field(description="Always date_only_normalized")


class MicrobiologyEvent(Contract):
    """One row of MIMIC-IV ``microbiologyevents``: a test, an isolate or a susceptibility."""

    chartdate: Day | None = Field(description="Day the specimen was taken")
    charttime: Timestamp | None = Field(description="Time the specimen was taken, where charted")
    normalized_time: Timestamp = Field(description="charttime, else chartdate at 12:00:00")
    time_provenance: TimeProvenance = Field(description="recorded or date_only_normalized")
    spec_type_desc: str = Field(description="Specimen, for example URINE")
    test_name: str = Field(description="Test, for example URINE CULTURE")
    org_name: str = Field(description="Organism grown; empty where none")
    ab_name: str = Field(description="Antibiotic tested; empty where none")
    interpretation: str = Field(description="S, I, R or P; empty where none")
    comments: str = Field(description="Free-text result; empty where none")


class TimingRules(Contract):
    """The written rules behind the bundle's times, and the window in which turns may lie."""

    admission_end_source: Literal["dischtime", "discharge_charttime", "discharge_storetime"] = (
        Field(description="Which time the admission's end was taken from")
    )
    conversation_end: Timestamp = Field(
        description="Last moment the patient can speak: admission_end, or death if earlier"
    )
    date_only_time: Literal["12:00:00"] = Field(
        default="12:00:00", description="Time of day given to events known by date only"
    )
    diagnosis_window_minutes: int = Field(
        description="Minutes before admission_end over which the diagnoses are spread"
    )


class AdmissionSummary(Contract):
    """The summary of one admission that the next admission's dialogue can refer to."""

    admission_start: Timestamp = Field(description="Equal to the bundle's admission_start")
    admission_end: Timestamp = Field(description="Equal to the bundle's admission_end")
    summary_paragraph: str = Field(min_length=1, description="One paragraph of prose")
    problems: tuple[str, ...] = Field(description="The stay's problems, most important first")


class AdmissionBundle(Contract):
    """All source rows of one eligible admission (``formed_packet.json``; spec section 4)."""

    subject_id: str = Field(description="MIMIC patient id")
    hadm_id: str = Field(description="MIMIC admission id")
    admission_start: Timestamp = Field(description="admittime")
    admission_end: Timestamp = Field(description="dischtime, else the latest discharge-note time")
    previous_admission_summary: AdmissionSummary | None = Field(
        description="summary.json of the patient's previous eligible admission; null for the first"
    )
    discharge_notes: tuple[DischargeNote, ...] = Field(
        description="By note_seq, charttime, storetime, note_id"
    )
    radiology_notes: tuple[RadiologyNote, ...] = Field(
        description="By charttime, storetime, note_id"
    )
    diagnoses: tuple[Diagnosis, ...] = Field(description="By seq_num, icd_version, icd_code")
    procedures: tuple[Procedure, ...] = Field(description="By chartdate, seq_num, version, code")
    microbiology: tuple[MicrobiologyEvent, ...] = Field(
        description="By normalized_time, then every other field"
    )
    timing_rules: TimingRules = Field(description="How the times above were made")


class PatientContext(Contract):
    """What the dialogue needs to know about the patient beside the bundle (``patients``)."""

    gender: Literal["F", "M", ""] = Field(description="For pronouns; empty where not recorded")
    age_years: int | None = Field(
        description="Age at admission: anchor_age + admission year - anchor_year (91 means over 89)"
    )
    died_in_hospital: bool = Field(description="The stay ended with the patient's death")


class FactKind(StrEnum):
    """Kinds of facts that a stay's dialogue can state and a question can ask about."""

    STAY = "stay"
    CHIEF_COMPLAINT = "chief_complaint"
    HISTORY = "history"
    PAST_CONDITION = "past_condition"
    ALLERGY = "allergy"
    HOME_MEDICATION = "home_medication"
    EXAM = "exam"
    LAB = "lab"
    IMAGING = "imaging"
    PROCEDURE = "procedure"
    CULTURE = "culture"
    SUSCEPTIBILITY = "susceptibility"
    TREATMENT = "treatment"
    COURSE = "course"
    DIAGNOSIS = "diagnosis"
    MEDICATION_CHANGE = "medication_change"
    DISCHARGE_MEDICATION = "discharge_medication"
    DISPOSITION = "disposition"
    CONDITION = "condition"
    INSTRUCTION = "instruction"
    FOLLOW_UP = "follow_up"


class SourceSpan(Contract):
    """Where a fact stands in the bundle."""

    table: str = Field(description="discharge, radiology, diagnoses_icd, … or admissions")
    item: str = Field(description="note_id, or the row's position in the bundle's list, from 0")
    section: str = Field(default="", description="Heading of the note section; empty elsewhere")
    start: int | None = Field(default=None, description="First character in the note's text")
    end: int | None = Field(default=None, description="One past the last character")


class Fact(Contract):
    """One statement of the record: a target that can be asked for and the value it has.

    ``label`` and ``value`` hold no ``___``, no identifier and no line break, and are spoken and
    compared verbatim. ``value`` has at most 10 words for every kind that questions ask about.
    """

    fact_id: str = Field(description="Unique within the admission, for example culture:3")
    kind: FactKind = Field(description="What sort of statement this is")
    label: str = Field(
        description="What the fact is about, for example furosemide or urine culture"
    )
    value: str = Field(description="What is so about it, for example 40 mg by mouth daily")
    time: Timestamp | None = Field(
        description="When the event happened; null where the record gives no time"
    )
    detail: dict[str, str] = Field(
        default_factory=dict, description="Parts of the fact by name, for example dose, reason"
    )
    source: SourceSpan = Field(description="Where the record says so")


class AdmissionRecord(Contract):
    """A staged admission: the bundle, the patient's context and the facts drawn from both."""

    bundle: AdmissionBundle = Field(description="The source rows")
    patient: PatientContext = Field(description="Pronouns, age, outcome")
    facts: tuple[Fact, ...] = Field(description="Facts in the order of the story")
