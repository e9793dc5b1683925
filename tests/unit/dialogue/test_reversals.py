import pytest

from tasks.dialogue.reversals import reversal_violations
from tasks.ehr.facts import extract_facts
from tests.factories.dialogues import line
from tests.factories.records import patient, rich_bundle

STAY = rich_bundle()
FACTS = extract_facts(STAY, patient())


@pytest.mark.parametrize(
    "text",
    [
        "Ciprofloxacin was sensitive against Escherichia coli.",
        "So the germ is susceptible to ciprofloxacin.",
        "The respiratory culture showed no growth.",
        "The respiratory culture came back negative.",
        "Aspirin was stopped.",
        "We increased your lisinopril.",
        "Furosemide was reduced to protect the kidneys.",
        "Aspirin 81 mg twice daily.",
        "Take azithromycin every 8 hours.",
        "You are allergic to latex.",
        "You have no known allergies.",
        "I'm allergic to aspirin, doctor.",
    ],
)
def test_the_opposite_of_what_the_record_says_is_named(text: str) -> None:
    found = list(reversal_violations([line(1, text)], FACTS, STAY))
    assert [one.public for one in found] == ["reversed: turn 1"]


@pytest.mark.parametrize(
    "text",
    [
        "Ciprofloxacin tested resistant.",
        "Is ciprofloxacin sensitive?",
        "It isn't sensitive to ciprofloxacin.",
        "Ceftriaxone is fine, but ciprofloxacin is resistant.",
        "The urine culture showed no growth.",
        "The respiratory culture grew Escherichia coli, and the urine culture was negative.",
        "Lisinopril was held, and furosemide was increased.",
        "We started azithromycin and stopped lisinopril.",
        "Aspirin was not stopped.",
        "Aspirin 81 mg once a day, furosemide 80 mg twice daily.",
        "Furosemide 40 mg by mouth daily before, 80 mg twice daily now.",
        "Azithromycin 250 mg every 24 hours.",
        "We look at azithromycin again every morning.",
        "You are allergic to penicillin, with a rash.",
        "Are you allergic to latex?",
        "I'm not allergic to anything else.",
    ],
)
def test_what_the_record_says_questions_and_denials_are_none(text: str) -> None:
    assert not list(reversal_violations([line(1, text)], FACTS, STAY))
