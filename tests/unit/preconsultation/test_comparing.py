import pytest

from tasks.contracts.errors import ModelFailed
from tasks.contracts.preconsultation import OrganizedInterview, TurnMatches, TurnUnits, Unit
from tasks.preconsultation.comparing import compare, verbatim
from tasks.preconsultation.shapes import ComparedTurn, CompareTask
from tests.factories.dictated import DictatedModel, Said, dictated
from tests.factories.profiles import GUIDELINES

NONE = "None of Above"


def matches(*texts: str) -> Said:
    return {"matches": list(texts)}


def compared(model: DictatedModel, *statements: str) -> TurnMatches:
    units = tuple(Unit(statement=one, is_negative=False) for one in statements)
    organized = OrganizedInterview(pid="1", turns=(TurnUnits(number=1, units=units),))
    (turn,) = compare(organized, "Asthma", GUIDELINES, "en", model).turns
    return turn


def read(turn: TurnMatches) -> list[tuple[str | None, bool]]:
    return [(one.guideline, one.is_error) for one in turn.matches]


def test_a_verbatim_reply_is_a_match_and_none_of_above_is_none():
    model = dictated(matches("Cough at Night", NONE, " Cough "))
    turn = compared(model, "coughs at night", "likes cats", "coughs")
    assert read(turn) == [("Cough at Night", False), (None, False), ("Cough", False)]
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    "reply", ["Coug", "cough", "Cough at night", "- Cough", "Cough, Wheezing", "Dizziness", "None"]
)
def test_a_reply_that_is_not_a_guideline_letter_for_letter_is_asked_again(reply: str):
    model = dictated(matches(reply), matches("Cough"))
    assert read(compared(model, "coughs")) == [("Cough", False)]
    sent_back = model.requests[1].exchanges[0]
    assert reply in sent_back.reply
    assert "letter for letter" in sent_back.answer


def test_twice_not_verbatim_is_a_matching_error_of_that_fact_alone():
    model = dictated(matches("Wheezing", "Coughing"), matches("Cough", "Coughing"))
    assert read(compared(model, "wheezes", "coughs")) == [("Wheezing", False), (None, True)]


def test_a_reply_of_another_length_is_asked_again_as_a_whole():
    model = dictated(matches("Cough"), matches("Wheezing", "Cough"))
    assert read(compared(model, "wheezes", "coughs")) == [("Wheezing", False), ("Cough", False)]


def test_replies_without_shape_are_errors_after_the_second():
    model = dictated("Cough!", "Cough!")
    assert read(compared(model, "coughs")) == [(None, True)]


def test_a_refusal_makes_the_turn_missing():
    turn = compared(dictated(ModelFailed("no", "refused")), "coughs")
    assert (turn.matches, turn.failed) == ((), "comparer: refused")


def test_nothing_is_asked_where_there_are_no_facts():
    model = dictated()
    assert compared(model) == TurnMatches(number=1)
    assert not model.requests


def test_the_comparer_sees_the_guidelines_of_the_disease_alone():
    model = dictated(matches(NONE))
    compared(model, "coughs")
    told = model.requests[0].task_message
    assert "Cough at Night" in told
    assert "Dizziness" not in told


def test_only_whole_guidelines_are_verbatim():
    task = CompareTask(
        language="en",
        disease="Asthma",
        guidelines=("Cough", "Cough at Night"),
        statements=("a", "b"),
    )
    assert verbatim(ComparedTurn(matches=("Cough", "Night")), task) == {0: "Cough"}
