from collections import Counter

import pytest

from tasks.adapters.programmatic import ProgrammaticModel
from tasks.contracts.preconsultation import Guideline, PatientProfile, Turn
from tasks.preconsultation.comparing import compare
from tasks.preconsultation.comparison_rules import compare_by_rules
from tasks.preconsultation.diagnosing import diagnose
from tasks.preconsultation.interviewing import simulate
from tasks.preconsultation.organizing import organize
from tasks.preconsultation.patient_rules import answer_by_rules
from tasks.preconsultation.reading import read_guidelines, read_profiles
from tasks.preconsultation.rules import RULES, ask_by_rules, excludes_itself, organize_by_rules
from tasks.preconsultation.scores import score_interview
from tasks.preconsultation.shapes import CompareTask, DoctorTask, OrganizeTask, PatientTask
from tasks.preconsultation.wording_files import fixed_interview
from tests.factories.profiles import GUIDELINES, asked, profile
from tests.unit.preconsultation.epag import EPAG, needs_epag

MODEL = ProgrammaticModel(rules=RULES, version="1")

PATIENT = profile(
    location=("Chest",),
    modifying=("Better with rest, worse in cold air",),
    associated=("Mild cough, wheezing",),
    additional=("No fever", "Mother has asthma", "Father has high blood pressure"),
    past=("Mild asthma as a child", "Hypertension for 10 years"),
    social=("Non-smoker", "Works in a bakery"),
)


def answer(question: str, *options: str, patient: PatientProfile = PATIENT) -> str:
    reply = f"Question: {question}\nOptions:\n" + "\n".join(f"- {one}" for one in options)
    task = PatientTask(language="en", profile=patient, earlier=(), asked=asked(1, reply))
    return answer_by_rules(task).reply


@pytest.mark.parametrize(
    ("question", "options", "said"),
    [
        ("Do you have any of these?", ("Cough", "Rash"), "Cough"),
        ("Do you have any of these?", ("Fever", "Rash"), "None of these"),
        ("Which other symptoms do you have?", ("Cough",), "Cough; wheezing"),
        (
            "What makes it better or worse?",
            ("Rest", "Exertion"),
            "Rest; Better with rest; worse in cold air",
        ),
        (
            "Have you been diagnosed with any illness?",
            ("High blood pressure",),
            "High blood pressure; Hypertension for 10 years",
        ),
        ("Where is it?", ("Chest", "Back"), "Chest"),
        ("Do you smoke?", ("Smoking", "Alcohol"), "Non-smoker; Works in a bakery"),
        ("Which football club do you like?", ("Rovers",), "I don't know"),
    ],
)
def test_the_patient_answers_from_the_profile(question: str, options: tuple[str, ...], said: str):
    assert answer(question, *options) == f"Answer: {said}"


def test_the_patient_never_names_the_disease_and_says_that_something_is_withheld():
    withheld = "one that I can't name"
    assert answer("Do you have any of these?", "Asthma") == f"Answer: {withheld}"
    said = answer("Has a relative had any of these?", "Asthma", "High blood pressure")
    assert said == f"Answer: High blood pressure; {withheld}"


def test_illnesses_of_relatives_are_not_the_patients():
    alone = profile(additional=("Father has diabetes",))
    assert answer("Do you have any of these?", "Diabetes", patient=alone) == "Answer: None of these"


@pytest.mark.parametrize("text", ["Relatively severe rash", "Rash more apparent at night"])
def test_words_that_only_begin_or_end_like_a_relative_are_none(text: str):
    alone = profile(associated=(text,))
    assert answer("Do you have any of these?", "Rash", patient=alone).startswith("Answer: Rash")


def test_a_question_about_a_disease_is_not_about_what_eases():
    said = answer("Do you have heart disease?", "Heart disease")
    assert said == "Answer: None of these"


def organized(reply: str, said: str) -> list[tuple[str, bool]]:
    task = OrganizeTask(language="en", turn=asked(1, reply, said))
    return [(one.statement, one.is_negative) for one in organize_by_rules(task).units]


OFFER = "Question: Do you have any of these?\nOptions: fever, dry cough, rash, other, none"


def test_options_that_were_not_chosen_become_negative_units():
    assert organized(OFFER, "dry cough; tired") == [
        ("dry cough", False),
        ("tired", False),
        ("no fever", True),
        ("no rash", True),
    ]


def test_an_answer_that_denies_is_a_negative_unit():
    assert organized("Question: Do you smoke?\nOptions: yes, no", "non-smoker")[0] == (
        "non-smoker",
        True,
    )


@pytest.mark.parametrize("said", ["I don't know", "dry cough; one that I can't name"])
def test_options_are_not_denied_by_who_does_not_tell(said: str):
    assert not any(negative for _, negative in organized(OFFER, said))


@pytest.mark.parametrize(
    ("reply", "excludes"),
    [
        ("Question: How bad?\nOptions: 0 to 3, 4 to 6, 7 to 10", True),
        ("Question: How long?\nOptions: 1 day, 2 weeks, longer", True),
        (OFFER, False),
    ],
)
def test_grades_and_durations_never_become_negative(reply: str, excludes: bool):
    turn = asked(1, reply, "2 weeks")
    assert excludes_itself(turn, "en") is excludes
    assert any(negative for _, negative in organized(reply, "2 weeks")) is not excludes


def test_exclusive_questions_of_the_fixed_interview_are_known_by_heart():
    for one in fixed_interview("ko").questions:
        turn = Turn(number=1, reply="", questions=1, question=one.question, options=one.options)
        assert excludes_itself(turn, "ko") is one.is_exclusive


LIST = (
    "Cough",
    "Cough at Night",
    "Dyspnea - Shortness of Breath",
    "Family History of Heart Disease",
    "Smoking & Alcohol Consumption",
    "체중 감소 (Weight Loss)",
)


@pytest.mark.parametrize(
    ("statement", "guideline"),
    [
        ("mild cough", "Cough"),
        ("coughs a lot; cough at night", "Cough at Night"),
        ("no shortness of breath", "Dyspnea - Shortness of Breath"),
        ("difficulty breathing", "Dyspnea - Shortness of Breath"),
        ("heart disease", "None of Above"),
        ("family history: heart disease", "Family History of Heart Disease"),
        ("drinks alcohol", "Smoking & Alcohol Consumption"),
        ("체중 감소 없음", "체중 감소 (Weight Loss)"),
        ("lost weight", "체중 감소 (Weight Loss)"),
        ("likes cats", "None of Above"),
        ("", "None of Above"),
    ],
)
def test_the_comparer_finds_the_guideline_by_its_wordings(statement: str, guideline: str):
    task = CompareTask(language="en", disease="x", guidelines=LIST, statements=(statement,))
    assert compare_by_rules(task).matches == (guideline,)


def test_a_guideline_said_word_for_word_wins_over_an_equally_good_one():
    guidelines = ("Hypertension or Hypotension", "History of Hypertension")
    said = ("no History of Hypertension", "hypertension")
    task = CompareTask(language="en", disease="x", guidelines=guidelines, statements=said)
    assert compare_by_rules(task).matches == (guidelines[1], guidelines[0])


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_fixed_interview_names_no_turn_number_and_ends_in_silence(language: str):
    held = simulate(PATIENT, "ko" if language == "ko" else "en", MODEL, MODEL, 99)
    assert len(held.turns) == len(fixed_interview("en").questions)
    assert held.ended == "empty reply"
    assert all(turn.is_well_formed for turn in held.turns)


def test_the_doctor_asks_every_patient_the_same():
    tasks = [
        DoctorTask(language="en", basic=one.basic, turns=())
        for one in (PATIENT, profile(complaint="My skin itches"))
    ]
    assert ask_by_rules(tasks[0]) == ask_by_rules(tasks[1])


def baseline(patient: PatientProfile, guidelines: tuple[Guideline, ...], language: str = "en"):
    spoken = "ko" if language == "ko" else "en"
    held = simulate(patient, spoken, MODEL, MODEL, 5)
    facts = compare(organize(held, spoken, MODEL), patient.disease, guidelines, spoken, MODEL)
    found = diagnose(held, spoken, 5, guidelines, MODEL, MODEL)
    return score_interview("rules", "rules", spoken, 5, patient, held, facts, found, guidelines)


def test_the_rules_play_every_role_to_the_end():
    scored = baseline(PATIENT, GUIDELINES)
    assert (scored.status, scored.top_1, scored.leaked_turns) == ("clean", True, ())
    assert scored.scores is not None
    assert scored.scores.coverage == 0.75


@needs_epag
@pytest.mark.parametrize(
    ("language", "profiles", "guidelines"),
    [
        ("en", "patient_profile_en.json", "gold_label_en.csv"),
        ("ko", "patient_profile.json", "gold_label.csv"),
    ],
)
def test_a_patient_of_each_published_disease_is_interviewed_cleanly_and_never_leaks(
    language: str, profiles: str, guidelines: str
):
    spoken = "ko" if language == "ko" else "en"
    known = read_guidelines(EPAG / guidelines, spoken)
    patients = read_profiles(EPAG / profiles, spoken, known).profiles[::20]
    lines = [baseline(one, known, language) for one in patients]
    assert Counter(one.status for one in lines) == {"clean": 26}
    assert not any(one.leaked_turns for one in lines)
    assert not any(one.unsupported for one in lines)
