from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from tasks.adapters.llm.reading import MOST_VIOLATIONS, read_reply
from tasks.contracts.errors import ReplyMalformed


class Turn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    number: int = Field(ge=1)
    speaker: Literal["Doctor", "Patient"]
    text: str = Field(min_length=1)


class Talk(BaseModel):
    model_config = ConfigDict(extra="forbid")

    turns: list[Turn]


_GOOD = '{"turns": [{"number": 1, "speaker": "Doctor", "text": "Hello {you}."}]}'
_TALK = Talk(turns=[Turn(number=1, speaker="Doctor", text="Hello {you}.")])


def _violations(content: str) -> tuple[str, ...]:
    with pytest.raises(ReplyMalformed) as error:
        read_reply(content, Talk)
    assert error.value.outcome == "invalid"
    assert error.value.__context__ is None
    return error.value.violations


@pytest.mark.parametrize(
    "content",
    [
        _GOOD,
        f"\ufeff \n{_GOOD}\n",
        f"```json\n{_GOOD}\n```",
        f"```\n{_GOOD}\n```",
        f"Here it is:\n```json\n{_GOOD}\n```\nHope that helps {{really}}.",
        f"Sure {{of course}}: {_GOOD} Anything else?",
        f"<think>two {{speakers}}, {{}} and\n{_GOOD[:-1]}, so</think>\n{_GOOD}",
        f'<think>a draft: {{"turns": []}}</think>{_GOOD}',
        f'A draft: {{"turns": []}}</think>{_GOOD}',
        f'The shape is {{"turns": []}}, so: {_GOOD}',
        f"[{_GOOD}]",
        f"{_GOOD}}}",
        f"{_GOOD}<|im_end|>",
    ],
)
def test_the_object_is_found_whatever_stands_around_it(content: str) -> None:
    assert read_reply(content, Talk) == _TALK


@pytest.mark.parametrize("content", ["", " \n", "<think>still thinking", "\ufeff"])
def test_an_empty_reply_is_told_as_empty(content: str) -> None:
    assert _violations(content) == ("the reply is empty; expected one JSON object",)


@pytest.mark.parametrize(
    "content", ["I can't do that.", "[1, 2]", "null", "{'turns': []}", "{so}", f"<think>{_GOOD}"]
)
def test_a_reply_without_an_object_is_told_so(content: str) -> None:
    assert len(_violations(content)) == 1


def test_reasoning_that_never_ends_is_no_answer() -> None:
    assert _violations(f"<think>{_GOOD}") == ("the reply is empty; expected one JSON object",)


def test_each_broken_rule_is_told_with_its_place_and_what_was_found() -> None:
    content = '{"turns": [{"number": 0, "speaker": "Nurse", "text": "x", "tone": "kind"}]}'
    assert _violations(content) == (
        "turns[0].number: Input should be greater than or equal to 1; found 0",
        "turns[0].speaker: Input should be 'Doctor' or 'Patient'; found \"Nurse\"",
        'turns[0].tone: Extra inputs are not permitted; found "kind"',
    )


def test_a_missing_field_is_told_without_repeating_the_object() -> None:
    assert _violations("{}") == ("turns: Field required",)


def test_long_values_are_shortened() -> None:
    violation = _violations(json.dumps({"turns": [], "more": "m" * 500}))[0]
    assert len(violation) < 120


def test_at_most_twenty_violations_are_told_and_the_rest_counted() -> None:
    turn = {"number": 0, "speaker": "Doctor", "text": "x"}
    told = _violations(json.dumps({"turns": [turn] * 30}))
    assert len(told) == MOST_VIOLATIONS == 20
    assert told[-1] == "and 11 more of the kind"


def test_cut_json_is_told_by_where_it_stops_and_not_by_a_part_that_is_whole() -> None:
    turn = '{"number": 1, "speaker": "Doctor", "text": "x"}'
    (told,) = _violations(f'{{"turns": [{turn}, {turn}, {{"number": 3')
    assert told == (
        "not JSON: Expecting ',' delimiter at character 121, after "
        '"r\\", \\"text\\": \\"x\\"}, {\\"number\\": 3"'
    )


def test_a_string_without_an_end_is_told_by_where_it_begins() -> None:
    (told,) = _violations('{"turns": [{"text": "Hello')
    assert told == (
        'not JSON: Unterminated string at character 20, after "{\\"turns\\": [{\\"text\\": "'
    )


def test_of_two_broken_objects_the_longer_one_is_told() -> None:
    told = _violations('{"a": 1} {"turns": [{"number": 2, "speaker": "Doctor"}]}')
    assert told == ("turns[0].text: Field required",)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        ("NaN", "NaN is no JSON number of a usable size"),
        ("-Infinity", "-Infinity is no JSON number of a usable size"),
        ("1e999", "1e999 is no JSON number of a usable size"),
        ("1" * 5000, f"{'1' * 60} is no JSON number of a usable size"),
    ],
)
def test_numbers_that_are_none_are_refused(number: str, told: str) -> None:
    content = f'{{"turns": [{{"number": {number}, "speaker": "Doctor", "text": "x"}}]}}'
    assert _violations(content) == (told,)


def test_a_key_that_appears_twice_is_refused_instead_of_losing_a_value() -> None:
    content = '{"turns": [{"number": 1, "speaker": "Doctor", "text": "a", "text": "b"}]}'
    assert _violations(content) == ('the key "text" appears twice in one object',)


def test_a_reply_beyond_all_bounds_is_told_so_without_being_read() -> None:
    filled = _GOOD.replace("Hello", "a" * 300_000)
    assert _violations(filled) == (
        f"the reply has {len(filled)} characters; expected at most 300000",
    )


def test_a_line_break_inside_a_string_is_read() -> None:
    content = '{"turns": [{"number": 1, "speaker": "Doctor", "text": "one\ntwo"}]}'
    assert read_reply(content, Talk).turns[0].text == "one\ntwo"


def test_nesting_without_end_is_told_instead_of_crashing() -> None:
    told = _violations('{"turns": ' + '{"a": ' * 40_000)
    assert told == ("the object is nested too deeply",)


@pytest.mark.parametrize("text", [r"ok \ud83d then", "ok \ud83d then"])
def test_half_a_pair_is_replaced(text: str) -> None:
    content = f'{{"turns": [{{"number": 1, "speaker": "Doctor", "text": "{text}"}}]}}'
    assert read_reply(content, Talk).turns[0].text == "ok \ufffd then"


@pytest.mark.parametrize("text", [r"fine \ud83d\ude42", "fine \ud83d\ude42", "fine \U0001f642"])
def test_a_whole_pair_survives(text: str) -> None:
    content = f'{{"turns": [{{"number": 1, "speaker": "Doctor", "text": "{text}"}}]}}'
    assert read_reply(content, Talk).turns[0].text == "fine \U0001f642"


def test_what_is_sent_back_can_be_written_as_utf8() -> None:
    with pytest.raises(ReplyMalformed) as error:
        read_reply('{"turns": "\ud83d \\udc00"}', Talk)
    error.value.content.encode("utf-8")
    "".join(error.value.violations).encode("utf-8")


_ANY_TEXT = st.text(st.characters(), max_size=60)
_PROSE = st.text(st.characters(exclude_characters="{[`<", exclude_categories=["Cs"]), max_size=40)
_TALKS = st.builds(
    Talk,
    turns=st.lists(
        st.builds(
            Turn,
            number=st.integers(1, 10**17),
            speaker=st.sampled_from(["Doctor", "Patient"]),
            text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30),
        ),
        max_size=4,
    ),
)


@given(_TALKS, _PROSE, _PROSE, st.booleans())
def test_any_reply_is_read_out_of_any_prose(
    talk: Talk, before: str, after: str, ascii_only: bool
) -> None:
    written = json.dumps(talk.model_dump(), ensure_ascii=ascii_only)
    assert read_reply(f"{before}{written}{after}", Talk) == talk


@given(st.one_of(_ANY_TEXT, _TALKS.map(lambda talk: talk.model_dump_json())), st.data())
def test_any_text_is_read_or_refused_without_being_quoted(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    spoilt = (
        text[:place] + data.draw(st.sampled_from(["", '"', "{", "}", "\\", ","])) + text[place:]
    )
    try:
        reply = read_reply(spoilt, Talk)
    except ReplyMalformed as error:
        told = str(error).removesuffix(str(len(error.violations)))
        assert told == "the reply is no JSON of the shape Talk: violations: "
        assert 1 <= len(error.violations) <= MOST_VIOLATIONS
        "".join((error.content, *error.violations)).encode("utf-8")
    else:
        reply.model_dump_json().encode("utf-8")


class Verdict(BaseModel):
    correct: bool


@pytest.mark.parametrize(
    "content",
    [
        '{"correct": true} {"correct": false}',
        'First I thought {"correct": false}. Now I think\n{"correct": true}',
        '```json\n{"correct": true}\n```\n```json\n{"correct": false}\n```',
    ],
)
def test_objects_that_say_different_things_are_no_reply(content: str) -> None:
    with pytest.raises(ReplyMalformed) as error:
        read_reply(content, Verdict)
    assert error.value.violations == (
        "the reply holds several different JSON objects; expected one",
    )


def test_an_object_that_is_said_twice_is_one_reply() -> None:
    assert read_reply('{"correct": true}\n{"correct":true}', Verdict).correct is True


def test_a_sketch_before_the_reply_is_passed_over() -> None:
    sketch = '{"turns": [{"number": 1, "speaker": "Doctor", "text": "?"}]}'
    lines = ", ".join(f'{{"number": 1, "speaker": "Doctor", "text": "Hello {n}"}}' for n in "abc")
    whole = f'{{"turns": [{lines}]}}'
    assert len(read_reply(f"{sketch}\n{whole}", Talk).turns) == 3
