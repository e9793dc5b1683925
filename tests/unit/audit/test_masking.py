"""What stays of a text when everything that belongs to one patient is taken out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.audit.texts.masking import (
    Vocabulary,
    form_of,
    in_general_use,
    mask_dates,
    mask_numbers,
    plain_words,
    slot_words,
    without_opening,
)
from tests.factories.audited_texts import patient_of, spoken

NO_RECORD = Vocabulary().frame()


def frame_with(note: str):
    vocabulary = Vocabulary()
    vocabulary.add(patient_of("1", sessions=[spoken("10", ["Hello."], note)]))
    return vocabulary.frame()


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        (
            "During the hospitalization from 2150-03-01 to 2150-03-04, what was found?",
            "what was found?",
        ),
        ("During the hospitalization on 2150-03-01, why?", "why?"),
        ("During the hospitalisation from 2150-03-01 10:00:00 to 2150-03-04, why?", "why?"),
        ("In which stay, 2150-03-01 or 2150-05-01, was it?",) * 2,
        ("Why was the stay during the hospitalization on 2150-03-01, short?",) * 2,
    ],
)
def test_only_an_opening_with_dates_is_taken_off(question: str, rest: str) -> None:
    assert without_opening(question) == rest


@pytest.mark.parametrize(
    ("text", "dates", "numbers"),
    [
        ("on 2150-03-01 at 10:15", "on # at #", "on # at #"),
        ("from 5 mg to 7.5 mg", "from 5 mg to 7.5 mg", "from # mg to # mg"),
        ("5mg, 135/79, 95%, <10,000", "5mg, 135/79, 95%, <10,000", "#mg, #, #, #"),
        ("vitamin B12", "vitamin B12", "vitamin B12"),
    ],
)
def test_dates_and_numbers_are_masked(text: str, dates: str, numbers: str) -> None:
    assert mask_dates(text) == dates
    assert mask_numbers(text) == numbers


@pytest.mark.parametrize("word", ["dose", "doses", "planned", "hospitalizations", "taking", "was"])
def test_inflected_words_are_in_general_use(word: str) -> None:
    assert in_general_use(word)


@pytest.mark.parametrize("word", ["didn't", "you'll", "won't", "patient's", "follow-up", "using"])
def test_contractions_and_compounds_are_in_general_use(word: str) -> None:
    assert in_general_use(word)


@pytest.mark.parametrize("word", ["aspirin", "pneumonia", "crohn's", "mg", "sodium", "x-ray"])
def test_medical_words_are_not_in_general_use(word: str) -> None:
    assert not in_general_use(word)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "What dose of aspirin was prescribed at discharge?",
            "What dose of insulin glargine was prescribed at discharge?",
        ),
        (
            "What did incision with removal of foreign body from skin show on 2150-03-01?",
            "What did chest (PA and lateral) show on 2151-12-24?",
        ),
        (
            "You reported fever, chills and cough.",
            "You reported headache.",
        ),
        (
            "Your sodium was 140, your potassium 4.5.",
            "Your creatinine was 1.2, your hemoglobin 9.",
        ),
    ],
)
def test_texts_that_differ_in_their_slots_only_have_one_form(one: str, other: str) -> None:
    assert one != other
    assert form_of(one, NO_RECORD) == form_of(other, NO_RECORD)


def test_a_form_keeps_its_frame() -> None:
    assert form_of("What dose of aspirin was prescribed on 2150-03-01?", NO_RECORD) == (
        "what dose of # was prescribed on # ?"
    )


def test_texts_that_ask_for_different_things_have_different_forms() -> None:
    forms = {
        form_of(text, NO_RECORD)
        for text in (
            "What dose of aspirin was prescribed at discharge?",
            "What dose of aspirin was taken before admission?",
            "Why was aspirin started?",
        )
    }
    assert len(forms) == 3


def test_words_of_any_record_are_slots_and_other_words_belong_to_the_frame() -> None:
    kept = frame_with("Aspirin held for epistaxis.")
    assert form_of("Hurrah, the aspirin is gone!", kept) == "hurrah the # is gone"
    assert form_of("Hurrah, the aspirin is gone!", NO_RECORD) == "# is gone"
    assert slot_words("Was aspirin 81 mg held for epistaxis?", kept) == {"aspirin", "epistaxis"}


def test_what_was_removed_from_a_note_is_no_word() -> None:
    assert plain_words("Dr. ___ saw Mr. ___; K+ 4.5") == ["dr", "saw", "mr", "k", "4", "5"]


def test_typographic_apostrophes_change_nothing() -> None:
    curly = "I couldn\N{RIGHT SINGLE QUOTATION MARK}t tell."
    assert form_of(curly, NO_RECORD) == form_of("I couldn't tell.", NO_RECORD)


WORDS = st.lists(
    st.sampled_from(
        ["what", "dose", "of", "and", "aspirin", "fever", "was", "3", "2150-03-01", "?"]
    )
)


@given(WORDS)
def test_a_form_is_its_own_form(words: list[str]) -> None:
    form = form_of(" ".join(words), NO_RECORD)
    assert form_of(form, NO_RECORD) == form


@given(WORDS, st.dates().map(str))
def test_another_date_is_the_same_form(words: list[str], date: str) -> None:
    text = " ".join(words)
    assert form_of(text.replace("2150-03-01", date), NO_RECORD) == form_of(text, NO_RECORD)
