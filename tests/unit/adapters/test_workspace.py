import json
import os
import stat
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from tasks.adapters.files import sha256_bytes
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, SkipCount
from tasks.contracts.errors import ItemFailed, SettingError

VALUE = SkipCount(table="radiology", reason="no_hadm_id", count=2)
KEY = "dialogues.80000101.abc"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(out=str(tmp_path / "out"))
    made.prepare()
    return made


def modes(folder: Path) -> set[int]:
    """Modes of a folder and of all folders below it."""
    below = [path for path in folder.rglob("*") if path.is_dir()]
    return {stat.S_IMODE(path.stat().st_mode) for path in (folder, *below)}


@pytest.fixture
def no_umask() -> Generator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_umask")
def test_the_cache_and_its_folders_are_closed_to_other_users(workspace: Workspace) -> None:
    workspace.store(KEY, VALUE, subject_id="90000001")
    assert modes(workspace.cache) == {0o700}


@pytest.mark.usefixtures("no_umask")
def test_an_open_cache_is_closed(tmp_path: Path) -> None:
    workspace = Workspace(out=str(tmp_path))
    (workspace.cache / "results").mkdir(parents=True)
    (workspace.cache / "dialogues").mkdir()
    assert modes(workspace.cache) == {0o777}
    workspace.prepare()
    workspace.store(KEY, VALUE, subject_id="90000001")
    assert modes(workspace.cache) == {0o700}


@pytest.mark.usefixtures("no_umask")
def test_the_cache_is_never_open_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("made open and closed afterwards")

    monkeypatch.setattr(Path, "chmod", refused)
    workspace = Workspace(out=str(tmp_path / "out"))
    workspace.prepare()
    workspace.store(KEY, VALUE, subject_id="90000001")
    assert modes(workspace.cache) == {0o700}


def test_a_stored_value_is_loaded_by_its_reference(workspace: Workspace) -> None:
    ref = workspace.store(KEY, VALUE, subject_id="90000001", hadm_id="80000101")
    assert ref.path == "dialogues/dialogues.80000101.abc.json"
    assert workspace.load(ref.path, ref.sha256, SkipCount) == VALUE


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to("nowhere")])
def test_what_lies_in_a_stored_files_place_gives_way(
    workspace: Workspace, make: Callable[[Path], None]
) -> None:
    place = workspace.cache / workspace.artifact_path(KEY)
    place.parent.mkdir(parents=True, exist_ok=True)
    make(place)
    ref = workspace.store(KEY, VALUE, subject_id="90000001")
    assert workspace.load(ref.path, ref.sha256, SkipCount) == VALUE


def test_a_changed_file_is_refused_by_name(workspace: Workspace) -> None:
    ref = workspace.store(KEY, VALUE, subject_id="90000001")
    (workspace.cache / ref.path).write_text("{}")
    with pytest.raises(
        ItemFailed, match=r"cache/dialogues/dialogues\.80000101\.abc\.json was changed"
    ):
        workspace.load(ref.path, ref.sha256, SkipCount)


@pytest.mark.parametrize("forged", ["", "[", "null", "[]", "{}", '{"skipped": "Ann Doe"}'])
def test_a_file_of_another_shape_that_its_reference_vouches_for_is_refused_by_name(
    workspace: Workspace, forged: str
) -> None:
    ref = workspace.store(KEY, VALUE, subject_id="90000001")
    (workspace.cache / ref.path).write_text(forged)
    with pytest.raises(ItemFailed) as refused:
        workspace.load(ref.path, sha256_bytes(forged.encode()), SkipCount)
    assert str(refused.value) == (
        f"cache/{ref.path} is no SkipCount of this program, though its record says so; delete it "
        "and run again"
    )
    assert refused.value.__cause__ is None


def test_a_missing_file_is_named(workspace: Workspace) -> None:
    with pytest.raises(ItemFailed, match=r"cache/dialogues/gone\.json can't be read"):
        workspace.load("dialogues/gone.json", "0", SkipCount)


def record(ref: ArtifactRef) -> dict[str, Any]:
    """What Prefect writes for a step that returned a reference."""
    return {
        "metadata": {
            "storage_key": "/somewhere/else",
            "expiration": None,
            "serializer": {"type": "json"},
            "prefect_version": "3",
        },
        "result": json.dumps({"__class__": "ArtifactRef", "data": ref.model_dump()}),
    }


@pytest.fixture
def stored(workspace: Workspace) -> ArtifactRef:
    ref = workspace.store(KEY, VALUE, subject_id="90000001", hadm_id="80000101")
    (workspace.results / KEY).write_text(json.dumps(record(ref)))
    return ref


def test_an_undamaged_result_is_kept(workspace: Workspace, stored: ArtifactRef) -> None:
    workspace.forget_stale(KEY)
    assert (workspace.results / KEY).is_file()
    assert workspace.load(stored.path, stored.sha256, SkipCount) == VALUE


def test_a_result_that_was_never_made_is_no_matter(workspace: Workspace) -> None:
    workspace.forget_stale(KEY)
    assert list(workspace.results.iterdir()) == []


Damage = Callable[[Path, Path], object]

DAMAGES: dict[str, Damage] = {
    "file gone": lambda file, _: file.unlink(),
    "file cut": lambda file, _: file.write_bytes(file.read_bytes()[:-9]),
    "file empty": lambda file, _: file.write_bytes(b""),
    "file changed": lambda file, _: file.write_text("{}"),
    "file a folder": lambda file, _: (file.unlink(), (file / "x").mkdir(parents=True)),
    "file a link to nothing": lambda file, _: (file.unlink(), file.symlink_to("nothing")),
    "record cut": lambda _, record: record.write_bytes(record.read_bytes()[:-9]),
    "record empty": lambda _, record: record.write_bytes(b""),
    "record garbled": lambda _, record: record.write_bytes(b"\xff\x00\xfe"),
    "record of other shape": lambda _, record: record.write_text("[1]"),
    "record without metadata": lambda _, record: record.write_text('{"result": "{}"}'),
    "record a folder": lambda _, record: (record.unlink(), (record / "x").mkdir(parents=True)),
    "record of another item": lambda _, record: record.write_text(
        record.read_text().replace("80000101.abc", "80000102.abc")
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.usefixtures("stored")
def test_a_damaged_result_is_forgotten_and_can_be_made_again(
    workspace: Workspace, damage: Damage
) -> None:
    damage(workspace.cache / "dialogues" / f"{KEY}.json", workspace.results / KEY)
    workspace.forget_stale(KEY)
    assert not os.path.lexists(workspace.results / KEY)
    ref = workspace.store(KEY, VALUE, subject_id="90000001", hadm_id="80000101")
    assert workspace.load(ref.path, ref.sha256, SkipCount) == VALUE


@pytest.mark.parametrize("name", ["cache", "cache/results", "release", "report"])
def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(SettingError, match=f"{name} is a file"):
        Workspace(out=str(tmp_path)).refuse_unusable()
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize("name", ["cache", "cache/results", "release", "report"])
def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).mkdir(parents=True)
    # Mode bits mean nothing to root, under whom tests may run.
    monkeypatch.setattr(os, "access", lambda path, _mode: path != tmp_path / name)
    with pytest.raises(SettingError, match=f"{name} can't be written"):
        Workspace(out=str(tmp_path)).refuse_unusable()


def test_half_written_files_of_a_killed_run_are_removed(workspace: Workspace) -> None:
    unfinished = workspace.cache / "dialogues" / ".dialogues.1.json.77.0a0b.tmp"
    unfinished.parent.mkdir()
    unfinished.write_text("{")
    workspace.prepare()
    assert not unfinished.exists()


def test_a_cache_of_replies_alone_is_a_cache(tmp_path: Path) -> None:
    workspace = Workspace(out=str(tmp_path))
    workspace.replies.mkdir(parents=True)
    workspace.refuse_foreign()
    (workspace.cache / "replies").rename(workspace.cache / "thesis")
    with pytest.raises(SettingError, match=r"holds other data \(no results\)"):
        workspace.refuse_foreign()
