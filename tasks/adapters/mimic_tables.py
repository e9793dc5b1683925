"""The MIMIC-IV v3.1 and MIMIC-IV-Note v2.2 files that are read, with their columns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MimicTable:
    """One file as documented by MIMIC: name, folder and every column."""

    name: str
    folder: str
    columns: tuple[str, ...]


_NOTE = "note_id subject_id hadm_id note_type note_seq charttime storetime text"
_TITLE = "icd_code icd_version long_title"

HOSP_TABLES = tuple(
    MimicTable(name, "hosp", tuple(columns.split()))
    for name, columns in (
        ("patients", "subject_id gender anchor_age anchor_year anchor_year_group dod"),
        (
            "admissions",
            "subject_id hadm_id admittime dischtime deathtime admission_type admit_provider_id"
            " admission_location discharge_location insurance language marital_status race"
            " edregtime edouttime hospital_expire_flag",
        ),
        ("d_icd_diagnoses", _TITLE),
        ("d_icd_procedures", _TITLE),
        ("diagnoses_icd", "subject_id hadm_id seq_num icd_code icd_version"),
        ("procedures_icd", "subject_id hadm_id seq_num chartdate icd_code icd_version"),
        (
            "microbiologyevents",
            "microevent_id subject_id hadm_id micro_specimen_id order_provider_id chartdate"
            " charttime spec_itemid spec_type_desc test_seq storedate storetime test_itemid"
            " test_name org_itemid org_name isolate_num quantity ab_itemid ab_name dilution_text"
            " dilution_comparison dilution_value interpretation comments",
        ),
    )
)
"""The tables below ``hosp/``, keys first."""

NOTE_TABLES = tuple(
    MimicTable(name, "note", tuple(_NOTE.split())) for name in ("discharge", "radiology")
)
"""The tables below ``note/``."""

NEEDED_TABLES = ("patients", "admissions", "diagnoses_icd", "discharge")
"""Tables that hold records in every source, however small."""
