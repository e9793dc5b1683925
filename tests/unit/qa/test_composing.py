from __future__ import annotations

import pytest

from tasks.contracts.questions import QuestionType
from tasks.qa.candidates import Candidate
from tasks.qa.composing import Composer
from tasks.qa.recognition import filled_slots
from tasks.qa.stays import Cite


def ordered(target: str, other: str) -> Candidate:
    return Candidate(
        "event_order",
        {"target": target, "other": other},
        ("target", "other"),
        "event",
        target,
        (Cite(0, 2), Cite(0, 4)),
        offers=True,
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("target", "other"),
    [
        ("liver or gallbladder ultrasound", "MRSA screen"),
        ("colonoscopy", "liver OR gallbladder ultrasound"),
        ("nose and throat culture", "colonoscopy"),
        ("colonoscopy", "urine culture"),
    ],
)
def test_a_question_about_two_things_reads_in_one_way(target: str, other: str, seed: int):
    draft = Composer(str(seed)).compose(ordered(target, other), QuestionType.MEDICAL_REASONING)
    assert draft is not None
    question = draft.question[0].lower() + draft.question[1:]
    readings = {(one["target"], one["other"]) for one in filled_slots(question) if "other" in one}
    assert readings == {(target, other)}


def test_two_things_that_no_wording_keeps_apart_are_not_asked_about():
    both = ordered("liver or gallbladder ultrasound", "nose and throat culture")
    assert Composer("1").compose(both, QuestionType.MEDICAL_REASONING) is None
