from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tasks.audit.reading import patient_folders, read_patient, read_patients
from tasks.contracts.errors import ReleaseError
from tests.factories.released_patients import SUBJECTS
from tests.factories.releases import write_release

FIRST, SECOND = "88001001", "88001002"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path / "release")


def change(path: Path, edit: Any) -> None:
    content = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(edit(content)), encoding="utf-8")


def test_a_release_is_read_patient_by_patient_with_records(release: Path) -> None:
    patients = list(read_patients(release))
    assert [one.subject_id for one in patients] == list(SUBJECTS)
    assert [one.hadm_id for one in patients[0].sessions] == [FIRST, SECOND]
    assert all(one.bundle is not None for one in patients[0].sessions)
    assert len(patients[0].questions) == 12


def test_published_questions_cite_turns_within_an_admission_only(release: Path) -> None:
    def published(content: Any) -> Any:
        for item in content["qas"]:
            del item["evidence"]["turns"]
            item["difficulty"] = "hard"
        return content

    change(release / SUBJECTS[0] / "benchmark_qa.json", published)
    asked = read_patient(release / SUBJECTS[0]).questions
    single = [one for one in asked if one.scope == "single_admission"]
    cross = [one for one in asked if one.scope == "cross_admission"]
    assert all(
        [turn.turn_number for turn in one.evidence.turns] == list(one.evidence.turn_ids or ())
        for one in single
    )
    assert all(one.evidence.turns for one in single)
    assert all(one.evidence.turns == () for one in cross)
    assert all(len(one.evidence.admissions) >= 2 for one in cross)


def test_a_release_without_records_has_sessions_without_bundles(release: Path) -> None:
    for path in release.glob("*/*/formed_packet.json"):
        path.unlink()
    assert all(one.bundle is None for one in read_patient(release / SUBJECTS[0]).sessions)


def test_ids_may_be_numbers(release: Path) -> None:
    def numbered(content: Any) -> Any:
        content["subject_id"] = int(content["subject_id"])
        for session in content["admissions"]:
            session["hadm_id"] = int(session["hadm_id"])
        return content

    def asked(content: Any) -> Any:
        for item in content["qas"]:
            item["evidence"]["admissions"] = [int(one) for one in item["evidence"]["admissions"]]
            for turn in item["evidence"]["turns"]:
                turn["hadm_id"] = int(turn["hadm_id"])
        return content

    before = read_patient(release / SUBJECTS[0])
    change(release / SUBJECTS[0] / "combined_conversation.json", numbered)
    change(release / SUBJECTS[0] / "benchmark_qa.json", asked)
    assert read_patient(release / SUBJECTS[0]) == before


def test_a_packet_of_another_release_may_have_other_fields(release: Path) -> None:
    def foreign(content: Any) -> Any:
        content["timing_rules"] = {"notes": "free words"}
        content["extra"] = [1, 2]
        for note in content["discharge_notes"]:
            note["note_type"] = "DS"
        for row in content["diagnoses"]:
            del row["long_title"]
        del content["previous_admission_summary"]
        return content

    change(release / SUBJECTS[0] / FIRST / "formed_packet.json", foreign)
    bundle = read_patient(release / SUBJECTS[0]).sessions[0].bundle
    assert bundle is not None
    assert bundle.timing_rules.conversation_end == bundle.admission_end
    assert [row.long_title for row in bundle.diagnoses] == [""] * len(bundle.diagnoses)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("combined_conversation.json", "{", "not a JSON file"),
        ("combined_conversation.json", "[]", "expected an object"),
        ("combined_conversation.json", '{"subject_id": "1"}', "no list admissions"),
        ("benchmark_qa.json", '{"qas": {}}', "no list qas"),
        ("benchmark_qa.json", '{"qas": [{"qa_id": "1"}]}', "expected an object"),
        ("benchmark_qa.json", '{"qas": [{"evidence": {}}]}', "scope"),
        ("benchmark_qa.json", '{"qas": [{"evidence": {"admissions": 5}}]}', "no list admissions"),
        (
            "benchmark_qa.json",
            '{"qas": [{"evidence": {"admissions": [5], "turn_ids": 3}}]}',
            "no list turn_ids",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    release: Path, name: str, content: str, said: str
) -> None:
    path = release / SUBJECTS[0] / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ReleaseError, match=said) as raised:
        list(read_patients(release))
    assert str(path) in str(raised.value)


def test_what_is_wrong_is_said_without_the_text(release: Path) -> None:
    def broken(content: Any) -> Any:
        content["admissions"][0]["conversation_lines"][0]["time"] = "a secret word"
        return content

    change(release / SUBJECTS[0] / "combined_conversation.json", broken)
    with pytest.raises(ReleaseError) as raised:
        list(read_patients(release))
    assert "lines.0.time" in str(raised.value)
    assert "secret" not in str(raised.value)


def test_half_a_character_is_refused_and_a_pair_of_halves_is_read(release: Path) -> None:
    path = release / SUBJECTS[0] / "benchmark_qa.json"
    sound = path.read_text("utf-8")
    path.write_text(sound.replace('"question": "', '"question": "\\ud83d\\ude42', 1))
    assert read_patient(path.parent).questions[0].question.startswith("\U0001f642")
    path.write_text(sound.replace('"question": "', '"question": "\\ud83d', 1))
    with pytest.raises(ReleaseError, match=r"benchmark_qa\.json: holds half a character"):
        read_patient(path.parent)


def test_an_admission_id_that_no_folder_can_have_is_refused(release: Path) -> None:
    def renamed(content: Any) -> Any:
        content["admissions"][0]["hadm_id"] = "8" * 400
        return content

    path = release / SUBJECTS[0] / "combined_conversation.json"
    change(path, renamed)
    with pytest.raises(ReleaseError, match="its name is the hadm_id") as raised:
        read_patient(path.parent)
    assert str(path) in str(raised.value)


def test_a_missing_question_file_is_named(release: Path) -> None:
    (release / SUBJECTS[0] / "benchmark_qa.json").unlink()
    with pytest.raises(ReleaseError, match=r"benchmark_qa\.json: can't be read"):
        list(read_patients(release))


@pytest.mark.parametrize("kind", ["missing", "file", "empty"])
def test_a_folder_without_patients_is_no_release(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "folder"
    if kind == "file":
        folder.write_text("x")
    if kind == "empty":
        folder.mkdir()
    with pytest.raises(ReleaseError, match="no release at"):
        patient_folders(folder)


def test_only_folders_with_a_timeline_are_patients(release: Path) -> None:
    (release / "notes").mkdir()
    shutil.rmtree(release / SUBJECTS[1])
    assert [folder.name for folder in patient_folders(release)] == [SUBJECTS[0]]


def test_questions_without_their_timeline_are_no_smaller_release(release: Path) -> None:
    (release / SUBJECTS[1] / "combined_conversation.json").unlink()
    with pytest.raises(ReleaseError, match=rf"{SUBJECTS[1]}: benchmark_qa\.json without"):
        patient_folders(release)


def test_sessions_are_taken_in_time_order_however_they_are_filed(release: Path) -> None:
    def reversed_order(content: Any) -> Any:
        content["admissions"].reverse()
        return content

    before = read_patient(release / SUBJECTS[0])
    change(release / SUBJECTS[0] / "combined_conversation.json", reversed_order)
    assert read_patient(release / SUBJECTS[0]) == before


def test_turns_may_be_null_and_nesting_without_end_is_refused(release: Path) -> None:
    def null(content: Any) -> Any:
        for item in content["qas"]:
            item["evidence"]["turns"] = None
        return content

    path = release / SUBJECTS[0] / "benchmark_qa.json"
    change(path, null)
    assert all(one.qa_id for one in read_patient(release / SUBJECTS[0]).questions)
    path.write_text("[" * 200_000, encoding="utf-8")
    with pytest.raises(ReleaseError, match="not a JSON file"):
        read_patient(release / SUBJECTS[0])
