"""What somebody answers who counts the stays between the dates of a question."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.audit.texts.wording import WordingAudit
from tasks.audit.texts.wording_guesses import COUNTING_STAYS, stays_between
from tasks.contracts.audit import ShareOf
from tasks.contracts.clock import parse_time
from tasks.contracts.questions import QuestionType
from tests.factories.audited_texts import asked, patient_of, spoken

STARTS = (date(2150, 3, 1), date(2150, 4, 1), date(2150, 5, 1), date(2150, 6, 1))


@pytest.mark.parametrize(
    ("question", "stays"),
    [
        ("How many hospitalizations from the stay of 2150-04-01 to that of 2150-06-01?", 3),
        ("Torsemide from June 1, 2150 back to March 1, 2150: after how many stays?", 4),
        ("How often from 2150-04-01 at 10:00:00 through 2150-05-01 was it given?", 2),
        ("How many days lie between 2150-03-01 and 2150-06-01?", 0),
        ("How many hospitalizations began after 2150-04-01?", 0),
        ("What was the dose between 2150-03-01 and 2150-06-01?", 0),
    ],
)
def test_stays_are_counted_between_the_days_that_a_count_names(question: str, stays: int) -> None:
    assert stays_between(question, STARTS) == stays


def test_right_counts_of_the_stays_are_given_by_type() -> None:
    """Of four questions two are answered by the number of stays in their range."""
    ask = "How many hospitalizations between 2150-03-01 and {} had fever?"
    answers = [
        (ask.format("2150-06-01"), "4 hospitalizations"),
        (ask.format("2150-05-01"), "2 hospitalizations"),
        ("How many different doses from 2150-03-01 to 2150-04-01?", "2 different doses"),
        ("How many years did it take?", "3 years"),
    ]
    sessions = [
        spoken(f"8000000{at}", ["Hello."]).model_copy(
            update={"admission_start": parse_time(f"{start} 10:00:00")}
        )
        for at, start in enumerate(STARTS)
    ]
    audit = WordingAudit()
    kind = QuestionType.FREQUENCY_PATTERN
    audit.add(patient_of("1", [asked(text, one, kind=kind) for text, one in answers], sessions))
    assert audit.figures().guesser[f"frequency_pattern, {COUNTING_STAYS}"] == ShareOf(
        count=2, n=4, share=0.5
    )
