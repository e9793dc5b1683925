"""Factories of admission records: every field has a default, all content is invented."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from tasks.contracts.clock import parse_date, parse_time
from tasks.contracts.records import (
    AdmissionBundle,
    AdmissionRecord,
    AdmissionSummary,
    Diagnosis,
    DischargeNote,
    Fact,
    FactKind,
    MicrobiologyEvent,
    PatientContext,
    Procedure,
    RadiologyNote,
    SourceSpan,
    TimingRules,
)

SUBJECT = "99000001"
HADM = "88000001"
START = "2150-06-01 09:00:00"
END = "2150-06-05 16:30:00"

NOTE = """
Name:  ___                     Unit No:   ___

Admission Date:  ___              Discharge Date:   ___

Date of Birth:  ___             Sex:   F

Service: MEDICINE

Allergies:
Penicillins (rash) / Sulfa (Sulfonamide Antibiotics)

Attending: ___.

Chief Complaint:
Shortness of breath

Major Surgical or Invasive Procedure:
Thoracentesis ___

History of Present Illness:
___ year old woman with heart failure who presents with three days of
cough and shortness of breath. She denies fever, chills or chest
pain. She reports orthopnea but no nausea.

Past Medical History:
1. Hypertension
2. CAD s/p stent ___
3. Type 2 diabetes mellitus

Social History:
___

Physical Exam:
ADMISSION PHYSICAL EXAM:
VS: T 98.4, BP 152/84, HR 96, RR 22, O2 91% RA
GENERAL: comfortable

DISCHARGE PHYSICAL EXAM:
Vitals: 98.1 128/70 74 18 96% RA

Pertinent Results:
ADMISSION LABS:
___ 06:30AM BLOOD WBC-12.9* RBC-4.27 Hgb-10.1* Hct-31.0*
MCV-88 Plt ___
___ 06:30AM BLOOD Glucose-142* Creat-1.9* Na-138 K-4.0
___ 07:10AM BLOOD Creat-2.1*

DISCHARGE LABS:
___ 05:50AM BLOOD WBC-8.0 Hgb-10.4* Creat-1.2*

MICRO:
___ URINE CULTURE: no growth

Brief Hospital Course:
# Acute on chronic systolic heart failure: She was volume overloaded on
arrival and improved with intravenous diuretics. Furosemide was increased to 80 mg twice daily
because of persistent volume overload. Lisinopril was held due to her acute
kidney injury.

# Pneumonia: Ceftriaxone was started for 5 days. Azithromycin was started for
atypical coverage.

Medications on Admission:
The Preadmission Medication list is accurate and complete.
1. Furosemide 40 mg PO DAILY
2. Lisinopril 20 mg PO DAILY
3. Albuterol Inhaler 2 PUFF IH Q4H:PRN wheezing
4. Aspirin 81 mg PO DAILY

Discharge Medications:
1. Furosemide 80 mg PO BID
RX *furosemide 80 mg 1 tablet(s) by mouth twice a day Disp #*60
Tablet Refills:*0
2. Aspirin 81 mg PO DAILY
3. Albuterol Inhaler 2 PUFF IH Q4H:PRN wheezing
4. Azithromycin 250 mg PO Q24H

Discharge Disposition:
Home With Service

Facility:
___

Discharge Diagnosis:
Primary: Acute on chronic systolic heart failure

Discharge Condition:
Mental Status: Clear and coherent.
Level of Consciousness: Alert and interactive.
Activity Status: Ambulatory - Independent.

Discharge Instructions:
Dear Ms. ___,
You were admitted with shortness of breath. Weigh yourself every morning.
Please call your doctor if your weight goes up more than 3 lbs. Take
your antibiotics as ___ told you.

Followup Instructions:
Please follow up with cardiology in 2 weeks.
"""

RADIOLOGY = """EXAMINATION:  CHEST (PORTABLE AP)

INDICATION:  ___ year old woman with dyspnea

TECHNIQUE:  Single view.

COMPARISON:  ___.

FINDINGS:

The heart is enlarged.

IMPRESSION:

1. Moderate right pleural effusion.
2. Findings were discussed with Dr. ___.
"""


def discharge_note(text: str = NOTE, sequence: int = 1) -> DischargeNote:
    return DischargeNote(
        note_id=f"{SUBJECT}-DS-{sequence}",
        note_seq=sequence,
        charttime=parse_time("2150-06-05 00:00:00"),
        storetime=parse_time("2150-06-06 10:00:00"),
        text=text,
    )


def radiology_note(
    text: str = RADIOLOGY, charttime: str | None = "2150-06-02 10:15:00", sequence: int = 1
) -> RadiologyNote:
    return RadiologyNote(
        note_id=f"{SUBJECT}-RR-{sequence}",
        charttime=parse_time(charttime) if charttime else None,
        storetime=None,
        text=text,
    )


def diagnosis(
    title: str = "Acute on chronic systolic (congestive) heart failure",
    sequence: int = 1,
    code: str = "I5023",
    version: int = 10,
    time: str = "2150-06-05 16:00:00",
) -> Diagnosis:
    return Diagnosis(
        seq_num=sequence,
        icd_code=code,
        icd_version=version,
        long_title=title,
        normalized_time=parse_time(time),
        time_provenance="discharge_phase_anchor",
    )


def procedure(
    title: str = "Drainage of Right Pleural Cavity, Percutaneous Approach",
    chartdate: str = "2150-06-03",
    sequence: int = 1,
    code: str = "0W993ZX",
) -> Procedure:
    return Procedure(
        seq_num=sequence,
        chartdate=parse_date(chartdate),
        icd_code=code,
        icd_version=10,
        long_title=title,
        normalized_time=parse_time(f"{chartdate} 12:00:00"),
        time_provenance="date_only_normalized",
    )


def microbiology(
    time: str = "2150-06-02 08:00:00",
    specimen: str = "URINE",
    test: str = "URINE CULTURE",
    organism: str = "",
    antibiotic: str = "",
    interpretation: str = "",
    comments: str = "",
) -> MicrobiologyEvent:
    return MicrobiologyEvent(
        chartdate=parse_date(time[:10]),
        charttime=parse_time(time),
        normalized_time=parse_time(time),
        time_provenance="recorded",
        spec_type_desc=specimen,
        test_name=test,
        org_name=organism,
        ab_name=antibiotic,
        interpretation=interpretation,
        comments=comments,
    )


def timing_rules(conversation_end: datetime) -> TimingRules:
    return TimingRules(
        admission_end_source="dischtime",
        conversation_end=conversation_end,
        diagnosis_window_minutes=60,
    )


def summary(
    paragraph: str = "The stay was for shortness of breath.",
    problems: Sequence[str] = ("pneumonia",),
    start: str = "2149-12-01 08:00:00",
    end: str = "2149-12-04 12:00:00",
) -> AdmissionSummary:
    return AdmissionSummary(
        admission_start=parse_time(start),
        admission_end=parse_time(end),
        summary_paragraph=paragraph,
        problems=tuple(problems),
    )


def bundle(
    notes: Sequence[DischargeNote] | None = None,
    radiology: Sequence[RadiologyNote] = (),
    diagnoses: Sequence[Diagnosis] = (),
    procedures: Sequence[Procedure] = (),
    microbiology_events: Sequence[MicrobiologyEvent] = (),
    previous: AdmissionSummary | None = None,
    start: str = START,
    end: str = END,
    conversation_end: str | None = None,
    hadm_id: str = HADM,
) -> AdmissionBundle:
    return AdmissionBundle(
        subject_id=SUBJECT,
        hadm_id=hadm_id,
        admission_start=parse_time(start),
        admission_end=parse_time(end),
        previous_admission_summary=previous,
        discharge_notes=(discharge_note(),) if notes is None else tuple(notes),
        radiology_notes=tuple(radiology),
        diagnoses=tuple(diagnoses),
        procedures=tuple(procedures),
        microbiology=tuple(microbiology_events),
        timing_rules=timing_rules(parse_time(conversation_end or end)),
    )


def rich_bundle(previous: AdmissionSummary | None = None) -> AdmissionBundle:
    """A bundle with something in every list."""
    return bundle(
        radiology=[radiology_note()],
        diagnoses=[
            diagnosis(time="2150-06-05 15:45:00"),
            diagnosis("Pneumonia, unspecified organism", 2, "J189"),
            diagnosis("Acute kidney failure, unspecified", 3, "N179", time="2150-06-05 16:15:00"),
        ],
        procedures=[procedure()],
        microbiology_events=[
            microbiology(comments="NO GROWTH."),
            microbiology(
                "2150-06-02 09:00:00",
                "SPUTUM",
                "RESPIRATORY CULTURE",
                "ESCHERICHIA COLI",
                "CIPROFLOXACIN",
                "R",
            ),
        ],
        previous=previous,
    )


def patient(
    gender: str = "F", age_years: int | None = 71, died_in_hospital: bool = False
) -> PatientContext:
    return PatientContext.model_validate(
        {"gender": gender, "age_years": age_years, "died_in_hospital": died_in_hospital}
    )


def fact(
    kind: FactKind = FactKind.HOME_MEDICATION,
    label: str = "furosemide",
    value: str = "40 mg by mouth daily",
    number: int = 1,
    time: datetime | None = None,
    detail: dict[str, str] | None = None,
) -> Fact:
    return Fact(
        fact_id=f"{kind.value}:{number}",
        kind=kind,
        label=label,
        value=value,
        time=time,
        detail=detail or {},
        source=SourceSpan(table="discharge", item=f"{SUBJECT}-DS-1"),
    )


def record(
    admission: AdmissionBundle | None = None,
    context: PatientContext | None = None,
    facts: Sequence[Fact] = (),
) -> AdmissionRecord:
    return AdmissionRecord(
        bundle=admission or bundle(), patient=context or patient(), facts=tuple(facts)
    )


def hours_after(start: str, hours: float) -> str:
    """A time as text, some hours after another."""
    return (parse_time(start) + timedelta(hours=hours)).isoformat(sep=" ")
