from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.audit.grounding.terms import build_terms
from tasks.dialogue.drafts import DialogueDraft, read_draft
from tasks.dialogue.judging import Judge
from tasks.dialogue.synthesis import dialogue_input
from tasks.ehr.facts import extract_facts
from tests.factories.drafts import composed_draft
from tests.factories.records import patient, record, rich_bundle, summary

BUNDLE = rich_bundle()
GIVEN = dialogue_input(
    record(BUNDLE, patient(), extract_facts(BUNDLE, patient())), summary(), (10, 70)
)
JUDGE = Judge(GIVEN, build_terms([BUNDLE]))
SOUND = composed_draft(GIVEN).model_dump()
QUATERMAIN = "Quatermain"

TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["", "___", "I am 40 years old.", "My COPD.", "2150-13-01", "On 2150-07-01."]),
).map(lambda text: f"{QUATERMAIN} {text}")
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "turn_number": st.integers(-5, 10**12),
        "time": st.one_of(TEXTS, st.sampled_from(["2150-06-01T09:00", "2150-06-09 10:00:00"])),
        "speaker": st.sampled_from(["Doctor", "patient", "Nurse", QUATERMAIN]),
        "text": TEXTS,
    },
)


def changed(turns: list[tuple[int, dict[str, Any]]], told: str | None) -> DialogueDraft:
    lines = [dict(line) for line in SOUND["conversation_lines"]]
    for place, change in turns:
        lines[place % len(lines)].update(change)
    written = dict(SOUND["summary"])
    if told is not None:
        written.update(summary_paragraph=told, problems=[told])
    return DialogueDraft.model_validate({"conversation_lines": lines, "summary": written})


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 100), CHANGES), max_size=6), st.one_of(st.none(), TEXTS))
def test_any_draft_is_read_or_its_faults_named_without_its_words(
    turns: list[tuple[int, dict[str, Any]]], told: str | None
) -> None:
    reply, broken = read_draft(changed(turns, told))
    assert (reply is None) == bool(broken)
    faults = broken if reply is None else JUDGE.faults_of(reply)
    assert not any(QUATERMAIN in one.public for one in faults)
    assert all(one.told for one in faults)


def test_a_sound_draft_has_no_fault() -> None:
    reply, broken = read_draft(DialogueDraft.model_validate(SOUND))
    assert not broken
    assert reply is not None
    assert JUDGE.faults_of(reply) == ()


@pytest.mark.parametrize(
    ("paragraph", "problems", "broken"),
    [
        ("Admitted with shortness of breath. She smokes.", ["Pneumonia"], "undocumented (smoking)"),
        ("Shortness of breath. Aspirin was stopped.", ["Pneumonia"], "reversed"),
        ("Treated in Boston for pneumonia.", ["Pneumonia"], "invented_name"),
        ("Admitted with pneumonia. The patient died.", ["Pneumonia"], "told_death"),
        ("Admitted with **pneumonia**.", ["Pneumonia"], "markup"),
        ("Admitted with pneumonia.", ["Mr. Smith"], "invented_name"),
        ("Admitted with pneumonia.", ["Pneumonia", "pneumonia"], "summary: problems are listed"),
        ("Admitted with pneumonia.", ["12345678"], "summary: a problem is no name of one"),
        ("Admitted with pneumonia.", ["pneumonia " * 40], "summary: a problem is no name of one"),
    ],
)
def test_a_summary_is_judged_as_turns_are(paragraph: str, problems: list[str], broken: str) -> None:
    reply, _ = read_draft(changed([], paragraph))
    assert reply is not None
    told = reply.summary.model_copy(update={"problems": tuple(problems)})
    found = JUDGE.faults_of(reply.model_copy(update={"summary": told}))
    assert broken in " ".join(one.public for one in found)
    assert {one.place for one in found} == {"summary"}


@pytest.mark.parametrize("text", ["1," * 100_000, "a" * 200_000, "no " * 70_000])
def test_a_text_without_end_is_named_and_nothing_else_looked_for(text: str) -> None:
    reply, _ = read_draft(changed([(20, {"text": text})], text))
    assert reply is not None
    found = JUDGE.faults_of(reply)
    assert {one.public for one in found} == {"endless_text: turn 21", "endless_text: summary"}
