"""Forms, repeated turns and copies over a release."""

from __future__ import annotations

import random

from tasks.audit.texts.variety import VarietyAudit
from tasks.contracts.audit import AuditPatient, AuditVariety, FormVariety, ShareOf
from tasks.contracts.questions import QuestionType
from tests.factories.audited_texts import OPENING, asked, patient_of, spoken

DRUGS = ("aspirin", "furosemide", "lisinopril", "metformin", "gabapentin")
COPIED = "she was seen by the cardiology team and they felt that her heart was failing again"


def audited(*patients: AuditPatient) -> AuditVariety:
    audit = VarietyAudit()
    for patient in patients:
        audit.add(patient)
    return audit.figures()


def test_a_template_with_swapped_slots_is_one_form() -> None:
    asked_of = [
        patient_of(
            str(number),
            [
                asked(
                    f"During the hospitalization on 215{number}-01-01, how often was {drug} due?"
                ),
                asked(f"{OPENING}why did the doctor stop {drug}?", kind=QuestionType.ADVERSARIAL),
            ],
        )
        for number, drug in enumerate(DRUGS)
    ]
    forms = audited(*asked_of).questions
    assert set(forms) == {QuestionType.CARE_PLAN_RATIONALE, QuestionType.ADVERSARIAL}
    assert forms[QuestionType.CARE_PLAN_RATIONALE] == FormVariety(
        n=5,
        distinct=1,
        largest=5,
        share=1.0,
        allowed=3,
        items=("0_q01", "1_q01", "2_q01", "3_q01", "4_q01"),
    )


def test_three_occurrences_are_accepted_however_few_there_are() -> None:
    turns = ["Thank you.", "How are you?", "Thank you.", "Good.", "Thank you."]
    figures = audited(patient_of("1", sessions=[spoken("10", turns)]))
    assert figures.turn_texts == FormVariety(n=5, distinct=3, largest=3, share=0.6, allowed=3)
    figures = audited(patient_of("1", sessions=[spoken("10", [*turns, "Thank you."])]))
    assert figures.turn_texts.items == ("10:1", "10:3", "10:5", "10:6")


def test_turns_recur_in_a_release_and_are_repeated_in_a_session() -> None:
    figures = audited(
        patient_of("1", sessions=[spoken("10", ["Hello.", "Fine.", "Hello."])]),
        patient_of("2", sessions=[spoken("20", ["Fine.", "Tired."])]),
    )
    assert figures.recurring == ShareOf(count=4, n=5, share=0.8)
    assert figures.repeated_in_session == ShareOf(count=1, n=5, share=0.2)
    assert figures.repeated_items == ("10:3",)


def test_turns_that_differ_in_a_drug_are_distinct_texts_of_one_form() -> None:
    turns = [f"I see why you stopped {drug}." for drug in DRUGS]
    figures = audited(patient_of("1", sessions=[spoken("10", turns)]))
    assert figures.turn_texts.distinct == 5
    assert (figures.turn_forms.distinct, figures.turn_forms.largest) == (1, 5)


def test_short_answers_are_no_template() -> None:
    turns = [f"Yes, {drug}." for drug in DRUGS]
    figures = audited(patient_of("1", sessions=[spoken("10", turns)]))
    assert (figures.turn_forms.distinct, figures.turn_forms.largest) == (5, 1)


def test_copies_are_counted_where_there_is_a_note_to_copy_from() -> None:
    figures = audited(
        patient_of(
            "1",
            sessions=[
                spoken("10", ["Hello.", COPIED], note=f"Course: {COPIED}."),
                spoken("11", [COPIED]),
            ],
        )
    )
    assert figures.copied == ShareOf(count=1, n=2, share=0.5)
    assert figures.copied_items == ("10:2",)
    # 16 words; "by" can be part of a dose line and doesn't count.
    assert figures.longest_copy == 15


def test_an_empty_release_has_nothing_to_judge() -> None:
    figures = audited()
    assert figures.recurring == ShareOf(count=0, n=0, share=None)
    assert figures.turn_texts.share is None


def test_the_order_of_patients_changes_nothing() -> None:
    patients = [
        patient_of(
            str(number),
            [asked(f"How often was {drug} due?")],
            [spoken(f"{number}0", ["Hello.", f"Take {drug}.", "Hello."], note=f"{drug} given")],
        )
        for number, drug in enumerate(DRUGS)
    ]
    first = audited(*patients)
    for seed in range(5):
        assert audited(*random.Random(seed).sample(patients, len(patients))) == first
