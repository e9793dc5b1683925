"""What the text of questions gives away: planted flaws, and sets without one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.audit.texts.wording import WordingAudit
from tasks.contracts.audit import AuditPatient, AuditWording, LengthCount, ShareOf
from tasks.contracts.questions import Question
from tests.factories.audited_texts import NO_ANSWER, OPENING, asked, patient_of

DRUGS = ("aspirin", "furosemide", "lisinopril")


def audited(patients: Sequence[AuditPatient]) -> AuditWording:
    audit = WordingAudit()
    for patient in patients:
        audit.add(patient)
    return audit.figures()


def release(
    questions: Callable[[int], Sequence[Question]], patients: int = 10
) -> list[AuditPatient]:
    return [patient_of(f"{number:02}", questions(number)) for number in range(patients)]


def even(_: int) -> list[Question]:
    """Both kinds ask in the same words about the same drugs, in both scopes."""
    return [
        asked(f"What dose of {drug} was due?", answer, scope=scope)
        for drug in DRUGS
        for answer in ("5 mg", "5 mg", "5 mg", "5 mg", NO_ANSWER, NO_ANSWER)
        for scope in ("single_admission", "cross_admission")
    ]


def test_the_same_words_for_both_kinds_are_chance() -> None:
    figures = audited(release(even))
    for one in (figures.overall, *figures.scopes.values()):
        assert one.auroc == 0.5
        assert (one.patients, one.folds) == (10, 5)
        assert one.lower is not None and one.lower < 0.5
    assert (figures.overall.adversarial, figures.overall.answerable) == (120, 240)


def yes_no_all(number: int) -> list[Question]:
    return [
        one
        if one.answer == "5 mg"
        else one.model_copy(update={"question": one.question.replace("What dose of", "Did", 1)})
        for one in even(number)
    ]


def yes_no_half(number: int) -> list[Question]:
    return [
        new if place % 12 < 10 else old
        for place, (old, new) in enumerate(zip(even(number), yes_no_all(number), strict=True))
    ]


def test_questions_that_all_open_with_yes_or_no_are_told_apart() -> None:
    figures = audited(release(yes_no_all))
    assert figures.overall.auroc == 1.0
    assert [one.auroc for one in figures.scopes.values()] == [1.0, 1.0]
    assert (figures.overall.lower, figures.overall.upper) == (1.0, 1.0)


def test_the_flaw_of_the_published_release_is_found() -> None:
    """Half of the adversarial questions open with Did; the others are as the answerable ones."""
    figures = audited(release(yes_no_half))
    assert figures.overall.auroc == 0.75
    assert [one.auroc for one in figures.scopes.values()] == [0.75, 0.75]
    first = {one.term: (one.adversarial, one.answerable) for one in figures.first_words}
    assert first == {"what": (60, 240), "did": (60, 0)}
    assert "did" in {one.term for one in figures.telling_terms if (one.weight or 0) > 0}


def test_a_flaw_in_one_scope_is_that_scope_s() -> None:
    figures = audited(
        release(
            lambda number: [
                bad if bad.scope == "cross_admission" else good
                for good, bad in zip(even(number), yes_no_all(number), strict=True)
            ]
        )
    )
    assert figures.scopes["single_admission"].auroc == 0.5
    assert figures.scopes["cross_admission"].auroc == 1.0


def test_longer_adversarial_questions_are_told_apart() -> None:
    figures = audited(
        release(
            lambda number: [
                asked("What dose of aspirin was due?", "5 mg"),
                asked(f"What dose of aspirin {'of them ' * 3}was due?", NO_ANSWER),
            ]
        )
    )
    assert figures.scopes["single_admission"].auroc == 1.0
    assert figures.lengths == (
        LengthCount(words=6, adversarial=0, answerable=10),
        LengthCount(words=12, adversarial=10, answerable=0),
    )


def test_targets_that_no_other_patient_has_are_told_apart() -> None:
    """Absent targets drawn evenly from a long list are rarer than the ones that patients have."""
    figures = audited(
        release(
            lambda number: [
                asked(f"What dose of {DRUGS[number % 3]} was due?", "5 mg"),
                asked(f"What dose of rarum{chr(97 + number)} was due?", NO_ANSWER),
            ]
        )
    )
    assert figures.overall.auroc == 1.0


@pytest.mark.parametrize(
    "written",
    ["What dose of {} was due ?", "What Dose of {} was due?", "What dose of {} was due?\u200b"],
    ids=["blank before the stop", "capital inside", "invisible sign"],
)
def test_a_sign_that_only_adversarial_questions_have_is_read(written: str) -> None:
    figures = audited(
        release(
            lambda number: [
                asked(f"What dose of {DRUGS[number % 3]} was due?", "5 mg"),
                asked(written.format(DRUGS[number % 3]), NO_ANSWER),
            ]
        )
    )
    assert figures.overall.auroc == 1.0


def test_dates_at_the_opening_are_judged_as_they_stand_and_masked() -> None:
    figures = audited(
        release(
            lambda number: [
                asked(f"{OPENING}what dose of aspirin was due?", "5 mg"),
                asked(
                    "During the hospitalization on 2150-03-01, what dose of aspirin was due?",
                    NO_ANSWER,
                ),
            ]
        )
    )
    told = {name.split(",")[0] for name, value in figures.overall.readings.items() if value == 1.0}
    blind = {name.split(",")[0] for name, value in figures.overall.readings.items() if value == 0.5}
    assert (told, blind) == ({"as it stands"}, {"numbers masked", "signs only"})
    assert figures.overall.auroc == 1.0


@pytest.mark.parametrize(
    "patients",
    [
        release(even, patients=1),
        release(lambda _: [asked("What dose of aspirin was due?", "5 mg")]),
        release(lambda _: [asked("What dose of aspirin was due?", NO_ANSWER)]),
        [],
    ],
)
def test_one_patient_or_one_kind_can_not_be_judged(patients: list[AuditPatient]) -> None:
    figures = audited(patients)
    for one in (figures.overall, *figures.scopes.values()):
        assert (one.auroc, one.lower, one.upper, one.readings) == (None, None, None, {})


def test_a_finding_in_a_handful_of_questions_is_within_chance() -> None:
    """Two patients: half of their adversarial questions stand out, among eight other ones."""
    figures = audited(
        release(
            lambda _: [
                *(asked("What dose of aspirin was due?", "5 mg") for _ in range(4)),
                asked("What dose of aspirin was due?", NO_ANSWER),
                asked("Did aspirin bleed?", NO_ANSWER),
            ],
            patients=2,
        )
    )
    assert figures.overall.auroc == 0.75
    assert figures.overall.lower is not None and figures.overall.lower < 0.5


def test_words_of_fewer_than_three_patients_are_not_shown() -> None:
    def named(number: int) -> list[Question]:
        word = "zebra" if number < 2 else "horse"
        return [asked(f"{word} dose?", "5 mg"), asked(f"{word} dose?", NO_ANSWER)]

    figures = audited(release(named, patients=5))
    assert [one.term for one in figures.first_words] == ["horse"]
    shown = " ".join(one.term for one in figures.telling_terms)
    assert "horse" in shown
    assert "zebra" not in shown


def test_always_abstaining_is_right_on_adversarial_questions_only() -> None:
    assert audited(release(even)).always_abstain == {
        "overall": ShareOf(count=120, n=360, share=0.3333),
        "adversarial": ShareOf(count=120, n=120, share=1.0),
        "answerable": ShareOf(count=0, n=240, share=0.0),
    }


def test_answers_are_guessed_from_other_patients_of_the_same_form() -> None:
    """Three patients have 5 mg and one has 10 mg: the three are guessed, the one isn't."""
    answers, drugs = ("5 mg", "5 mg", "5 mg", "10 mg"), (*DRUGS, "warfarin")
    figures = audited(
        release(lambda number: [asked(f"How much {drugs[number]}?", answers[number])], patients=4)
    )
    assert figures.guesser == {
        "care_plan_rationale": ShareOf(count=3, n=4, share=0.75),
        "overall": ShareOf(count=3, n=4, share=0.75),
    }


def test_the_same_text_is_a_better_guess_than_the_same_form() -> None:
    """Each drug has its own dose with every patient; by form alone one of two would be wrong."""
    figures = audited(
        release(
            lambda _: [asked("How much aspirin?", "81 mg"), asked("How much warfarin?", "5 mg")],
            patients=3,
        )
    )
    assert figures.guesser["care_plan_rationale"] == ShareOf(count=6, n=6, share=1.0)


def test_the_better_of_two_guessers_counts() -> None:
    """By the same text each guesses the other's dose, by the form three of five are right."""
    doses = {"aspirin": ("10 mg", "5 mg"), "warfarin": ("5 mg", "20 mg")}
    figures = audited(
        [
            *(
                patient_of(f"{drug}{place}", [asked(f"How much {drug}?", dose)])
                for drug, given in doses.items()
                for place, dose in enumerate(given)
            ),
            patient_of("metformin", [asked("How much metformin?", "5 mg")]),
        ]
    )
    assert figures.guesser["care_plan_rationale"] == ShareOf(count=3, n=5, share=0.6)


def test_a_patient_s_own_answers_are_no_help() -> None:
    figures = audited([patient_of("1", [asked("How much?", "5 mg"), asked("How many?", "5 mg")])])
    assert figures.guesser["care_plan_rationale"] == ShareOf(count=0, n=2, share=0.0)


@settings(max_examples=3, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_patients_and_questions_changes_nothing(shuffling: random.Random) -> None:
    patients = release(yes_no_half, patients=4)
    first = audited(patients)
    moved = [
        one.model_copy(update={"questions": tuple(shuffling.sample(one.questions, 36))})
        for one in shuffling.sample(patients, 4)
    ]
    assert audited(moved) == first
