from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tasks.adapters.files import read_model, sha256_file
from tasks.contracts.build import STAGES, GateResult, Manifest
from tasks.contracts.questions import QuestionSet
from tasks.contracts.release import PatientSessions, ReleaseFacts
from tasks.release.card import render_card
from tasks.release.statistics import summarise_release
from tasks.release.writing import build_manifest, stage_patient
from tests.factories.released_patients import patient_sessions
from tests.factories.released_questions import patient_questions
from tests.factories.releases import release_facts, write_release


def plain(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_patient_is_written_in_the_published_layout(tmp_path: Path) -> None:
    stage_patient(tmp_path, patient_sessions(), patient_questions())
    stays = [
        f"99000001/{hadm_id}/{name}.json"
        for hadm_id in ("88001001", "88001002")
        for name in (
            "formed_packet",
            "prompt_record",
            "conversation",
            "summary",
            "evidence",
            "qa",
        )
    ]
    patient = [
        f"99000001/{name}.json"
        for name in (
            "combined_conversation",
            "patient_summary",
            "cross_admission_qa",
            "benchmark_qa",
        )
    ]
    assert sorted(files(tmp_path)) == sorted(patient + stays)


def test_files_have_the_published_keys(tmp_path: Path) -> None:
    stage_patient(tmp_path, patient_sessions(), patient_questions())
    base = tmp_path / "99000001"
    timeline = plain(base / "combined_conversation.json")
    assert list(timeline) == ["subject_id", "processed_hadm_ids", "admissions"]
    assert list(timeline["admissions"][0]) == [
        "hadm_id",
        "admission_start",
        "admission_end",
        "conversation_lines",
    ]
    assert timeline["admissions"][0]["conversation_lines"][0] == {
        "turn_number": 1,
        "time": "2150-06-01 09:01:00",
        "speaker": "Doctor",
        "text": "You were admitted on 2150-06-01 with shortness of breath from heart failure.",
    }
    packet = plain(base / "88001001" / "formed_packet.json")
    assert packet["previous_admission_summary"] is None
    assert plain(base / "88001002" / "formed_packet.json")["previous_admission_summary"] == plain(
        base / "88001001" / "summary.json"
    )


def test_single_admission_evidence_has_turn_ids_and_cross_admission_evidence_has_none(
    tmp_path: Path,
) -> None:
    stage_patient(tmp_path, patient_sessions(), patient_questions())
    base = tmp_path / "99000001"
    assert plain(base / "88001001" / "qa.json")["qas"][0]["evidence"] == {
        "admissions": ["88001001"],
        "turn_ids": [5],
        "turns": [{"hadm_id": "88001001", "turn_number": 5}],
    }
    assert plain(base / "cross_admission_qa.json")["qas"][2]["evidence"] == {
        "admissions": ["88001001", "88001002"],
        "turns": [
            {"hadm_id": "88001001", "turn_number": 3},
            {"hadm_id": "88001002", "turn_number": 3},
        ],
    }
    assert read_model(base / "benchmark_qa.json", QuestionSet) == patient_questions().benchmark


def test_the_same_release_has_the_same_bytes_anywhere(tmp_path: Path) -> None:
    one = files(write_release(tmp_path / "one", ("99000001", "99000002")))
    other = files(write_release(tmp_path / "other", ("99000002", "99000001")))
    assert one == other
    assert all(str(tmp_path).encode() not in content for content in one.values())


def test_the_manifest_lists_every_other_file_sorted(tmp_path: Path) -> None:
    folder = write_release(tmp_path)
    manifest = read_model(folder / "manifest.json", Manifest)
    assert list(manifest.files) == sorted(set(files(folder)) - {"manifest.json"})
    for path, listed in manifest.files.items():
        assert listed.sha256 == sha256_file(folder / path)
        assert listed.bytes == (folder / path).stat().st_size
    assert manifest.counts["questions"] == 24
    judged = tuple(stage for stage in STAGES if stage != "release")
    assert manifest.gates == dict.fromkeys(judged, "passed")
    assert manifest.inputs["discharge"].rows == 12


def test_a_failed_gate_is_named_in_the_manifest(tmp_path: Path) -> None:
    failed = GateResult(stage="questions", success=False, rows=1, results=())
    manifest = build_manifest(tmp_path, release_facts(), summarise_release([]), (failed,))
    assert manifest.gates == {"questions": "failed"}


@pytest.mark.parametrize(
    ("update", "words"),
    [
        ({"data_class": "synthetic"}, "may be shared freely"),
        ({"data_class": "open"}, "Open Data Commons Open Database License"),
        ({"data_class": "credentialed"}, "send it to no third party"),
        ({"generator": "programmatic"}, "no language model took part"),
        ({"generator": "openai"}, "A language model wrote"),
        ({"model": "some-model"}, "| model | some-model |"),
    ],
)
def test_the_card_says_who_wrote_it_and_who_may_see_it(update: dict[str, Any], words: str) -> None:
    facts: ReleaseFacts = release_facts().model_copy(update=update)
    card = " ".join(render_card(facts, summarise_release([])).split())
    assert words in card


def test_questions_of_every_session_are_needed(tmp_path: Path) -> None:
    sessions: PatientSessions = patient_sessions()
    questions = patient_questions().model_copy(update={"admissions": {}})
    with pytest.raises(KeyError):
        stage_patient(tmp_path, sessions, questions)
