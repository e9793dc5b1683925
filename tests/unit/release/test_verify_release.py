from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows.verify_release import verify_release
from tasks.adapters.files import canonical_json, sha256_file
from tasks.contracts.errors import ReleaseError
from tasks.contracts.release import Problem
from tests.factories.releases import write_release

PATIENT = "99000001"
STAY = f"{PATIENT}/88001002"

Tamper = Callable[[Path], None]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_release(tmp_path_factory.mktemp("sound") / "release")


@pytest.fixture
def release(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "release"))


def edit(path: str, change: Callable[[Any], None]) -> Tamper:
    def tamper(folder: Path) -> None:
        content = json.loads((folder / path).read_text(encoding="utf-8"))
        change(content)
        (folder / path).write_bytes(canonical_json(content))

    return tamper


def put(*keys: str | int, value: object) -> Callable[[Any], None]:
    def change(content: Any) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = value

    return change


def reseal(folder: Path) -> None:
    """State the digests of the files as they are now, as a careful forger would."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["files"] = {
        one.relative_to(folder).as_posix(): {
            "sha256": sha256_file(one),
            "bytes": one.stat().st_size,
        }
        for one in sorted(folder.rglob("*"))
        if one.is_file() and one != path
    }
    path.write_bytes(canonical_json(manifest))


def places(problems: list[Problem]) -> set[tuple[str, str]]:
    return {(one.path, one.where) for one in problems}


def test_a_sound_release_has_no_problem(release: Path) -> None:
    assert verify_release(release) == []


def test_a_folder_that_is_no_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="no release at"):
        verify_release(tmp_path)


ANY_FILE = [
    "README.md",
    "stats.json",
    "gates.json",
    f"{PATIENT}/combined_conversation.json",
    f"{PATIENT}/patient_summary.json",
    f"{PATIENT}/cross_admission_qa.json",
    f"{PATIENT}/benchmark_qa.json",
    f"{STAY}/formed_packet.json",
    f"{STAY}/prompt_record.json",
    f"{STAY}/conversation.json",
    f"{STAY}/summary.json",
    f"{STAY}/qa.json",
]


@pytest.mark.parametrize("path", ANY_FILE)
def test_a_changed_byte_is_found_by_digest(release: Path, path: str) -> None:
    content = (release / path).read_bytes()
    (release / path).write_bytes(content.replace(b"a", b"b", 1))
    assert path in {one.path for one in verify_release(release) if "digest" in one.what}


@pytest.mark.parametrize("path", [*ANY_FILE, "manifest.json"])
def test_a_missing_file_is_named_once(release: Path, path: str) -> None:
    (release / path).unlink()
    (problem,) = verify_release(release)
    assert (problem.path, problem.where) == (path, "")
    assert "is there" in problem.what


@pytest.mark.parametrize("path", ["notes.txt", f"{PATIENT}/x.json", f"{STAY}/.qa.json.tmp"])
def test_an_extra_file_is_named_even_if_listed(release: Path, path: str) -> None:
    (release / path).write_text("{}")
    assert {one.path for one in verify_release(release)} == {path}
    reseal(release)
    (problem,) = verify_release(release)
    assert problem.path == path
    assert problem.remedy == "delete the file; it is no part of a release"


@pytest.mark.parametrize("path", [*ANY_FILE[1:], "manifest.json"])
def test_a_file_that_is_not_json_is_named_without_its_text(release: Path, path: str) -> None:
    (release / path).write_text('{"secret": furosemide')
    reseal_unless_manifest(release, path)
    problems = verify_release(release)
    assert path in {one.path for one in problems if "not as documented" in one.what}
    assert "furosemide" not in "".join(one.model_dump_json() for one in problems)


def reseal_unless_manifest(release: Path, path: str) -> None:
    if path != "manifest.json":
        reseal(release)


def rewrite(path: str, change: Callable[[bytes], bytes]) -> Tamper:
    def tamper(folder: Path) -> None:
        content = (folder / path).read_bytes()
        (folder / path).write_bytes(change(content))

    return tamper


def drop_result(content: Any) -> None:
    content["gates"][3]["results"].pop()


def drop_source(content: Any) -> None:
    content["gates"].pop(0)


def move_first_key(content: Any) -> None:
    content["admission_start"] = content.pop("admission_start")


FORGERIES: list[tuple[str, Tamper, tuple[str, str]]] = [
    (
        "unknown key",
        edit(f"{STAY}/summary.json", put("note", value="x")),
        (f"{STAY}/summary.json", "note"),
    ),
    (
        "third speaker",
        edit(f"{STAY}/conversation.json", put("conversation_lines", 3, "speaker", value="Nurse")),
        (f"{STAY}/conversation.json", "conversation_lines.3.speaker"),
    ),
    (
        "turn renumbered",
        edit(f"{STAY}/conversation.json", put("conversation_lines", 3, "turn_number", value=9)),
        (f"{STAY}/conversation.json", "turn 4"),
    ),
    (
        "turn before the one before",
        edit(
            f"{STAY}/conversation.json",
            put("conversation_lines", 3, "time", value="2150-09-01 10:00:00"),
        ),
        (f"{STAY}/conversation.json", "turn 4"),
    ),
    (
        "turn after the end",
        edit(
            f"{STAY}/conversation.json",
            put("conversation_lines", 39, "time", value="2150-09-03 10:00:01"),
        ),
        (f"{STAY}/conversation.json", "turn 40"),
    ),
    (
        "identifier spoken",
        edit(
            f"{STAY}/conversation.json", put("conversation_lines", 1, "text", value="I am 88001002")
        ),
        (f"{STAY}/conversation.json", "turn 2"),
    ),
    (
        "other text than replied",
        edit(f"{STAY}/conversation.json", put("conversation_lines", 1, "text", value="Fine.")),
        (f"{STAY}/prompt_record.json", ""),
    ),
    (
        "other window",
        edit(f"{STAY}/conversation.json", put("admission_end", value="2150-09-04 10:00:00")),
        (f"{STAY}/conversation.json", "subject_id, hadm_id, admission_start, admission_end"),
    ),
    (
        "other patient's bundle",
        edit(f"{STAY}/formed_packet.json", put("subject_id", value="99000002")),
        (f"{STAY}/formed_packet.json", "subject_id, hadm_id"),
    ),
    (
        "bundle without notes",
        edit(f"{STAY}/formed_packet.json", put("discharge_notes", value=[])),
        (f"{STAY}/formed_packet.json", ""),
    ),
    (
        "other previous summary",
        edit(
            f"{STAY}/formed_packet.json",
            put("previous_admission_summary", "problems", value=["gout"]),
        ),
        (f"{STAY}/formed_packet.json", ""),
    ),
    (
        "summary of other times",
        edit(f"{STAY}/summary.json", put("admission_end", value="2150-09-04 10:00:00")),
        (f"{STAY}/summary.json", ""),
    ),
    (
        "timeline turn changed",
        edit(
            f"{PATIENT}/combined_conversation.json",
            put("admissions", 1, "conversation_lines", 4, "text", value="It is 1.5 today."),
        ),
        (f"{PATIENT}/combined_conversation.json", "admission 88001002"),
    ),
    (
        "timeline reversed",
        edit(
            f"{PATIENT}/combined_conversation.json", lambda content: content["admissions"].reverse()
        ),
        (f"{PATIENT}/combined_conversation.json", "admission 88001001"),
    ),
    (
        "session dropped",
        edit(f"{PATIENT}/combined_conversation.json", lambda content: content["admissions"].pop()),
        (f"{PATIENT}/combined_conversation.json", ""),
    ),
    (
        "turns miscounted",
        edit(f"{PATIENT}/patient_summary.json", put("conversation_stats", "total_turns", value=9)),
        (f"{PATIENT}/patient_summary.json", ""),
    ),
    (
        "admission unaccounted",
        edit(f"{PATIENT}/patient_summary.json", put("eligible_admissions", value=5)),
        (f"{PATIENT}/patient_summary.json", ""),
    ),
    (
        "cited turn missing",
        edit(f"{STAY}/qa.json", put("qas", 0, "evidence", "turns", 0, "turn_number", value=99)),
        (f"{STAY}/qa.json", f"{PATIENT}_88001002_q01"),
    ),
    (
        "wrong answer",
        edit(f"{STAY}/qa.json", put("qas", 0, "answer", value="2.9")),
        (f"{STAY}/qa.json", f"{PATIENT}_88001002_q01"),
    ),
    (
        "question dropped",
        edit(f"{STAY}/qa.json", lambda content: content["qas"].pop()),
        (f"{STAY}/qa.json", ""),
    ),
    (
        "wrong abstention",
        edit(f"{PATIENT}/cross_admission_qa.json", put("qas", 0, "answer", value="unknown")),
        (f"{PATIENT}/cross_admission_qa.json", f"{PATIENT}_cross_q01"),
    ),
    (
        "cross-admission question dropped",
        edit(f"{PATIENT}/cross_admission_qa.json", lambda content: content["qas"].pop()),
        (f"{PATIENT}/cross_admission_qa.json", ""),
    ),
    (
        "benchmark reordered",
        edit(f"{PATIENT}/benchmark_qa.json", lambda content: content["qas"].reverse()),
        (f"{PATIENT}/benchmark_qa.json", ""),
    ),
    (
        "benchmark answer changed",
        edit(f"{PATIENT}/benchmark_qa.json", put("qas", 0, "answer", value="7")),
        (f"{PATIENT}/benchmark_qa.json", ""),
    ),
    (
        "statistics changed",
        edit("stats.json", put("composition", "turns_by_speaker", "Doctor", value=59)),
        ("stats.json", "composition"),
    ),
    (
        "a patient's statistics changed",
        edit("stats.json", put("patients", 1, "tokens", value=1)),
        ("stats.json", "patients, subject_id 99000002"),
    ),
    (
        "failed gate",
        edit("gates.json", put("gates", 0, "success", value=False)),
        ("gates.json", "source"),
    ),
    (
        "one verdict deleted",
        edit("gates.json", drop_result),
        ("gates.json", "dialogues"),
    ),
    (
        "a verdict on fewer rows",
        edit("gates.json", put("gates", 2, "rows", value=3)),
        ("gates.json", "bundles"),
    ),
    (
        "gate left out",
        edit("gates.json", drop_source),
        ("gates.json", "gates"),
    ),
    (
        "input without rows",
        edit("manifest.json", put("inputs", "discharge", "rows", value=0)),
        ("manifest.json", "inputs.discharge"),
    ),
    (
        "windows line ends",
        rewrite(f"{STAY}/qa.json", lambda text: text.replace(b"\n", b"\r\n")),
        (f"{STAY}/qa.json", ""),
    ),
    (
        "a key twice",
        rewrite(
            f"{STAY}/summary.json",
            lambda text: text.replace(b"{\n", b'{\n  "summary_paragraph": "Other.",\n', 1),
        ),
        (f"{STAY}/summary.json", ""),
    ),
    (
        "a blank more",
        rewrite("stats.json", lambda text: text + b"\n"),
        ("stats.json", ""),
    ),
    (
        "keys in another order",
        edit(f"{STAY}/summary.json", move_first_key),
        (f"{STAY}/summary.json", ""),
    ),
    (
        "other length of stay",
        edit(f"{STAY}/prompt_record.json", put("stay_days", value=99.0)),
        (f"{STAY}/prompt_record.json", ""),
    ),
    (
        "other message",
        edit(f"{STAY}/prompt_record.json", put("task_message", value="Write.")),
        (f"{STAY}/prompt_record.json", ""),
    ),
    (
        "note of another patient",
        edit(f"{STAY}/formed_packet.json", put("discharge_notes", 0, "note_id", value="9-DS-1")),
        (f"{STAY}/formed_packet.json", ""),
    ),
    (
        "yes or no",
        edit(
            f"{PATIENT}/cross_admission_qa.json",
            put("qas", 0, "question", value="Was digoxin ever given?"),
        ),
        (f"{PATIENT}/cross_admission_qa.json", f"{PATIENT}_cross_q01"),
    ),
    (
        "gate forgotten",
        edit("gates.json", put("gates", value=[])),
        ("manifest.json", "gates"),
    ),
    (
        "figure of the manifest",
        edit("manifest.json", put("counts", "turns", value=1)),
        ("manifest.json", "counts.turns"),
    ),
    (
        "figure invented",
        edit("manifest.json", put("counts", "doctors", value=1)),
        ("manifest.json", "counts.doctors"),
    ),
    (
        "other data class",
        edit("manifest.json", put("data_class", value="open")),
        ("README.md", ""),
    ),
    (
        "manifest without recipe",
        edit("manifest.json", lambda content: content.pop("recipe")),
        ("manifest.json", "recipe"),
    ),
]


@pytest.mark.parametrize(
    ("tamper", "place"), [pytest.param(one[1], one[2], id=one[0]) for one in FORGERIES]
)
def test_a_forged_file_is_named_with_the_place(
    release: Path, tamper: Tamper, place: tuple[str, str]
) -> None:
    tamper(release)
    reseal(release)
    assert place in places(verify_release(release))


def test_a_removed_patient_shows_in_the_figures(release: Path) -> None:
    shutil.rmtree(release / "99000002")
    reseal(release)
    found = places(verify_release(release))
    assert ("manifest.json", "counts.patients") in found
    assert ("stats.json", "patients, subject_id 99000002") in found


def test_a_removed_admission_folder_shows_in_the_timeline(release: Path) -> None:
    shutil.rmtree(release / STAY)
    reseal(release)
    found = places(verify_release(release))
    assert (f"{PATIENT}/combined_conversation.json", "admission 88001002") in found


def test_a_manifest_can_not_point_outside_the_release(release: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text("{}")
    listed = {"sha256": sha256_file(outside), "bytes": 2}
    edit("manifest.json", put("files", "../outside.json", value=listed))(release)
    problems = verify_release(release)
    assert {one.path for one in problems} == {"../outside.json"}
    assert any("is there" in one.what for one in problems)


def test_problems_hold_no_patient_text(release: Path) -> None:
    marker = "ZEBRAMARKER"
    for path in (f"{STAY}/conversation.json", f"{PATIENT}/combined_conversation.json"):
        text = (release / path).read_text(encoding="utf-8").replace("Thank you", marker)
        (release / path).write_text(text.replace('"Patient"', f'"{marker}"'), encoding="utf-8")
    problems = verify_release(release)
    assert problems
    assert all(marker not in one.model_dump_json() for one in problems)
