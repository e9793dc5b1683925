import pytest

from tasks.contracts.clock import format_time, parse_time
from tasks.contracts.dialogue import DialogueInput
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.outlining import OutlinedTurn, outline_of
from tests.factories.records import bundle, fact, patient, record, summary

ADMITTED = fact(FactKind.STAY, "admission date", "2150-06-01")
LEFT = fact(FactKind.STAY, "discharge date", "2150-06-05")
ASPIRIN = fact(FactKind.HOME_MEDICATION, "aspirin", "81 mg daily")
FILM = fact(
    FactKind.IMAGING,
    "chest film",
    "clear",
    time=parse_time("2150-06-01 11:00:00"),
    detail={"reported": "2150-06-03 20:00:00"},
)


def medicines(count: int) -> list[Fact]:
    return [
        fact(FactKind.DISCHARGE_MEDICATION, f"drug {number}", "5 mg") for number in range(count)
    ]


def outlined(*facts: Fact, turns: tuple[int, int] = (4, 4)) -> tuple[OutlinedTurn, ...]:
    known = record(bundle(), patient(), facts)
    return outline_of(DialogueInput(record=known, minimum_turns=turns[0], maximum_turns=turns[1]))


def test_facts_are_told_in_the_order_of_a_stay_by_the_doctor() -> None:
    found = outlined(LEFT, FILM, ASPIRIN, ADMITTED)
    assert [(one.number, one.speaker, one.told) for one in found] == [
        (
            1,
            "Doctor",
            ("your admission date is 2150-06-01", "at home you took aspirin 81 mg daily"),
        ),
        (2, "Patient", ()),
        (3, "Doctor", ("your chest film showed clear", "your discharge date is 2150-06-05")),
        (4, "Patient", ()),
    ]
    assert [one.asks_about for one in found] == ["", "chest film", "", ""]
    assert [format_time(one.time) for one in found[:2]] == [
        "2150-06-01 09:12:00",
        "2150-06-01 09:13:00",
    ]


def test_the_first_turn_names_a_problem_of_the_previous_stay() -> None:
    known = record(bundle(previous=summary("She was ill.", ("asthma", "gout"))), patient(), [])
    first, *_ = outline_of(DialogueInput(record=known, minimum_turns=2, maximum_turns=2))
    assert first.told == ("in your stay before this one it was asthma",)


def test_a_turn_waits_until_its_result_is_known() -> None:
    told = outlined(FILM, turns=(2, 2))
    assert [one.told for one in told] == [("your chest film showed clear",), ()]
    assert format_time(told[0].time) == "2150-06-03 20:00:00"


def test_of_too_many_facts_the_first_of_each_kind_are_told() -> None:
    found = outlined(*medicines(20), ASPIRIN, turns=(2, 2))
    assert found[0].told == (
        "at home you took aspirin 81 mg daily",
        "from now on you take drug 0 5 mg",
        "from now on you take drug 1 5 mg",
    )


@pytest.mark.parametrize(
    ("turns", "count"), [((4, 8), 6), ((4, 6), 6), ((5, 5), 5), ((50, 70), 60), ((4, 5), 4)]
)
def test_turns_are_an_even_number_in_the_middle_of_the_range(
    turns: tuple[int, int], count: int
) -> None:
    assert len(outlined(ADMITTED, turns=turns)) == count
