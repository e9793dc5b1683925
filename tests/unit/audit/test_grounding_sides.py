import pytest

from tasks.audit.grounding_sides import sides
from tasks.audit.grounding_text import sentence_of
from tests.unit.audit.grounding_stay import unsupported


def read(text: str) -> list[str]:
    return [one.side for one in sides(sentence_of(text))]


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
