import pytest

from tasks.dialogue.undocumented import undocumented_violations
from tests.factories.dialogues import line
from tests.factories.records import bundle, discharge_note, summary

SILENT = bundle([discharge_note("Cough for three days. Social History: ___")])
TOLD = bundle(
    [
        discharge_note(
            "She quit tobacco; no EtOH. Fell at home. cTropnT-0.02. To the MICU, then SNF. %HbA1c-7"
        )
    ]
)
TURNS = {
    "I smoke a pack a day.": "smoking",
    "I've never smoked, doctor.": "smoking",
    "You drink six beers a day.": "alcohol",
    "I fell down the stairs.": "a fall",
    "You were in the ICU for two days.": "intensive care",
    "You'll go to a nursing home.": "a nursing home",
    "Your troponin was elevated.": "troponin",
    "Your A1c was high.": "hemoglobin A1c",
}


@pytest.mark.parametrize(("text", "subject"), TURNS.items())
def test_what_a_record_does_not_say_a_word_of_is_not_told(text: str, subject: str) -> None:
    (found,) = undocumented_violations([line(1, text)], SILENT)
    assert found.public == f"undocumented ({subject}): turn 1"
    assert found.place == 1


@pytest.mark.parametrize("text", TURNS)
def test_what_it_says_in_other_words_may_be(text: str) -> None:
    assert not list(undocumented_violations([line(1, text)], TOLD))


@pytest.mark.parametrize(
    "text",
    [
        "Do you smoke, or drink alcohol?",
        "I couldn't fall asleep.",
        "It began last fall.",
        "Everything falls into place.",
    ],
)
def test_questions_and_other_meanings_tell_nothing(text: str) -> None:
    assert not list(undocumented_violations([line(1, text)], SILENT))


def test_what_was_told_of_the_previous_stay_may_be_told_again() -> None:
    previous = summary("He was sent to rehab.")
    later = SILENT.model_copy(update={"previous_admission_summary": previous})
    turns = [line(1, "Last time you went to rehab.")]
    assert list(undocumented_violations(turns, SILENT))
    assert not list(undocumented_violations(turns, later))
