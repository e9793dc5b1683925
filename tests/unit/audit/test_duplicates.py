"""Questions and sessions that say nearly the same."""

from __future__ import annotations

import random

import pytest

from tasks.audit.texts.duplicates import DuplicatesAudit
from tasks.contracts.audit import AuditDuplicates, AuditPatient, ShareOf
from tasks.contracts.questions import Question
from tests.factories.audited_texts import NO_ANSWER, OPENING, asked, patient_of, spoken

DOSE = f"{OPENING}what dose of aspirin was prescribed at discharge?"
TALK = [
    f"Sentence {word} of this talk tells you about {word} and about {word} again."
    for word in (
        "bread", "water", "stone", "paper", "glass", "chalk", "grass", "cloud", "river", "metal",
    )
]  # fmt: skip


def audited(*patients: AuditPatient) -> AuditDuplicates:
    audit = DuplicatesAudit()
    for patient in patients:
        audit.add(patient)
    return audit.figures()


def within(*questions: Question) -> tuple[tuple[str, str], ...]:
    return audited(patient_of("1", questions)).within_items


def test_case_and_punctuation_do_not_make_another_question() -> None:
    one = asked(DOSE, "81 mg", turns=[("10", 4)])
    other = asked(DOSE.upper().replace("?", " ?"), "other", turns=[("10", 9)])
    assert within(one, other) == (("1_q02", "1_q01"),)


def test_the_same_fact_asked_twice_from_the_same_turn_is_a_duplicate() -> None:
    """Whatever the wording: same answer, same turns, same target."""
    other = f"{OPENING}how much aspirin was the patient to take after leaving?"
    cited = [("10", 4)]
    assert within(asked(DOSE, "81 mg", turns=cited), asked(other, "81 mg", turns=cited)) == (
        ("1_q02", "1_q01"),
    )


@pytest.mark.parametrize(
    ("text", "answer", "turn"),
    [
        # Another answer, another turn, another target.
        (f"{OPENING}how often was aspirin due?", "daily", 4),
        (f"{OPENING}what dose of aspirin had been taken before the stay?", "81 mg", 2),
        (f"{OPENING}how much warfarin was the patient to take?", "81 mg", 4),
    ],
)
def test_another_question_about_the_stay_is_none(text: str, answer: str, turn: int) -> None:
    asked_before = asked(DOSE, "81 mg", turns=[("10", 4)])
    assert within(asked_before, asked(text, answer, turns=[("10", turn)])) == ()


def test_nearly_the_same_words_about_the_same_stays_are_a_duplicate() -> None:
    one = (
        "How many different doses of aspirin were there from the stay of 2150-03-01 to 2150-09-01?"
    )
    other = one.replace("2150-09-01", "2150-12-01")
    stays = ("10", "20")
    near = (asked(one, "2", admissions=stays), asked(other, "2", admissions=stays))
    assert within(*near) == (("1_q02", "1_q01"),)
    apart = (asked(one, "2", admissions=stays), asked(other, "2", admissions=("20", "30")))
    assert within(*apart) == ()


def test_two_absent_targets_in_one_frame_are_no_duplicate() -> None:
    one, other = (
        asked(DOSE.replace("aspirin", drug), NO_ANSWER, admissions=("10",))
        for drug in ("aspirin", "warfarin")
    )
    assert within(one, other) == ()
    assert within(one, one) == (("1_q02", "1_q01"),)


def test_questions_of_different_patients_are_compared_without_dates() -> None:
    asked_later = DOSE.replace("2150-03-0", "2161-07-1")
    figures = audited(
        patient_of("1", [asked(DOSE, "81 mg"), asked(f"{OPENING}why?", "fever")]),
        patient_of("2", [asked(asked_later, "81 mg")]),
        patient_of("3", [asked(DOSE, "325 mg")]),
    )
    assert figures.across_patients == ShareOf(count=2, n=4, share=0.5)
    assert figures.across_items == (("1_q01", "2_q01"), ("2_q01", "1_q01"))
    assert figures.within_patients == ShareOf(count=0, n=4, share=0.0)


def test_a_text_that_a_release_repeats_thousands_of_times_is_counted_quickly() -> None:
    patients = [patient_of(str(number), [asked(DOSE, "81 mg")] * 40) for number in range(100)]
    figures = audited(*patients)
    assert figures.across_patients == ShareOf(count=4000, n=4000, share=1.0)
    assert figures.within_patients == ShareOf(count=3900, n=4000, share=0.975)


def test_a_session_copied_with_other_dates_and_numbers_is_found() -> None:
    talk = [*TALK, "Your pulse was 88 on 2150-03-01."]
    copied = [*TALK, "Your pulse was 91 on 2163-01-02."]
    figures = audited(
        patient_of(
            "1", sessions=[spoken("10", talk), spoken("11", ["Hello there, good morning."])]
        ),
        patient_of("2", sessions=[spoken("20", copied)]),
    )
    assert figures.sessions == ShareOf(count=2, n=3, share=0.6667)
    assert figures.session_items == (("10", "20"),)


def test_a_patient_copied_under_another_id_is_found() -> None:
    figures = audited(
        patient_of("1", sessions=[spoken("10", TALK)]),
        patient_of("2", sessions=[spoken("10", TALK)]),
    )
    assert figures.sessions == ShareOf(count=2, n=2, share=1.0)


def test_sessions_that_share_half_of_their_turns_are_different() -> None:
    other = [" ".join(reversed(turn.split())) for turn in TALK[5:]]
    figures = audited(
        patient_of("1", sessions=[spoken("10", TALK), spoken("11", [*TALK[:5], *other])])
    )
    assert figures.sessions == ShareOf(count=0, n=2, share=0.0)


def test_an_empty_release_has_no_duplicates() -> None:
    figures = audited()
    assert figures.within_patients == ShareOf(count=0, n=0, share=None)


def test_the_order_of_patients_and_questions_changes_nothing() -> None:
    patients = [
        patient_of(
            str(number),
            [asked(DOSE, "81 mg", turns=[("10", 4)]), asked(DOSE.upper(), "81 mg")],
            [spoken(f"{number}0", TALK)],
        )
        for number in range(5)
    ]
    first = audited(*patients)
    for seed in range(5):
        drawing = random.Random(seed)
        moved = [
            one.model_copy(update={"questions": tuple(drawing.sample(one.questions, 2))})
            for one in drawing.sample(patients, 5)
        ]
        assert audited(*moved) == first
