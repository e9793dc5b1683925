"""How facts are put into words: complaints, symptoms, treatments, courses and lists."""

import re

import pytest

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.pools import lay_words, pools
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


def test_what_happened_once_is_not_put_up_with() -> None:
    for number in range(10, 40):
        admission = bundle(notes=[], hadm_id=f"880000{number}")
        said = compose([*stay_facts(), complaint("fall")], admission).conversation_lines[1].text
        assert "a fall" in said
        assert not re.search(r"put up with|settle by itself|wait things out", said)


def test_patient_without_a_complaint_opens_with_what_was_reported() -> None:
    opening = compose([*stay_facts(), *SYMPTOMS]).conversation_lines[1].text
    assert "tiredness and loss of appetite" in opening.casefold()


def test_doctor_asks_in_plain_words_for_what_the_patient_has_not_named() -> None:
    reply = compose([*stay_facts(), complaint("fatigue"), *SYMPTOMS])
    recap = turn_of(reply, "history:3")
    _, asked, answer = reply.conversation_lines[recap.turn_number - 4 : recap.turn_number - 1]
    assert "loss of appetite or fainting spells" in asked.text
    assert asked.touches == ("history:2", "history:3")
    assert "loss of appetite" in answer.text.casefold()
    assert "tiredness" in answer.text.casefold()
    assert answer.touches == ("history:1", "history:2", "history:3")
    assert "you reported fatigue and anorexia, and you denied syncope" in recap.text


def test_lay_words_fit_behind_a_denial() -> None:
    odd = re.compile(r"^(?:an? |having |feeling |throwing )", re.IGNORECASE)
    assert [plain for plain in lay_words().values() if odd.match(plain)] == []


@pytest.mark.parametrize(
    ("told", "clause"),
    [
        (
            treatment("furosemide", "changed", to="torsemide 20 mg"),
            r"(?:furosemide was changed|we changed furosemide) to torsemide 20 mg",
        ),
        (
            treatment("furosemide", "changed", dose="20 mg"),
            r"(?:furosemide was changed|we changed furosemide) to 20 mg",
        ),
        (
            treatment("insulin", "switched", dose="10 units"),
            r"(?:insulin was switched|we switched insulin) to 10 units",
        ),
        (treatment("furosemide", "given", dose="40 mg"), "furosemide was given at 40 mg"),
        (treatment("two gram sodium diet", "given"), "a two gram sodium diet was given"),
        (treatment("heparin infusion", "given"), "a heparin infusion was given"),
        (treatment("insulin drip", "started"), r"an insulin drip was started|started an insulin d"),
        (
            treatment("lisinopril", "held", dose="5 mg"),
            r"lisinopril was held \(5 mg\)|held lisinop",
        ),
        (treatment("two liters of normal saline", "given"), "saline were given"),
        (treatment("normal saline", "given"), "normal saline was given"),
    ],
)
def test_treatments_are_told_in_whole_words(told: Fact, clause: str) -> None:
    text = turn_of(compose([*stay_facts(), told]), "treatment:1").text
    assert re.search(clause, text.casefold())
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
    part = re.compile(r"among others|part|include|some|there are")
    assert [text for text in pools()["discharge_medication"] if not part.search(text)] == []
    whole = re.compile(
        r"my medicines are|that's all|that would be|the whole list|nothing else", re.I
    )
    claims = pools()["home_medication"] + pools()["home_medication_noted"]
    assert [text for text in claims if whole.search(text)] == []


def test_other_diagnoses_do_not_refer_to_one_that_was_not_told() -> None:
    assert [text for text in pools()["secondary_diagnosis"] if re.search(r"\bmain\b", text)] == []
    assert not re.search(r"the only thing|beside it", " ".join(pools()["secondary_diagnosis"]))


REPLIES_WITHOUT_A_MATTER = {
    "closing_reply",  # names what comes next
    "complaint_open_reply",
    "condition_reply",
    "grave_reply",  # a sober word needn't name what was said
    "grave_step_reply",
    "instruction_reply",
    "last_words_reply",
    "no_allergy_reply",
}


def test_replies_take_up_what_was_said() -> None:
    bare = [
        (name, text)
        for name, texts in pools().items()
        for text in texts
        if name.endswith("_reply") and "{" not in text and name not in REPLIES_WITHOUT_A_MATTER
    ]
    assert bare == []
    told = fact(FactKind.PROCEDURE, "Lumbar Puncture", "2150-06-02", 1)
    stays = [bundle(notes=[], hadm_id=f"880000{number}") for number in range(10, 40)]
    replies = [
        line
        for stay in stays
        for line in compose([*stay_facts(), told], stay).conversation_lines
        if line.speaker == "Patient" and "lumbar puncture" in line.text.casefold()
    ]
    assert len(replies) >= 30
    assert {line.touches for line in replies} == {("procedure:1",)}
