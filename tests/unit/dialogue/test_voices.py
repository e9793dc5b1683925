import pytest

from tasks.dialogue.voices import voice_violations
from tests.factories.dialogues import line


def heard(speaker: str, text: str) -> list[tuple[str, str]]:
    found = voice_violations([line(1, "Good morning."), line(2, text, speaker=speaker)])
    return [(one.public, one.told) for one in found]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("My COPD has been acting up.", "My COPD has been acting up"),
        ("I have been coughing for days.", "I have been coughing"),
        ("Well, my chest hurts.", "my chest"),
        ("I'm short of breath.", "I'm short of breath"),
        ("I was admitted last week.", "I was admitted"),
        ("I take metoprolol.", "I take metoprolol"),
        ("I have a history of asthma.", "I have a history of asthma"),
        ("I have been having chest pain.", "I have been having chest pain"),
        ("I can't sleep.", "I can't sleep"),
        ("I've had a severe headache.", "I've had a severe headache"),
        ("It rattles, doctor.", ", doctor"),
    ],
)
def test_a_doctor_who_speaks_as_the_patient_is_heard(text: str, quoted: str) -> None:
    assert heard("Doctor", text) == [
        (
            "doctor_as_patient: turn 2",
            f"turn 2 lets the doctor say `{quoted}`, as if the doctor were the patient",
        )
    ]
    assert not heard("Patient", text)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Your X-ray shows pneumonia.", "Your X-ray shows"),
        ("Your blood cultures came back clear.", "Your blood cultures came back"),
        ("We will start you on antibiotics.", "We will start you"),
        ("Let me listen to your lungs.", "Let me listen to your"),
        ("I'm going to prescribe you something.", "I'm going to prescribe you"),
        ("You have pneumonia.", "You have pneumonia"),
        ("You were admitted today.", "You were admitted"),
    ],
)
def test_a_patient_who_speaks_as_the_doctor_is_heard(text: str, quoted: str) -> None:
    assert heard("Patient", text) == [
        (
            "patient_as_doctor: turn 2",
            f"turn 2 lets the patient say `{quoted}`, as if the patient were the doctor",
        )
    ]
    assert not heard("Doctor", text)


@pytest.mark.parametrize(
    "text",
    [
        "My heart goes out to you.",
        "Please see the nurse, doctor or midwife at home.",
        "I have your CT results.",
        "I have seen pneumonia like this before.",
        "I have reviewed your medications.",
        "My concern is the infection in your leg.",
        "In my opinion the pneumonia is resolving.",
        'You told me "my chest hurts".',
        "My plan is furosemide 40 mg daily.",
        "I'm concerned about your heart failure.",
    ],
)
def test_a_doctor_may_speak_of_the_work(text: str) -> None:
    assert not heard("Doctor", text)


@pytest.mark.parametrize(
    "text",
    [
        "What did your tests show?",
        "I'll give you a call.",
        "We will see you in two weeks.",
        "Your explanation was clear.",
        "I will start the pills as you said.",
    ],
)
def test_a_patient_may_speak_to_the_doctor(text: str) -> None:
    assert not heard("Patient", text)


def test_swapped_speakers_are_heard_in_the_whole_dialogue() -> None:
    said = [
        ("Patient", "What brings you in today?"),
        ("Doctor", "My chest hurts and I have been coughing for days."),
        ("Patient", "Your X-ray shows pneumonia."),
        ("Doctor", "I can't sleep."),
        ("Patient", "Good to know."),
    ]
    lines = [line(turn, text, speaker=speaker) for turn, (speaker, text) in enumerate(said, 1)]
    assert next(one.place for one in voice_violations(lines)) == "whole"
    other = {"Doctor": "Patient", "Patient": "Doctor"}
    right = [line(turn, text, speaker=other[who]) for turn, (who, text) in enumerate(said, 1)]
    assert not list(voice_violations(right))
