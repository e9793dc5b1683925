"""How facts are put into words: complaints, symptoms, treatments, courses and lists."""

import re

import pytest

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.wording import lay_words, pools
from tests.factories.records import bundle, fact
from tests.unit.dialogue.test_composition import compose, stay_facts, turn_of


def complaint(value: str) -> Fact:
    return fact(FactKind.CHIEF_COMPLAINT, "chief complaint", value)


def treatment(label: str, action: str, **detail: str) -> Fact:
    return fact(FactKind.TREATMENT, label, "edema", 1, None, {"action": action, **detail})


SYMPTOMS = [
    fact(FactKind.HISTORY, "fatigue", "reported", 1),
    fact(FactKind.HISTORY, "anorexia", "reported", 2),
    fact(FactKind.HISTORY, "syncope", "denied", 3),
]


@pytest.mark.parametrize(
    ("value", "said"),
    [("abscess of liver", "abscess of liver"), ("anorexia", "loss of appetite")],
)
def test_patient_opens_with_the_chief_complaint(value: str, said: str) -> None:
    opening = compose([*stay_facts(), complaint(value), *SYMPTOMS]).conversation_lines[1].text
    assert said in opening
    assert "tiredness" not in opening


def test_patient_without_a_complaint_opens_with_what_was_reported() -> None:
    opening = compose([*stay_facts(), *SYMPTOMS]).conversation_lines[1].text
    assert "tiredness and loss of appetite" in opening.casefold()


def test_doctor_asks_for_symptoms_in_plain_words_with_the_term_beside_them() -> None:
    reply = compose([*stay_facts(), *SYMPTOMS])
    asked = reply.conversation_lines[turn_of(reply, "history:3").turn_number - 3].text
    for words in (
        "tiredness (fatigue)",
        "loss of appetite (anorexia)",
        "fainting spells (syncope)",
    ):
        assert words in asked


def test_lay_words_fit_behind_a_denial() -> None:
    odd = re.compile(r"^(?:an? |having |feeling |throwing )", re.IGNORECASE)
    assert [plain for plain in lay_words().values() if odd.match(plain)] == []


@pytest.mark.parametrize(
    ("told", "clause"),
    [
        (
            treatment("furosemide", "changed", to="torsemide 20 mg"),
            "furosemide was changed to torsem",
        ),
        (treatment("furosemide", "changed", dose="20 mg"), "furosemide was changed to 20 mg"),
        (treatment("insulin", "switched", dose="10 units"), "insulin was switched to 10 units"),
        (treatment("furosemide", "given", dose="40 mg"), "furosemide was given at a dose of 40 mg"),
        (treatment("two gram sodium diet", "started"), "a two gram sodium diet was started"),
        (treatment("heparin infusion", "started"), "a heparin infusion was started"),
        (treatment("insulin drip", "started"), "an insulin drip was started"),
        (treatment("two liters of normal saline", "given"), "saline were given"),
        (treatment("normal saline", "given"), "normal saline was given"),
    ],
)
def test_treatments_are_told_in_whole_words(told: Fact, clause: str) -> None:
    text = turn_of(compose([*stay_facts(), told]), "treatment:1").text
    assert clause in text.casefold()
    assert not re.search(r"[a-z:,] A ", text)


@pytest.mark.parametrize(
    ("value", "done"),
    [
        ("treated with supportive care", "it was treated with supportive care"),
        ("resolved with fluids", "it resolved with fluids"),
        ("given drops 5 mg once", "you were given drops 5 mg once"),
    ],
)
def test_courses_are_told_as_clauses(value: str, done: str) -> None:
    told = fact(FactKind.COURSE, "cough", value)
    assert done in turn_of(compose([*stay_facts(), told]), "course:1").text.casefold()


def test_lists_of_medicines_are_read_as_a_part() -> None:
    part = re.compile(r"among others|part|include|some|there is|I read|I come to|I'd point out")
    for pool in ("home_medication", "discharge_medication"):
        assert [text for text in pools()[pool] if not part.search(text)] == []
    claims = re.compile(
        r"\b(?:my list|the list, that|that's the list|nothing to correct there)\b", re.I
    )
    assert [text for text in pools()["home_medication_reply"] if claims.search(text)] == []


def test_other_diagnoses_do_not_refer_to_one_that_was_not_told() -> None:
    assert [text for text in pools()["secondary_diagnosis"] if re.search(r"\bmain\b", text)] == []
    assert not re.search(r"the only thing|beside it", " ".join(pools()["secondary_diagnosis"]))


def test_patients_replies_take_up_what_was_said() -> None:
    topical = [name for name in pools() if any("{topic}" in text for text in pools()[name])]
    assert {
        "thanks_about",
        "treatment_reply",
        "culture_reply",
        "imaging_reply",
        "course_reply",
    } <= set(topical)
    told = fact(FactKind.PROCEDURE, "Lumbar Puncture", "2150-06-02", 1)
    stays = [bundle(notes=[], hadm_id=f"880000{number}") for number in range(10, 40)]
    replies = [
        line.text.casefold()
        for stay in stays
        for line in compose([*stay_facts(), told], stay).conversation_lines
        if line.speaker == "Patient"
    ]
    assert any("lumbar puncture" in reply for reply in replies)
