"""Runs of a note's words in a turn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.audit.texts.copying import Copy, NoteWords

NOTE = """Brief Hospital Course:
She was found to have a large left pleural effusion, and was
taken for drainage by the pulmonary team on the day after she came in.
Discharge Medications: 1. aspirin 81 mg PO DAILY 2. lisinopril 10 mg PO DAILY
3. metformin 500 mg PO BID 4. atorvastatin 40 mg PO QPM 5. furosemide 20 mg PO DAILY
"""
INDEX = NoteWords([NOTE])


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("How are you today?", Copy(0, 0)),
        ("You have a large left pleural effusion.", Copy(6, 6)),
        # The line break of the note and the case of the turn don't matter.
        ("SHE WAS FOUND to have a large left pleural effusion, and was taken", Copy(13, 10)),
        # One word changed in the middle cuts the run in two.
        ("she was found to show a large left pleural effusion", Copy(5, 5)),
    ],
)
def test_the_longest_run_is_counted_in_words(turn: str, expected: Copy) -> None:
    assert INDEX.longest_copy(turn) == expected


def test_a_sentence_read_out_is_a_copy() -> None:
    turn = (
        "You should know: was taken for drainage by the pulmonary team on the day after she came."
    )
    # 14 words, of which "by" and "day" can be part of a dose line and don't count.
    assert INDEX.longest_copy(turn) == Copy(12, 12)
    assert INDEX.longest_copy(turn).is_long


def test_a_list_of_medicines_with_doses_is_no_copy() -> None:
    turn = "Aspirin 81 mg PO daily 2 lisinopril 10 mg PO daily 3 metformin 500 mg PO BID."
    assert INDEX.longest_copy(turn) == Copy(3, 3)


def test_a_list_of_conditions_in_the_order_of_the_note_is_no_copy() -> None:
    conditions = (
        "heart failure, atrial fibrillation, chronic kidney disease, gout, old stroke, mild asthma"
    )
    copy = NoteWords([f"PMH: {conditions}"]).longest_copy(f"You have {conditions}.")
    assert copy == Copy(12, 3)
    assert not copy.is_long


def test_a_long_passage_is_a_copy_whatever_its_commas() -> None:
    passage = ", ".join(f"alpha{letter} beta{letter} gamma{letter}" for letter in "abcdefgh")
    assert NoteWords([passage]).longest_copy(passage) == Copy(24, 3)
    assert NoteWords([passage]).longest_copy(passage).is_long


def test_a_run_does_not_cross_from_one_note_into_another() -> None:
    assert NoteWords(["one two three", "four five six"]).longest_copy(
        "one two three four five six"
    ) == Copy(3, 3)


LETTERS = st.lists(st.sampled_from("abc"), max_size=12)


@given(LETTERS, LETTERS)
def test_the_passage_is_the_longest_common_run(note: list[str], turn: list[str]) -> None:
    runs = {tuple(note[i:j]) for i in range(len(note)) for j in range(i + 3, len(note) + 1)}
    expected = max(
        (
            j - i
            for i in range(len(turn))
            for j in range(i + 3, len(turn) + 1)
            if tuple(turn[i:j]) in runs
        ),
        default=0,
    )
    copy = NoteWords([" ".join(note)]).longest_copy(" ".join(turn))
    assert copy == Copy(expected, expected)
