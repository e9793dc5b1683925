from __future__ import annotations

from flows.preconsult_comparisons import compared_doctors, compared_with_people
from flows.preconsult_files import by_doctor
from flows.preconsult_plots import turns_plot
from flows.preconsult_tables import all_tables
from tasks.contracts.preconsultation import ScoreLine
from tests.gates.preconsult_tables import lines


def after_two_turns(doctor: str, **changed: object) -> list[ScoreLine]:
    """The lines of two patients."""
    found = [one for one in lines(doctor) if one.turns == 2]
    return [one.model_copy(update=changed) for one in found]


def test_every_two_doctors_are_compared():
    doctors = by_doctor([*after_two_turns("a"), *after_two_turns("b"), *after_two_turns("c")])
    pairs = [(row[3], row[4]) for row in compared_doctors(doctors).rows]
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]


def test_scores_of_a_person_are_of_one_language():
    known = [*after_two_turns("d"), *after_two_turns("d", language="ko")]
    human = {("d", 2, "1"): 1.0, ("d", 2, "2"): 3.0, ("d", 2, "no such pid"): 3.0}
    table = compared_with_people(known, human, "en")
    (row,) = table.rows
    # Each patient's interview has two matches of a medium guideline.
    assert [str(cell) for cell in row[:8]] == ["en", "d", "rules", "2", "2", "2", "2.00", "2.00"]
    assert "of no scored interview: 1." in table.caption


def test_a_pid_whose_zeros_a_spreadsheet_took_is_found():
    zeros, other = after_two_turns("d")
    zeros = zeros.model_copy(update={"pid": "0051"})
    human = {("d", 2, "51"): 1.0}
    assert "of no scored interview: 0." in compared_with_people([zeros], human, "en").caption
    other = other.model_copy(update={"pid": "51"})
    (row,) = compared_with_people([zeros, other], human, "en").rows
    assert row[4:6] == (1, 1)


def test_a_table_tells_how_many_dialogues_were_diagnosed():
    first, second = after_two_turns("d")
    mute = second.model_copy(update={"top_1": None, "top_k": None})
    incomplete, table = all_tables([first, mute], {}, "en")[:2]
    assert (incomplete.key, incomplete.rows[0][-4:]) == ("preconsult-incomplete", (2, 0, 2, 1))
    row = dict(zip(table.head, table.rows[0], strict=True))
    assert (row["n"], row["missing"], row["diagnosed"]) == (2, 0, 1)


def test_a_plot_says_that_it_leaves_doctors_out():
    few = turns_plot(by_doctor(after_two_turns("a")))
    many = turns_plot(by_doctor([one for name in "abcdefghi" for one in after_two_turns(name)]))
    assert "The first" not in few
    assert "The first 8 of 9 doctors" in many
    assert "h, en" in many
    assert "i, en" not in many
