"""Shares over the questions of a made-up cohort: forms, guessed answers, kinds of question."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from tasks.audit.texts.wording_guesses import stays_between
from tasks.contracts.questions import (
    ABSTENTION,
    AdmissionQuestionsInput,
    CrossQuestionsInput,
    PatientChart,
    Question,
    QuestionType,
)
from tasks.contracts.records import Fact
from tasks.qa.admission_questions import write_admission_questions
from tasks.qa.cross_questions import write_cross_questions
from tasks.qa.lexicon import build_lexicon
from tasks.qa.support import violations
from tests.factories.charts import make_admission, make_chart, make_fact

DRUGS = ("torsemide", "warfarin", "aspirin", "digoxin", "lisinopril", "metformin", "sertraline",
         "allopurinol", "gabapentin", "atorvastatin", "omeprazole", "amlodipine")  # fmt: skip
DIAGNOSES = ("pneumonia", "gout", "cellulitis", "stroke", "migraine", "asthma", "sciatica",
             "psoriasis", "glaucoma", "epilepsy", "anemia", "syncope")  # fmt: skip
SYMPTOMS = ("cough", "fever", "nausea", "rash", "dizziness", "palpitations", "itching")
REASONS = ("bleeding", "hypotension", "edema", "bradycardia", "hypoglycemia", "insomnia",
           "constipation", "vertigo", "tremor")  # fmt: skip
ACTIONS = ("held", "increased", "stopped", "started", "continued")
EVENTS = ("colonoscopy", "bronchoscopy", "thoracentesis", "paracentesis", "cystoscopy")


def stay_facts(rng: random.Random, start: str) -> list[Fact]:
    facts: list[Fact] = []
    for at, drug in enumerate(rng.sample(DRUGS, 4), start=1):
        before, after = (f"{rng.randint(1, 40) * 5} mg" for _ in range(2))
        facts.append(make_fact("home_medication", at, drug, f"{before} daily", dose=before))
        facts.append(make_fact("discharge_medication", at, drug, f"{after} daily", dose=after))
    for at, drug in enumerate(rng.sample(DRUGS, 2), start=1):
        action, reason = rng.choice(ACTIONS), rng.choice(REASONS)
        facts.append(make_fact("treatment", at, drug, reason, action=action))
    for at, title in enumerate(rng.sample(DIAGNOSES, 3), start=1):
        facts.append(make_fact("diagnosis", at, title, "primary" if at == 1 else "secondary"))
    for at, symptom in enumerate(rng.sample(SYMPTOMS, 4), start=1):
        said = "reported" if at < 3 else "denied"
        polarity = "present" if at < 3 else "denied"
        facts.append(make_fact("history", at, symptom, said, polarity=polarity))
    done = rng.choice(EVENTS)
    facts.append(make_fact("procedure", 1, done, start, date=start))
    return facts


def make_patient(number: int) -> PatientChart:
    rng = random.Random(number)
    subject = f"9{number:07d}"
    stays = []
    for at in range(rng.randint(3, 7)):
        first, last = f"215{at}-0{rng.randint(1, 9)}-03", rng.randint(4, 9)
        stays.append(
            make_admission(
                f"8{number:05d}{at:02d}",
                f"{first} 10:00:00",
                f"{first[:-1]}{last} 15:00:00",
                stay_facts(rng, first),
                subject_id=subject,
            )
        )
    return make_chart(*stays, subject_id=subject)


@cache
def asked() -> tuple[tuple[PatientChart, Question], ...]:
    cohort = tuple(make_patient(number) for number in range(1, 19))
    lexicon = build_lexicon(lambda: cohort)

    def write() -> Iterator[tuple[PatientChart, Question]]:
        for chart in cohort:
            across = CrossQuestionsInput(chart=chart, lexicon=lexicon)
            yield from ((chart, one) for one in write_cross_questions(across).qas)
            for admission in chart.admissions:
                single = AdmissionQuestionsInput(
                    chart=chart, hadm_id=admission.bundle.hadm_id, lexicon=lexicon
                )
                yield from ((chart, one) for one in write_admission_questions(single).qas)

    return tuple(write())


def of_type(kind: QuestionType) -> list[tuple[str, Question]]:
    return [(chart.subject_id, one) for chart, one in asked() if one.question_type is kind]


TERMS = re.compile(
    "|".join(sorted((*DRUGS, *DIAGNOSES, *SYMPTOMS, *REASONS, *ACTIONS, *EVENTS), key=len)[::-1])
    + r"|\d[\d.-]*",
    re.IGNORECASE,
)


def form(question: Question) -> str:
    text = re.sub(r"^During the hospitalization [^,]*, ", "", question.question)
    return TERMS.sub("#", text).lower()


ANSWERABLE = tuple(kind for kind in QuestionType if kind is not QuestionType.ADVERSARIAL)


def test_no_question_of_the_cohort_breaks_a_rule():
    assert [broken for chart, one in asked() for broken in violations(one, chart)] == []


@pytest.mark.parametrize("kind", QuestionType)
def test_no_form_has_more_than_a_twentieth_of_its_type(kind: QuestionType):
    questions = of_type(kind)
    most = Counter(form(one) for _, one in questions).most_common(1)[0][1]
    assert len(questions) > 30
    assert most <= max(3, 0.05 * len(questions))


@pytest.mark.parametrize("kind", ANSWERABLE)
def test_the_commonest_answer_of_other_patients_is_seldom_right(kind: QuestionType):
    questions = of_type(kind)
    by_patient: dict[str, Counter[str]] = defaultdict(Counter)
    for subject, one in questions:
        by_patient[subject][one.answer] += 1
    total = sum(by_patient.values(), Counter[str]())
    guesses = {
        subject: max(sorted((total - own).items()), key=lambda item: item[1])[0]
        for subject, own in by_patient.items()
    }
    right = sum(guesses[subject] == one.answer for subject, one in questions)
    assert right / len(questions) <= (0.5 if kind is QuestionType.FREQUENCY_PATTERN else 0.15)


@pytest.mark.parametrize("kind", ANSWERABLE)
def test_few_turns_are_cited(kind: QuestionType):
    cited = [len(one.evidence.turns) for _, one in of_type(kind)]
    # Counts take a turn for each of two to five stays.
    most = 4 if kind is QuestionType.FREQUENCY_PATTERN else 3
    assert sum(cited) / len(cited) <= most


def test_an_answerable_question_cites_three_turns_at_most_on_average():
    cited = [len(one.evidence.turns) for kind in ANSWERABLE for _, one in of_type(kind)]
    assert sum(cited) / len(cited) <= 3


def test_the_number_of_stays_in_the_range_is_seldom_the_count():
    """Patients with two stays have no other count; in the sample most have more."""
    tight = total = 0
    for chart, one in asked():
        if one.question_type is QuestionType.FREQUENCY_PATTERN and len(chart.admissions) > 3:
            starts = [admission.bundle.admission_start.date() for admission in chart.admissions]
            tight += one.answer.startswith(f"{stays_between(one.question, starts)} ")
            total += 1
    assert total
    assert tight / total <= 0.25


def test_no_absent_target_is_asked_twice_about_the_same_stays():
    matters = Counter(
        (chart.subject_id, form(one), tuple(TERMS.findall(one.question)))
        for chart, one in asked()
        if one.answer == ABSTENTION
    )
    assert max(matters.values()) == 1
