"""An invented stay in the manner of a real chart, and how a fluent speaker would tell of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tasks.audit.grounding.terms import ReleaseTerms, build_terms
from tasks.audit.grounding.turns import audit_turns
from tasks.contracts.audit import AuditSession, Claim, TurnAudit
from tasks.contracts.dialogue import ConversationLine
from tasks.contracts.records import AdmissionBundle

NOTE = (Path(__file__).parent / "grounding_note.txt").read_text(encoding="utf-8")

RADIOLOGY = """EXAMINATION:  CHEST (PA AND LAT)

INDICATION:  ___ year old man with dyspnea  // eval for PNA, edema

FINDINGS:

Cardiomegaly is severe. Moderate right and trace left pleural effusions. No pneumothorax.

IMPRESSION:

Pulmonary edema with moderate right pleural effusion.
"""

TITLES = (
    "Acute on chronic systolic (congestive) heart failure",
    "Acute kidney failure, unspecified",
    "Urinary tract infection, site not specified",
    "Chronic atrial fibrillation",
    "Chronic obstructive pulmonary disease, unspecified",
    "Type 2 diabetes mellitus with diabetic chronic kidney disease",
)


@cache
def chart() -> AdmissionBundle:
    """A stay from 2155-04-10 to 2155-04-18; its ids hold numbers that its text doesn't."""
    return AdmissionBundle.model_validate(
        {
            "subject_id": "77123456",
            "hadm_id": "88654321",
            "admission_start": "2155-04-10 14:20:00",
            "admission_end": "2155-04-18 13:05:00",
            "previous_admission_summary": {
                "admission_start": "2154-11-02 10:00:00",
                "admission_end": "2154-11-05 12:00:00",
                "summary_paragraph": "Admitted on 2154-11-02 with COPD exacerbation, treated "
                "with prednisone 40 mg for 5 days and azithromycin.",
                "problems": ["COPD exacerbation"],
            },
            "discharge_notes": [
                {
                    "note_id": "77123456-DS-67",
                    "note_seq": 67,
                    "charttime": "2155-04-18 00:00:00",
                    "storetime": "2155-04-18 17:00:00",
                    "text": NOTE,
                }
            ],
            "radiology_notes": [
                {
                    "note_id": "77123456-RR-93",
                    "charttime": "2155-04-10 16:02:00",
                    "storetime": None,
                    "text": RADIOLOGY,
                }
            ],
            "diagnoses": [
                {
                    "seq_num": number,
                    "icd_code": "I5023",
                    "icd_version": 10,
                    "long_title": title,
                    "normalized_time": "2155-04-18 12:30:00",
                    "time_provenance": "discharge_phase_anchor",
                }
                for number, title in enumerate(TITLES, start=1)
            ],
            "procedures": [
                {
                    "seq_num": 1,
                    "chartdate": "2155-04-12",
                    "icd_code": "0W993ZX",
                    "icd_version": 10,
                    "long_title": "Drainage of Right Pleural Cavity, Percutaneous Approach",
                    "normalized_time": "2155-04-12 12:00:00",
                    "time_provenance": "date_only_normalized",
                }
            ],
            "microbiology": [
                {
                    "chartdate": "2155-04-11",
                    "charttime": "2155-04-11 17:00:00",
                    "normalized_time": "2155-04-11 17:00:00",
                    "time_provenance": "recorded",
                    "spec_type_desc": "URINE",
                    "test_name": "URINE CULTURE",
                    "org_name": "ESCHERICHIA COLI",
                    "ab_name": "CEFTRIAXONE",
                    "interpretation": "S",
                    "comments": "",
                }
            ],
            "timing_rules": {
                "admission_end_source": "dischtime",
                "conversation_end": "2155-04-18 13:05:00",
                "diagnosis_window_minutes": 60,
            },
        }
    )


@cache
def terms() -> ReleaseTerms:
    """The names of the stay."""
    return build_terms([chart()])


def session(
    *texts: str, time: str = "2155-04-16 10:00:00", bundle: AdmissionBundle | None = None
) -> AuditSession:
    """Turns said at one time of the stay."""
    record = bundle or chart()
    return AuditSession(
        hadm_id=record.hadm_id,
        admission_start=record.admission_start,
        admission_end=record.admission_end,
        lines=tuple(
            ConversationLine.model_validate(
                {"turn_number": number, "time": time, "speaker": "Doctor", "text": text}
            )
            for number, text in enumerate(texts, start=1)
        ),
        bundle=record,
    )


def audited(text: str, *, time: str = "2155-04-16 10:00:00") -> TurnAudit:
    """What the audit sees in one turn of the stay."""
    return audit_turns(session(text, time=time), terms())[0]


def unsupported(text: str, *, time: str = "2155-04-16 10:00:00") -> list[tuple[str, str]]:
    """Kind and words of each claim of a turn that the stay's record doesn't bear out."""
    found: tuple[Claim, ...] = audited(text, time=time).unsupported
    return [(claim.kind, claim.text) for claim in found]
