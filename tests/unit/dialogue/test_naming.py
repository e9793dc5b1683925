import pytest

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.complaints import felt, some
from tasks.dialogue.naming import lowered, picture, short_name, topic_of, with_capitals, with_comma
from tasks.dialogue.visits import visit_clause
from tests.factories.records import fact


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("chest (PA and lateral)", "chest (PA and lateral) film"),
        ("foot AP, lateral and oblique", "foot AP, lateral and oblique film"),
        ("CT head without contrast", "CT head without contrast"),
        ("renal ultrasound", "renal ultrasound"),
        ("Renal ultrasound", "renal ultrasound"),
    ],
)
def test_films_are_called_films(label: str, said: str) -> None:
    assert picture(label) == said


@pytest.mark.parametrize(
    ("told", "topic"),
    [
        (fact(FactKind.IMAGING, "CT head without contrast", "No bleed"), "the CT"),
        (fact(FactKind.IMAGING, "chest (PA and lateral)", "Clear"), "the film"),
        (fact(FactKind.LAB, "admission hemoglobin", "9.3"), "the hemoglobin"),
        (fact(FactKind.CULTURE, "blood culture, routine", "no growth"), "the blood culture"),
        (fact(FactKind.TREATMENT, "heparin infusion", "clot"), "the heparin infusion"),
        (fact(FactKind.TREATMENT, "aspirin", "pain"), "aspirin"),
        (fact(FactKind.PAST_CONDITION, "status post paracentesis", "x"), "paracentesis"),
        (fact(FactKind.FOLLOW_UP, "cardiology clinic", "in one week"), "the cardiology clinic"),
        (fact(FactKind.FOLLOW_UP, "primary care", "in one week"), "primary care"),
        (
            fact(FactKind.DIAGNOSIS, "Obstructive sleep apnea (adult) (pediatric)", "secondary"),
            "obstructive sleep apnea",
        ),
        (
            fact(FactKind.DIAGNOSIS, "Acute on chronic systolic (congestive) heart failure", "x"),
            "acute on chronic systolic (congestive) heart failure",
        ),
        (
            fact(
                FactKind.PROCEDURE, "Insertion of Infusion Device into Right Atrium", "2150-06-02"
            ),
            "the procedure",
        ),
        (
            fact(
                FactKind.SUSCEPTIBILITY,
                "cefazolin against Escherichia coli",
                "sensitive",
                detail={"antibiotic": "cefazolin"},
            ),
            "cefazolin",
        ),
    ],
)
def test_what_a_reply_calls_the_matter_of_a_turn(told: Fact, topic: str) -> None:
    assert topic_of(told) == topic


def test_advice_and_headings_have_no_name() -> None:
    for kind in (FactKind.INSTRUCTION, FactKind.CONDITION, FactKind.STAY):
        assert short_name(fact(kind, "do not smoke", "do not smoke")) == ""


def test_abbreviations_and_asides() -> None:
    assert with_capitals("inr, vitamin d, oxycodone sr and probnp") == (
        "INR, vitamin D, oxycodone SR and proBNP"
    )
    assert with_capitals("a fair share of iron") == "a fair share of iron"
    assert with_comma("blood culture, routine") == "blood culture, routine,"
    assert with_comma("urine culture") == "urine culture"
    assert [lowered(text) for text in ("A drip was", "Because of", "IV fluids")] == [
        "a drip was",
        "because of",
        "IV fluids",
    ]


@pytest.mark.parametrize(
    ("label", "value", "clause"),
    [
        ("cardiology clinic", "within two weeks", "go to the cardiology clinic within two weeks"),
        ("primary care", "within one week", "see primary care within one week"),
        ("repeat creatinine", "within one week", "have a repeat creatinine within one week"),
        ("echocardiogram", "in one month", "have an echocardiogram in one month"),
        ("cardiology", "follow-up", "have follow-up with cardiology"),
    ],
)
def test_visits_are_told_as_something_to_do(label: str, value: str, clause: str) -> None:
    assert visit_clause(fact(FactKind.FOLLOW_UP, label, value)) == clause


@pytest.mark.parametrize(
    ("reason", "is_felt"),
    [
        ("poor sleep", True),
        ("persistent radiating pain", True),
        ("daytime drowsiness", True),
        ("alcohol cravings", True),
        ("malaise", True),
        ("rising creatinine", False),
        ("pneumonia", False),
        ("no pain on movement", False),
        ("risk of constipation", False),
        ("cough with a positive culture", False),
        ("volume depletion from diarrhea", False),
    ],
)
def test_only_the_patient_can_tell_what_is_felt(reason: str, is_felt: bool) -> None:
    assert felt(reason, {"malaise"}) is is_felt


@pytest.mark.parametrize(
    ("complaint", "said"),
    [
        ("headache", "a headache"),
        ("itchy rash", "an itchy rash"),
        ("pain after a fall", "pain after a fall"),
        ("fever and headache", "fever and headache"),
        ("weakness", "weakness"),
    ],
)
def test_complaints_that_can_be_counted_take_an_article(complaint: str, said: str) -> None:
    assert some(complaint) == said


@pytest.mark.parametrize(
    ("label", "topic"),
    [
        ("Encounter for antineoplastic chemotherapy", "that diagnosis"),
        ("Hyperpotassemia", "that diagnosis"),
        (
            "Diabetes with ketoacidosis, type II or unspecified type, uncontrolled",
            "diabetes with ketoacidosis",
        ),
        ("Pneumonia", "pneumonia"),
    ],
)
def test_patients_do_not_talk_like_coders(label: str, topic: str) -> None:
    assert topic_of(fact(FactKind.DIAGNOSIS, label, "secondary")) == topic
