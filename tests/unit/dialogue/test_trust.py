from tasks.contracts.clock import parse_time
from tasks.contracts.records import FactKind
from tasks.dialogue.trust import (
    bare_violations,
    copy_violations,
    early_violations,
    repeat_violations,
    run_violations,
)
from tests.factories.dialogues import line
from tests.factories.records import bundle, discharge_note, fact


def test_a_turn_said_before_is_named_with_the_first_one_whoever_speaks() -> None:
    said = "I will come back tomorrow and we will talk."
    lines = [line(1, said), line(2, "Fine."), line(3, said.upper(), speaker="Patient")]
    (found,) = repeat_violations(lines)
    assert found.public == "repeated_turn: turn 3"
    assert found.told == "turn 3 repeats turn 1 nearly word for word: say something new"
    assert found.place == 3


def test_a_turn_that_says_all_of_an_earlier_one_and_more_repeats_it() -> None:
    said = "We increased the water pill because there was still too much fluid in you."
    lines = [line(1, said), line(2, f"As I told you this morning already: {said} Do rest now.")]
    assert [one.public for one in repeat_violations(lines)] == ["repeated_turn: turn 2"]
    short = [line(1, "We increased the water pill."), line(2, f"As I told you: {lines[0].text}")]
    assert not list(repeat_violations(short))


def test_one_other_word_in_ten_makes_no_new_turn() -> None:
    lines = [
        line(1, "I am worried about going home and being alone at night."),
        line(2, "I am worried about going home and being alone at last."),
        line(3, "I am glad about going home and sleeping well at last."),
    ]
    assert [one.place for one in repeat_violations(lines)] == [2]


def test_like_courtesies_and_other_numbers_are_no_repetition() -> None:
    lines = [
        line(1, "Thank you very much."),
        line(2, "Thank you so much."),
        line(3, "Your hemoglobin on that morning was 10.1 and it stayed there."),
        line(4, "Your hemoglobin on that morning was 10.4 and it stayed there."),
    ]
    assert not list(repeat_violations(lines))
    assert [one.place for one in repeat_violations([*lines, line(5, "Thank you so much!")])] == [5]


def test_a_note_is_retold_and_not_read_aloud() -> None:
    read = "She was volume overloaded on arrival and improved with intravenous diuretics."
    both = f"{read} Furosemide was increased to 80 mg twice daily because of persistent overload."
    longer = (
        "who presents with three days of cough and shortness of breath and nothing besides that"
    )
    stay = bundle(notes=[discharge_note(f"{both} A woman {longer}.")])
    lines = [line(1, f"You are one {longer}."), line(2, read), line(3, both)]
    assert [(one.public, one.told) for one in copy_violations(lines, stay)] == [
        ("copied_turn: turn 1", "turn 1 copies 14 words of the source in a row: retell them"),
    ]


def test_five_turns_of_one_speaker_in_a_row_are_too_many() -> None:
    lines = [line(1, speaker="Patient"), *(line(number) for number in range(2, 7))]
    assert [one.public for one in run_violations(lines)] == [
        "speakers: Doctor alone speaks from turn 2 to turn 6"
    ]
    assert not list(run_violations(lines[:5]))


def test_a_result_is_not_told_before_it_was_known() -> None:
    known = fact(
        FactKind.CULTURE,
        "urine culture",
        "Escherichia coli",
        detail={"reported": "2150-06-01 10:00:00"},
    )
    text = "Your urine culture grew Escherichia coli."
    lines = [line(1, text, 59), line(2, "We wait for the urine culture.", 59), line(3, text, 60)]
    (found,) = early_violations(lines, [known])
    assert found.public == "early_result: turn 1"
    assert "the result is known from 2150-06-01 10:00:00" in found.told


def test_the_same_result_of_an_earlier_test_may_be_told() -> None:
    first, second = (
        fact(
            FactKind.IMAGING,
            "chest film",
            "No acute process",
            number,
            parse_time(f"2150-06-0{number} 09:00:00"),
        )
        for number in (1, 2)
    )
    lines = [line(1, "The chest film says: no acute process.", 60)]
    assert not list(early_violations(lines, [first, second]))
    assert len(list(early_violations(lines, [second]))) == 1


def test_a_turn_of_a_single_word_is_bare() -> None:
    lines = [line(1, "Answers."), line(2, "Thank you."), line(3, "Yes")]
    assert [one.public for one in bare_violations(lines)] == [
        "bare_turn: turn 1",
        "bare_turn: turn 3",
    ]
