"""Which labels are medicines, and which diagnoses are kinds of others."""

import pytest

from tasks.qa.kinds import names_drug
from tasks.qa.presence import RecordText


@pytest.mark.parametrize(
    ("label", "is_drug"),
    [
        ("furosemide", True),
        ("Lasix", True),
        ("intravenous iron sucrose", True),
        ("cefepime and vancomycin", True),
        ("telemetry monitoring", False),
        ("supplemental oxygen", False),
        ("two gram sodium diet", False),
        ("oral intake", False),
        ("anticoagulation", False),
        ("sedating drugs", False),
    ],
)
def test_only_drugs_are_called_medicines(label: str, is_drug: bool):
    assert names_drug(label) is is_drug


@pytest.mark.parametrize(
    ("asked", "had"),
    [
        ("Gastrointestinal hemorrhage", "Hemorrhage of anus and rectum"),
        ("Hemorrhage of anus and rectum", "Gastrointestinal bleeding"),
        ("Sepsis", "Infection of urinary tract"),
        ("Respiratory abnormalities", "Hypertension"),
        ("Ulcer of heel", "Gastrojejunal ulcers"),
        ("Malignant neoplasm of colon", "Lung cancer"),
        ("Acute renal failure", "Kidney transplant status"),
    ],
)
def test_a_broader_or_narrower_diagnosis_is_not_absent(asked: str, had: str):
    record = RecordText([], [had])
    assert not record.lacks(asked, "problem")
    assert record.lacks(asked, "symptom")


@pytest.mark.parametrize("had", ["Acute kidney failure", "Hypertension", "Atrial fibrillation"])
def test_a_diagnosis_of_another_kind_is_absent(had: str):
    assert RecordText([], [had]).lacks("Diastolic heart failure", "problem")
