import stat
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


def test_the_cache_is_closed_to_other_users(workspace: Workspace) -> None:
    assert stat.S_IMODE(workspace.cache.stat().st_mode) == 0o700


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
