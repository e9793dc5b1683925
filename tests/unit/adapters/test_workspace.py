import os
import stat
from collections.abc import Generator
from pathlib import Path

import pytest

from tasks.adapters.workspace import Workspace
from tasks.contracts.build import SkipCount
from tasks.contracts.errors import ItemFailed

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


def test_a_changed_file_is_refused_by_name(workspace: Workspace) -> None:
    ref = workspace.store(KEY, VALUE, subject_id="90000001")
    (workspace.cache / ref.path).write_text("{}")
    with pytest.raises(
        ItemFailed, match=r"cache/dialogues/dialogues\.80000101\.abc\.json was changed"
    ):
        workspace.load(ref.path, ref.sha256, SkipCount)


def test_a_missing_file_is_named(workspace: Workspace) -> None:
    with pytest.raises(ItemFailed, match=r"cache/dialogues/gone\.json can't be read"):
        workspace.load("dialogues/gone.json", "0", SkipCount)


def test_a_result_whose_file_is_gone_is_forgotten(workspace: Workspace) -> None:
    (workspace.results / KEY).write_text("record")
    workspace.forget_stale(KEY)
    assert not (workspace.results / KEY).exists()


def test_a_result_whose_file_is_there_is_kept(workspace: Workspace) -> None:
    workspace.store(KEY, VALUE, subject_id="90000001")
    (workspace.results / KEY).write_text("record")
    workspace.forget_stale(KEY)
    assert (workspace.results / KEY).exists()
