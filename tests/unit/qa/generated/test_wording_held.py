"""Unanswerable questions can't be told by their words, whatever style a model has."""

from __future__ import annotations

import random

import pytest

from tasks.audit.texts.wording import WordingAudit
from tasks.contracts.audit import AuditPatient
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    CrossQuestionsInput,
    Lexicon,
    PatientChart,
)
from tasks.qa.doubts import audited
from tasks.qa.generated.across import ask_across_admissions
from tasks.qa.generated.admission import ask_about_admission
from tasks.qa.generated.replies import HostQuestion, WordedQuestion, WordedQuestions, WordingTask
from tasks.qa.lexicon import build_lexicon
from tests.factories.charts import make_admission, make_chart, make_fact
from tests.factories.question_replies import GOOD_REPLIES, word
from tests.factories.scripted import ScriptedModel

DRUGS = [
    "apixaban", "atorvastatin", "furosemide", "gabapentin", "lisinopril", "metformin",
    "metoprolol", "omeprazole", "prednisone", "sertraline", "spironolactone", "warfarin",
]  # fmt: skip
TESTS = [
    "albumin", "bilirubin", "calcium", "creatinine", "glucose", "hemoglobin", "lactate",
    "magnesium", "phosphate", "potassium", "sodium", "troponin",
]  # fmt: skip
OPENINGS = ("Clinically speaking, ", "As for this patient, ", "In retrospect, ", "")


def cohort() -> list[PatientChart]:
    rng = random.Random(5)
    charts: list[PatientChart] = []
    for number in range(14):
        subject_id = f"9000{number:04d}"
        taken, measured = rng.sample(DRUGS, 4), rng.sample(TESTS, 4)
        charts.append(
            make_chart(
                *(
                    make_admission(
                        f"8{number:03d}000{stay}",
                        f"21{50 + stay}-0{1 + number % 9}-01 09:00:00",
                        f"21{50 + stay}-0{1 + number % 9}-05 09:00:00",
                        [
                            make_fact(
                                "discharge_medication",
                                place,
                                drug,
                                f"{dose} mg by mouth daily",
                                dose=f"{dose} mg",
                                frequency="daily",
                            )
                            for place, drug in enumerate(taken, start=1)
                            for dose in [rng.choice((5, 10, 20, 40, 80))]
                        ]
                        + [
                            make_fact(
                                "lab",
                                place,
                                f"admission {test}",
                                f"{rng.randrange(10, 99) / 10}",
                                point="admission",
                                test=test,
                            )
                            for place, test in enumerate(measured, start=1)
                        ],
                        subject_id=subject_id,
                    )
                    for stay in range(3)
                ),
                subject_id=subject_id,
            )
        )
    return charts


def in_a_style(task: WordingTask) -> WordedQuestions:
    """A model with a style of its own, which answerable questions get from it."""
    plain = word(task)
    return WordedQuestions(
        questions=tuple(
            one if isinstance(shown, HostQuestion) else _styled(one)
            for one, shown in zip(plain.questions, task.questions, strict=True)
        )
    )


def _styled(one: WordedQuestion) -> WordedQuestion:
    opening = OPENINGS[len(one.question) % len(OPENINGS)]
    if not opening or one.question.startswith("During the"):
        return one
    text = opening + one.question[:1].lower() + one.question[1:]
    return one.model_copy(update={"question": text})


@pytest.mark.slow
def test_a_reader_of_the_words_alone_guesses_little_better_than_chance():
    charts = cohort()
    lexicon = build_lexicon(lambda: charts)
    model = ScriptedModel({**GOOD_REPLIES, WordedQuestions: in_a_style}, [])
    audit = WordingAudit()
    for chart in charts:
        audit.add(_asked(chart, model, lexicon))
    found = audit.figures()
    assert found.overall.adversarial == 14 * 6
    assert found.overall.auroc is not None
    assert found.overall.auroc <= 0.65


def _asked(chart: PatientChart, model: ScriptedModel, lexicon: Lexicon) -> AuditPatient:
    single = [
        ask_about_admission(
            AdmissionQuestionsInput(chart=chart, hadm_id=one.bundle.hadm_id, lexicon=lexicon), model
        )
        for one in chart.admissions
    ]
    across = ask_across_admissions(CrossQuestionsInput(chart=chart, lexicon=lexicon), model)
    return audited(chart, tuple(one for reply in (*single, across) for one in reply.qas))
