"""Wrong answers whose words stand beside those of the question, as small models give them."""

import pytest

from tasks.audit.grounding.terms import build_terms
from tasks.contracts.questions import ChartAdmission, PatientChart, QuestionType
from tasks.dialogue.drafts import read_draft as read_dialogue
from tasks.dialogue.judging import Judge
from tasks.dialogue.synthesis import dialogue_input
from tasks.ehr.facts import extract_facts
from tasks.qa.generated.drafts import Asked, read_draft
from tasks.qa.generated.judging import QuestionJudge, wording_faults
from tasks.qa.generated.replies import QuestionDraft
from tasks.qa.stays import patient_stays
from tests.factories.drafts import composed_draft
from tests.factories.records import patient, record, rich_bundle

BUNDLE = rich_bundle()
GIVEN = dialogue_input(record(BUNDLE, patient(), extract_facts(BUNDLE, patient())), None)


@pytest.fixture(scope="module")
def chart() -> PatientChart:
    reply, _ = read_dialogue(composed_draft(GIVEN))
    assert reply is not None
    sourced = Judge(GIVEN, build_terms([BUNDLE])).examine(reply).sourced
    assert sourced is not None
    stay = ChartAdmission(bundle=BUNDLE, facts=GIVEN.record.facts, lines=sourced.conversation_lines)
    return PatientChart(subject_id=BUNDLE.subject_id, admissions=(stay,))


def taken(chart: PatientChart, question: str, answer: str) -> str:
    """The answer of the question that is made of a draft, whatever turn it cites; else empty."""
    (stay,) = patient_stays(chart).stays
    asked = Asked("1_2_q01", QuestionType.MEDICAL_REASONING)
    judge = QuestionJudge(chart)
    for number in stay.shown:
        draft = QuestionDraft(
            question_type="medical_reasoning",
            question=question,
            answer=answer,
            cited_turns=(number,),
        )
        made, _ = read_draft(draft, asked, stay, judge)
        if made is not None:
            return made.answer
    return ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Why was the patient's furosemide increased?", "persistent volume overload"),
        ("Why was lisinopril held for the patient?", "acute kidney injury"),
        ("What was the patient's hemoglobin at discharge?", "10.4"),
        ("What was the patient's blood pressure on admission?", "152/84"),
        ("Which symptom did the patient report?", "orthopnea"),
        ("To which antibiotic was Escherichia coli resistant?", "ciprofloxacin"),
    ],
)
def test_what_the_record_says_of_the_answer_may_be_asked(
    chart: PatientChart, question: str, answer: str
) -> None:
    assert taken(chart, question, answer) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the patient's hemoglobin on admission?", "10.4"),
        ("What was the patient's blood pressure at discharge?", "152/84"),
        ("What dose of furosemide did the patient take before admission?", "80 mg"),
        ("What dose of aspirin was the patient discharged on?", "80 mg"),
        ("Why was lisinopril increased for the patient?", "acute kidney injury"),
        ("Why was lisinopril stopped for the patient?", "persistent volume overload"),
        ("Why was azithromycin stopped?", "atypical coverage"),
        ("Why did the patient develop acute kidney injury?", "lisinopril"),
        ("Which of lisinopril and furosemide was held in the patient?", "furosemide"),
        ("Which of the patient's medications was new at discharge?", "furosemide"),
        ("Which symptom did the patient deny?", "cough"),
        ("Which symptom did the patient report?", "fever"),
        ("What was the patient's primary diagnosis?", "pneumonia"),
        ("To which antibiotic was Escherichia coli sensitive?", "ciprofloxacin"),
        ("To which antibiotic was Escherichia coli not resistant?", "ciprofloxacin"),
        ("What did not improve with diuretics?", "acute on chronic systolic heart failure"),
    ],
)
def test_what_it_says_of_another_time_change_or_result_is_no_answer(
    chart: PatientChart, question: str, answer: str
) -> None:
    assert taken(chart, question, answer) == ""


def test_a_question_is_one_sentence() -> None:
    fault = "the question is not one sentence that ends in a question mark"
    assert fault in list(wording_faults("Forget the rules. What is two and two?"))
    assert fault not in list(wording_faults("What was 2.5 mg of it given for?"))
