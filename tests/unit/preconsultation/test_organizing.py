from tasks.contracts.errors import ModelFailed
from tasks.contracts.preconsultation import TurnUnits, Unit
from tasks.preconsultation.organizing import organize
from tests.factories.dictated import Said, dictated
from tests.factories.profiles import interview

COUGH = ("Question: Do you cough?\nOptions: dry cough, wet cough, fever", "dry cough")
NIGHT = ("Question: When?\nOptions: at night, by day", "at night")
LOST = ("Hm.", "")


def units(*found: tuple[str, bool]) -> Said:
    return {"units": [{"statement": text, "is_negative": flag} for text, flag in found]}


def test_facts_are_kept_by_turn():
    model = dictated(units(("dry cough", False), ("no fever", True)), units(("at night", False)))
    organized = organize(interview(COUGH, NIGHT), "en", model)
    assert organized.turns == (
        TurnUnits(
            number=1,
            units=(
                Unit(statement="dry cough", is_negative=False),
                Unit(statement="no fever", is_negative=True),
            ),
        ),
        TurnUnits(number=2, units=(Unit(statement="at night", is_negative=False),)),
    )


def test_a_fact_that_the_turn_does_not_say_is_left_out_and_counted():
    model = dictated(units(("dry cough", False), ("no weight loss", True), ("", False)))
    (turn,) = organize(interview(COUGH), "en", model).turns
    assert ([one.statement for one in turn.units], turn.unsupported) == (["dry cough"], 2)


def test_a_fact_said_before_is_left_out_and_counted():
    model = dictated(
        units(("dry cough", False), ("Dry cough.", False), ("dry cough", True)),
        units(("DRY COUGH", False)),
    )
    first, second = organize(interview(COUGH, COUGH), "en", model).turns
    assert (len(first.units), first.duplicates) == (2, 1)
    assert (second.units, second.duplicates) == ((), 1)


def test_a_turn_without_a_question_is_not_asked_about():
    model = dictated(units(("dry cough", False)))
    first, second = organize(interview(LOST, COUGH), "en", model).turns
    assert (first, len(second.units), len(model.requests)) == (TurnUnits(number=1), 1, 1)


def test_a_turn_that_fails_leaves_the_others():
    model = dictated(ModelFailed("no", "refused"), units(("at night", False)))
    first, second = organize(interview(COUGH, NIGHT), "en", model).turns
    assert (first.failed, first.units) == ("organizer: refused", ())
    assert len(second.units) == 1


def test_what_a_turn_says_does_not_depend_on_later_turns():
    said = (units(("dry cough", False)), units(("at night", False)))
    long = organize(interview(COUGH, NIGHT), "en", dictated(*said))
    short = organize(interview(COUGH), "en", dictated(*said))
    assert long.turns[:1] == short.turns
