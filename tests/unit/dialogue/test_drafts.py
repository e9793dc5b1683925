from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.clock import format_time
from tasks.contracts.dialogue import DialogueReply
from tasks.dialogue.drafts import (
    DialogueDraft,
    SummaryPatch,
    TurnPatch,
    TurnText,
    draft_of,
    patch_of,
    read_draft,
    tidy,
    with_summary,
    with_texts,
)
from tests.factories.dialogues import line, reply


def draft(*turns: dict[str, Any], **summary: Any) -> DialogueDraft:
    lines = [
        {
            "turn_number": number,
            "time": "2150-06-01 09:10:00",
            "speaker": "Doctor" if number % 2 else "Patient",
            "text": "Hello.",
            **turn,
        }
        for number, turn in enumerate(turns, start=1)
    ]
    told = {
        "admission_start": "2150-06-01 09:00:00",
        "admission_end": "2150-06-05 16:30:00",
        "summary_paragraph": "One paragraph.",
        "problems": ["gout"],
        **summary,
    }
    return DialogueDraft.model_validate({"conversation_lines": lines, "summary": told})


def read(one: DialogueDraft) -> DialogueReply:
    made, faults = read_draft(one)
    assert made is not None
    assert not faults
    return made


def test_a_sound_draft_becomes_turns_without_sources() -> None:
    made = read(draft({}, {"text": "Good morning."}))
    assert [(one.speaker, one.text, one.sources) for one in made.conversation_lines] == [
        ("Doctor", "Hello.", ()),
        ("Patient", "Good morning.", ()),
    ]
    assert made.summary.problems == ("gout",)


@pytest.mark.parametrize(
    "spelling",
    ["2150-06-01 09:10:00", "2150-06-01T09:10:00", "2150-06-01 09:10", " 2150-06-01T09:10 "],
)
def test_usual_spellings_of_a_time_are_read(spelling: str) -> None:
    made = read(draft({"time": spelling}, admission_end=spelling))
    assert format_time(made.conversation_lines[0].time) == "2150-06-01 09:10:00"
    assert format_time(made.summary.admission_end) == "2150-06-01 09:10:00"


def test_a_speaker_is_known_in_any_case() -> None:
    made = read(draft({"speaker": "DOCTOR"}, {"speaker": " patient"}))
    assert [one.speaker for one in made.conversation_lines] == ["Doctor", "Patient"]


@pytest.mark.parametrize(
    ("turn", "public", "told"),
    [
        (
            {"speaker": "Nurse"},
            "speaker: turn 2 is not Doctor or Patient",
            "turn 2: speaker `Nurse` is not Doctor or Patient",
        ),
        (
            {"time": "the next morning"},
            "time: turn 2 has no time of the form YYYY-MM-DD HH:MM:SS",
            "turn 2: time `the next morning` is not of the form YYYY-MM-DD HH:MM:SS",
        ),
        (
            {"time": "2150-02-30 09:00:00"},
            "time: turn 2 has no time of the form YYYY-MM-DD HH:MM:SS",
            "turn 2: time `2150-02-30 09:00:00` is not of the form YYYY-MM-DD HH:MM:SS",
        ),
        (
            {"turn_number": 0},
            "turn_number: expected 2, found another",
            "turn_number: expected 2, found 0",
        ),
    ],
)
def test_what_can_not_be_read_is_named_exactly(
    turn: dict[str, Any], public: str, told: str
) -> None:
    made, faults = read_draft(draft({}, turn))
    assert made is None
    assert [(one.public, one.told, one.place) for one in faults] == [(public, told, "whole")]


def test_a_summary_without_times_is_named() -> None:
    _, faults = read_draft(draft({}, admission_start="June"))
    assert [one.told for one in faults] == [
        "summary: admission_start `June` is not of the form YYYY-MM-DD HH:MM:SS"
    ]


def test_an_empty_text_is_left_to_the_rules() -> None:
    assert read(draft({"text": ""})).conversation_lines[0].text == " "


def test_line_breaks_of_a_paragraph_are_left_to_the_rules() -> None:
    made = read(draft({}, summary_paragraph="One.\n\nTwo ,\tthree."))
    assert made.summary.summary_paragraph == "One.\n\nTwo , three."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It\u2019s \u201cfine\u201d.", 'It\'s "fine".'),
        ("5\u202fmg\u00a0daily", "5 mg daily"),
        ("meta\u200bstatic\n disease ", "metastatic disease"),
        ("ok \ufffd then", "ok then"),
        ("na\u00efve", "na\u00efve"),
        ("\uff15\uff10 mg", "50 mg"),
        ("\U0001d7d3 mg of 10\u2079", "5 mg of 10\u2079"),
    ],
)
def test_typography_is_made_plain(text: str, expected: str) -> None:
    assert tidy(text) == expected


@given(st.text())
def test_a_tidied_text_is_one_line_and_stays_as_it_is(text: str) -> None:
    once = tidy(text)
    assert "\n" not in once
    assert tidy(once) == once


def test_only_the_turns_asked_for_get_another_text() -> None:
    patch = TurnPatch(
        turns=[TurnText(turn_number=2, text=" New. "), TurnText(turn_number=1, text="Not asked.")]
    )
    made = with_texts(reply(), patch, [2, 3])
    assert [one.text for one in made.conversation_lines] == ["Good morning.", "New."]


def test_another_summary_keeps_the_times() -> None:
    before = reply(line(1))
    after = with_summary(before, SummaryPatch(summary_paragraph=" New. ", problems=["a", "b"]))
    assert after.summary.summary_paragraph == "New."
    assert after.summary.problems == ("a", "b")
    assert after.summary.admission_start == before.summary.admission_start


def test_the_schema_of_a_draft_asks_for_its_turns() -> None:
    lines = draft_of(6, 10).model_json_schema()["properties"]["conversation_lines"]
    assert (lines["minItems"], lines["maxItems"]) == (6, 10)
    assert draft_of(6, 10) is draft_of(6, 10)
    assert draft_of(6, 10).__name__ == "DialogueDraft"


def test_the_schema_of_a_patch_asks_for_its_turns_alone() -> None:
    schema = patch_of((3, 8)).model_json_schema()
    turns = schema["properties"]["turns"]
    assert (turns["minItems"], turns["maxItems"]) == (2, 2)
    assert schema["$defs"]["TurnText"]["properties"]["turn_number"]["enum"] == [3, 8]
    assert patch_of((3, 8)).__name__ == "TurnPatch"
