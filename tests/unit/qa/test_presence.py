import pytest

from tasks.qa.presence import RecordText, admission_chunks
from tasks.terminology.normalization import words
from tests.factories.charts import make_admission, make_fact

RECORD = RecordText(
    words(chunk)
    for chunk in [
        "Patient with CHF and type 2 diabetes mellitus with kidney complications",
        "1. Lasix 40 mg PO DAILY",
        "metoprolol tartrate 25 mg PO BID",
        "URINE CULTURE",
        "CXR showed clear lungs",
        "pain in the chest wall",
    ]
)


@pytest.mark.parametrize(
    "label",
    [
        "heart failure",
        "furosemide",
        "metoprolol succinate",
        "urine culture",
        "urine cultures",
        "chest (portable ap)",
        "type 2 diabetes mellitus",
        "diabetes",
        "chest pain",
    ],
)
def test_a_mention_is_found_by_synonym_abbreviation_salt_and_most_words(label: str):
    assert RECORD.mentions(label)


@pytest.mark.parametrize(
    "label", ["warfarin", "blood culture", "atrial fibrillation", "colonoscopy", "ct head", "fever"]
)
def test_what_nothing_says_is_absent(label: str):
    assert not RECORD.mentions(label)


def test_notes_facts_and_turns_of_a_stay_are_all_searched():
    admission = make_admission(
        "80000001",
        "2150-06-01 10:00:00",
        "2150-06-04 10:00:00",
        [make_fact("lab", 1, "admission lactate", "2.1", point="admission", test="lactate")],
        note="History of gout.\nNo seizure.",
        unstated=[make_fact("allergy", 1, "penicillins", "rash", reaction="rash")],
    )
    text = RecordText(map(words, admission_chunks(admission)))
    assert text.mentions("gout")
    assert text.mentions("seizure")
    assert text.mentions("penicillins")
    assert text.mentions("lactate")
    assert not text.mentions("warfarin")
