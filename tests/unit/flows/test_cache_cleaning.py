from __future__ import annotations

from pathlib import Path

import pytest

from flows.cache_cleaning import clean_cache, forget_used, note_used
from tasks.adapters.run_lock import output_lock
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import SkipCount
from tasks.contracts.errors import SettingError

VALUE = SkipCount(table="radiology", reason="no_hadm_id", count=2)
USED, STALE = "dialogues.80000101.new", "dialogues.80000101.old"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(out=str(tmp_path / "out"))
    made.prepare()
    for key in (USED, STALE):
        made.store(key, VALUE, subject_id="90000001")
        (made.results / key).write_text("{}")
    (made.replies / "90000001").mkdir()
    (made.replies / "90000001" / "reply.json").write_text("{}")
    for folder in (made.staging, made.scratch, made.release, made.report):
        folder.mkdir(exist_ok=True)
        (folder / "file").write_text("x")
    (made.cache / "dialogues" / ".cut.1.tmp").write_text("x")
    note_used(made, {USED})
    return made


def files(workspace: Workspace) -> set[str]:
    root = Path(workspace.out)
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith(".run")
    }


KEPT = {"release/file", "report/file"}
OF_USED = {f"cache/dialogues/{USED}.json", f"cache/results/{USED}"}
OF_STALE = {f"cache/dialogues/{STALE}.json", f"cache/results/{STALE}"}
PAID_FOR = {"cache/replies/90000001/reply.json"}


def test_what_the_last_finished_build_did_not_use_is_removed(workspace: Workspace) -> None:
    assert clean_cache(Path(workspace.out)).files == 5
    assert files(workspace) == KEPT | OF_USED | PAID_FOR | {"cache/used.json"}


def test_only_leftovers_go_after_a_build_that_did_not_finish(workspace: Workspace) -> None:
    forget_used(workspace)
    assert clean_cache(Path(workspace.out)).unfinished
    assert files(workspace) == KEPT | OF_USED | OF_STALE | PAID_FOR


def test_everything_leaves_release_and_report(workspace: Workspace) -> None:
    clean_cache(Path(workspace.out), everything=True)
    assert files(workspace) == KEPT


@pytest.mark.parametrize("everything", [False, True])
def test_a_dry_run_removes_nothing_and_counts_the_same(
    workspace: Workspace, everything: bool
) -> None:
    out, before = Path(workspace.out), files(workspace)
    told = clean_cache(out, everything=everything, dry_run=True)
    assert files(workspace) == before
    assert clean_cache(out, everything=everything) == told


def test_a_folder_in_use_is_refused(workspace: Workspace) -> None:
    before = files(workspace)
    with (
        output_lock(Path(workspace.out), wait_seconds=1),
        pytest.raises(SettingError, match="used by another run"),
    ):
        clean_cache(Path(workspace.out), everything=True)
    assert files(workspace) == before


@pytest.mark.parametrize("made", ["", "hosp", "cache"])
def test_a_folder_that_is_no_output_is_refused(tmp_path: Path, made: str) -> None:
    (tmp_path / made).mkdir(exist_ok=True)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SettingError, match="no cache of a build"):
        clean_cache(tmp_path, everything=True)
    assert sorted(tmp_path.rglob("*")) == before
