from __future__ import annotations

from pathlib import Path

import pytest

from tasks.audit.reading import read_patient
from tasks.audit.tracing import trace_answer
from tasks.contracts.errors import ReleaseError, SettingError
from tests.factories.released_patients import SUBJECTS
from tests.factories.releases import write_release

SUBJECT = SUBJECTS[0]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path / "release")


def question_citing(release: Path, turn: int) -> str:
    for question in read_patient(release / SUBJECT).questions:
        cited = [one.turn_number for one in question.evidence.turns]
        if cited == [turn]:
            return question.qa_id
    raise LookupError(turn)


def test_an_answer_leads_to_its_turns_and_to_the_characters_of_the_note(release: Path) -> None:
    trace = trace_answer(release, question_citing(release, 3))
    (turn,) = trace.turns
    assert turn.line.turn_number == 3
    (source,) = turn.sources
    assert source.where == (
        "formed_packet.json/discharge_notes/0/text, Brief Hospital Course, characters 0 to 4"
    )
    bundle = read_patient(release / SUBJECT).sessions[0].bundle
    assert bundle is not None
    assert source.text == " ".join(bundle.discharge_notes[0].text[:4].split())


def test_a_turn_without_evidence_has_no_sources(release: Path) -> None:
    for path in release.glob("*/*/evidence.json"):
        path.unlink()
    trace = trace_answer(release, question_citing(release, 3))
    assert [(turn.sources, turn.known) for turn in trace.turns] == [((), False)]


def test_an_unknown_question_is_named(release: Path) -> None:
    with pytest.raises(SettingError, match="no question 99000001_nobody_q01"):
        trace_answer(release, "99000001_nobody_q01")


def test_damaged_evidence_is_named(release: Path) -> None:
    for path in release.glob("*/*/evidence.json"):
        path.write_text("{}")
    with pytest.raises(ReleaseError, match=r"evidence\.json: not evidence as documented"):
        trace_answer(release, question_citing(release, 3))
