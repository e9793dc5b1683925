"""What wording gives away, and what the question-only baseline makes of it."""

import pytest

from tasks.answering.guessing import guess
from tasks.answering.question_forms import asked_part, counts_stays, stay_named, wanted_of
from tasks.contracts.questions import ABSTENTION

STAY = "During the hospitalization from 2150-01-10 to 2150-01-12, "


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("how many days after arrival was drainage done?", "days"),
        ("in how many hospitalizations was it done?", "count"),
        ("on which dates was it first and last done?", "date"),
        ("at what interval was amlodipine prescribed at discharge?", "interval"),
        ("which dose of amlodipine did the patient go home with?", "amount"),
        ("was the patient on oxygen?", "yes_no"),
        ("which treatment was started for pneumonia?", "name"),
    ],
)
def test_the_form_of_a_question_tells_what_it_asks_for(question: str, wanted: str):
    assert wanted_of(STAY + question) == wanted
    assert wanted_of(question[0].upper() + question[1:]) == wanted


def test_the_stay_a_question_opens_with_is_read():
    assert stay_named(STAY + "why?") == ("2150-01-10", "2150-01-12")
    assert stay_named("During the hospitalization on 2150-01-10, why?") == (
        "2150-01-10",
        "2150-01-10",
    )
    assert stay_named("How did it change from 2150-01-10 to 2150-01-12?") is None
    assert asked_part(STAY + "why?") == "why?"
    assert counts_stays("In how many stays was it done?")
    assert not counts_stays(STAY + "how many units were given?")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In how many hospitalizations was furosemide given?", "2 hospitalizations"),
        (STAY + "how many units were given?", "2"),
        (STAY + "how many days passed until surgery?", "1 day"),
        (STAY + "on which date was surgery done?", "2150-01-12"),
        ("When was surgery done?", ABSTENTION),
        (STAY + "at what dose was furosemide given?", "40 mg"),
        (STAY + "did the patient have a fever?", ABSTENTION),
        ("Which ward, if it is mentioned at all, was the sister on?", ABSTENTION),
    ],
)
def test_the_guess_depends_on_the_wording_alone(question: str, answer: str):
    assert guess(question) == answer
