import pytest

from tasks.audit.grounding.sides import sides
from tasks.audit.grounding.terms import build_terms
from tasks.audit.grounding.text import sentence_of
from tasks.audit.grounding.turns import audit_turns
from tests.unit.audit.grounding_stay import chart, session, terms, unsupported


def read(text: str) -> list[str]:
    sentence = sentence_of(text)
    return [one.side for one in sides(sentence, terms().mentions(sentence))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the left lower lobe", ["left"]),
        ("LLL opacity", ["left"]),
        ("right-sided weakness", ["right"]),
        ("pain in the chest on the left", ["left"]),
        ("bilateral leg swelling", ["left", "right"]),
        ("That's right.", []),
        ("Right away, all right?", []),
        ("You left the hospital.", []),
        ("I left my glasses at home.", []),
        ("two tablets left", []),
        ("your left pyelonephritis", ["left"]),
        ("a right obstructing kidney stone", ["right"]),
        ("the R thoracentesis", ["right"]),
        ("That's right, pneumonia is what it was.", []),
        ("You left pneumonia behind you.", []),
        ("You had no pneumonia left and headache went away.", []),
        ("We treat right away pneumonia that is new.", []),
        ("Lie on your left side.", []),
    ],
)
def test_a_side_is_read_only_where_it_is_said_of_the_body(text: str, found: list[str]):
    assert read(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("There is fluid around your right lung.", []),
        ("The nodule is in the right upper lobe.", []),
        ("The nodule is in the left upper lobe.", [("laterality", "left upper lobe")]),
        ("Your left great toe is healing.", []),
        ("Your right great toe is healing.", [("laterality", "right great toe")]),
        ("Both legs are swollen.", []),
        ("Your left knee hurts.", []),
        ("Your left hip hurts.", [("laterality", "left hip")]),
    ],
)
def test_a_side_has_to_be_the_records(text: str, found: list[tuple[str, str]]):
    assert unsupported(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The scan shows right pyelonephritis without abscess.", []),
        ("The scan shows left pyelonephritis.", [("laterality", "left pyelonephritis")]),
        ("Among the problems was right ureteral stone.", []),
        ("Among the problems was left ureteral stone.", [("laterality", "left ureteral")]),
        ("There is a right Zuber swelling.", []),
        ("There is a left Zuber swelling.", [("laterality", "left Zuber")]),
        ("Your right thoracentesis went well.", []),
        ("Your left thoracentesis went well.", [("laterality", "left thoracentesis")]),
    ],
)
def test_a_finding_or_procedure_has_the_side_that_the_record_gives_it(
    text: str, found: list[tuple[str, str]]
):
    note = chart().discharge_notes[0]
    added = (
        "\n\nCT: right pyelonephritis, obstructing right ureteral stone, right Zuber swelling.\n"
    )
    bundle = chart().model_copy(
        update={"discharge_notes": (note.model_copy(update={"text": note.text + added}),)}
    )
    turn = audit_turns(session(text, bundle=bundle), build_terms([bundle]))[0]
    sided = [(one.kind, one.text) for one in turn.unsupported if one.kind == "laterality"]
    assert sided == found
