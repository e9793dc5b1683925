import pytest

from tasks.dialogue.persons import death_violations, label_violations, name_violations
from tests.factories.dialogues import line
from tests.factories.records import bundle, discharge_note, radiology_note

STAY = bundle(
    notes=[discharge_note("Seen by Hematology. Blake drain placed. Follow up with ___.")],
    radiology=[radiology_note("Dobhoff tube in the stomach.")],
)


@pytest.mark.parametrize(
    "text",
    [
        "Nurse: here are your pills.",
        "I see. Patient: thank you.",
        "Doctor: Good morning.",
        "Good. **Daughter:** she fell again.",
        "Hello.\nNarrator: the door opens.",
        "Speaker 2: hello.",
        "[Nurse enters] Time for your pills.",
        "(the doctor's pager rings) (Nurse) Here.",
        "That is fine. *nods* See you.",
        "(sighs) I am so tired.",
    ],
)
def test_a_turn_holds_the_words_of_its_speaker_and_nothing_else(text: str) -> None:
    assert [one.public for one in label_violations([line(1, text)])] == ["speaker_in_text: turn 1"]


@pytest.mark.parametrize(
    "text",
    [
        "The nurse will bring them at eight.",
        "Your plan is this: rest, and call your doctor.",
        "The chest (portable AP) film was clear.",
        "I have it from the doctor (the one of yesterday).",
        "One thing for the family: visits end at eight.",
    ],
)
def test_persons_may_be_spoken_of(text: str) -> None:
    assert not list(label_violations([line(1, text)]))


@pytest.mark.parametrize(
    "text",
    [
        "Good morning, Mrs. Smith.",
        "I'm Dr. Johnson.",
        "Your nurse Kelly said so.",
        "My name is Mary.",
        "I live alone in Boston.",
        "We started Zorblaxin for that.",
    ],
)
def test_a_name_that_the_record_does_not_hold_is_invented(text: str) -> None:
    told = [one.public for one in name_violations([line(1, text)], STAY)]
    assert told == ["invented_name: turn 1"]


@pytest.mark.parametrize(
    "text",
    [
        "Good morning, doctor. How are you?",
        "Doctor, I feel better.",
        "Yes, Doctor. That helps.",
        "The drain, a Blake drain, stays until Friday.",
        "They put a Dobhoff tube in, and the people from Blake came.",
        "You take Lasix, and the culture grew Escherichia coli.",
        "My Mom comes at Christmas.",
        "You came through the Emergency Department, and Primary Care will see you.",
    ],
)
def test_names_of_the_record_of_medicine_and_of_everyday_life_are_none(text: str) -> None:
    assert not list(name_violations([line(1, text)], STAY))


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("You died on the third day.", True),
        ("Before you passed away we called your wife.", True),
        ("The patient expired at noon.", True),
        ("My mother died of it.", False),
        ("I thought I was dying.", False),
    ],
)
def test_nobody_speaks_with_the_dead(text: str, broken: bool) -> None:
    told = [one.public for one in death_violations([line(1, text)])]
    assert told == (["told_death: turn 1"] if broken else [])
