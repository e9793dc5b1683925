"""A patient with two short stays that have little in common, for models that write for minutes."""

from __future__ import annotations

from pathlib import Path

from tests.factories.mimic_tree import mimic_row, patient, with_stay, write_mimic_tree

_SECOND_NOTE = """
Name:  ___                     Unit No:   ___

Admission Date:  ___              Discharge Date:   ___

Chief Complaint:
Flank pain

History of Present Illness:
___ with two days of fever and flank pain. No cough.

Brief Hospital Course:
# Urinary tract infection:
Treated with ciprofloxacin 500 mg twice daily because of fever and flank pain.

# Hypertension:
Started lisinopril 10 mg daily because of high blood pressure.

Discharge Medications:
1. Ciprofloxacin 500 mg PO BID
2. Lisinopril 10 mg PO DAILY

Discharge Instructions:
Finish the antibiotic.

Followup Instructions:
See your primary care doctor in one week.
"""

_INFECTION = mimic_row(
    "d_icd_diagnoses",
    icd_code="5990",
    icd_version="9",
    long_title="Urinary tract infection, site not specified",
)


def write_two_stays(root: Path) -> Path:
    """Write the patient's tree: pneumonia, and a year later a urinary tract infection."""
    owner = with_stay(
        patient(1),
        2,
        notes=(_SECOND_NOTE,),
        reports=("EXAMINATION: Renal ultrasound.\n\nIMPRESSION: No hydronephrosis.\n",),
        diagnoses=(("5990", "9"), ("4019", "9")),
        procedures=(),
        cultures=("BLOOD CULTURE",),
    )
    return write_mimic_tree(root, (owner,), {"d_icd_diagnoses": [_INFECTION]})
