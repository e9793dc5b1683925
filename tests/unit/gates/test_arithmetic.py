from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import ConversationLine
from tasks.gates.tables.arithmetic import is_extreme, is_movement

TIMES = ("2150-06-01 10:00:00", "2150-09-01 10:00:00", "2150-12-01 10:00:00")
TESTS = ("glucose", "lipase", "proBNP", "red blood cell count", "hematocrit", "lactate", "INR")
OPENINGS = (
    "Let me read you the discharge labs: before discharge we have {results}. That's all.",
    "A look at your discharge labs: the discharge values are {results}. Keep it.",
    "Your closing blood results: for discharge I have {results}.",
)


def lines(*texts: str) -> list[ConversationLine]:
    return [
        ConversationLine(turn_number=n, time=parse_time(time), speaker="Doctor", text=text)
        for n, (time, text) in enumerate(zip(TIMES, texts, strict=True), start=1)
    ]


REPORTS = lines(
    "The discharge values are glucose 115, lipase 361, red blood cell count 5.22 and mean"
    " corpuscular volume 88.",
    "The discharge values are glucose 125, lipase 561, red blood cell count 5.10 and mean"
    " corpuscular volume 90.",
    "The discharge values are glucose 117, lipase 267, red blood cell count 4.97 and mean"
    " corpuscular volume 90.",
)


def test_the_asked_value_is_found_among_others_whatever_its_name():
    moved = "How did lipase at discharge move over the three stays, step by step and in turn?"
    assert is_movement(moved, "rose, then fell", REPORTS)
    assert not is_movement(moved, "rose, then stayed the same", REPORTS)
    assert is_extreme("What was the lowest lipase at discharge and when?", "267", REPORTS)
    assert not is_extreme("What was the lowest lipase at discharge and when?", "88", REPORTS)


def test_words_that_say_when_or_nothing_do_not_name_a_value():
    timed = lines("At discharge 4 of lactate.", "At discharge 3 of lactate.", "At discharge 2.")
    assert not is_movement("How did lactate at discharge move?", "fell, then fell", timed)


def test_a_value_that_its_name_only_introduces_is_found():
    spoken = lines(
        "Before discharge the lipase came back at 361, and your INR was 1.0.",
        "Before discharge the lipase came back at 561, and your INR was 1.2.",
        "Before discharge the lipase came back at 267, and your INR was 1.1.",
    )
    assert is_extreme("What was the highest lipase at discharge?", "561", spoken)
    assert is_movement("What did the INR at discharge do?", "rose, then fell", spoken)


@given(st.data())
def test_any_test_of_a_report_moves_as_its_own_values_do(data: st.DataObject):
    asked = data.draw(st.sampled_from(TESTS))
    values = [data.draw(st.sampled_from((1.5, 4, 27, 361))) for _ in TIMES]
    texts: list[str] = []
    for value in values:
        others = data.draw(st.permutations([name for name in TESTS if name != asked]))
        shown = [f"{name} {at}.5" for at, name in enumerate(others[:3], start=5)]
        shown.insert(data.draw(st.integers(0, 3)), f"{asked} {value}")
        results = f"{', '.join(shown[:-1])} and {shown[-1]}"
        texts.append(data.draw(st.sampled_from(OPENINGS)).format(results=results))
    moves = [
        "rose" if later > earlier else "fell" if later < earlier else "stayed the same"
        for earlier, later in pairwise(values)
    ]
    question = f"What did {asked} at discharge do over the admissions, rise or fall, and in turn?"
    assert is_movement(question, ", then ".join(moves), lines(*texts))
