from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.characters import has_odd_character


@pytest.mark.parametrize(
    "text",
    [
        "furo\u200bsemide",
        "furo\u00adsemide",
        "\ufefffurosemide",
        "40\u00a0mg",
        "40\tmg",
        "two\nlines",
        "volume\ufe0f",
        "fur\N{CYRILLIC SMALL LETTER O}semide",
        "\N{GREEK CAPITAL LETTER ALPHA}spirin",
        "\N{CYRILLIC SMALL LETTER A}",
        "\N{FULLWIDTH LATIN SMALL LETTER A}spirin",
    ],
)
def test_what_a_reader_can_not_see_is_noticed(text: str) -> None:
    assert has_odd_character(text)


@pytest.mark.parametrize(
    "text",
    [
        "Furosemide 40 mg, \u201cas needed\u201d \u2013 twice",
        "caf\u00e9 au lait, Sj\u00f6gren",
        "50 \N{MICRO SIGN}g or 50 \N{GREEK SMALL LETTER MU}g",
        "\N{GREEK SMALL LETTER BETA}-blocker",
        "37 \N{DEGREE SIGN}C, n\N{MASCULINE ORDINAL INDICATOR} 2",
        "",
    ],
)
def test_plain_text_is_not(text: str) -> None:
    assert not has_odd_character(text)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_printable_ascii_is_never_odd(text: str) -> None:
    assert not has_odd_character(text)
