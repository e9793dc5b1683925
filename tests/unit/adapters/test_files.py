import os
import stat
import sys
from pathlib import Path

import pytest

from tasks.adapters import files
from tasks.adapters.exchange import exchange
from tasks.adapters.files import (
    canonical_json,
    read_model,
    recover_directory,
    replace_directory,
    sha256_bytes,
    sha256_file,
    write_atomic,
    write_json,
)
from tasks.contracts.build import SkipCount

ABC_SHA256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_digests_are_sha256(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    assert sha256_bytes(b"abc") == ABC_SHA256
    assert sha256_file(tmp_path / "abc") == ABC_SHA256


def test_a_digest_covers_a_file_longer_than_one_chunk(tmp_path: Path) -> None:
    content = b"x" * ((1 << 20) + 1)
    (tmp_path / "long").write_bytes(content)
    assert sha256_file(tmp_path / "long") == sha256_bytes(content)


def test_canonical_json_keeps_field_order_and_letters() -> None:
    assert canonical_json({"b": "é", "a": None}) == b'{\n  "b": "\xc3\xa9",\n  "a": null\n}\n'


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_canonical_json_refuses_what_json_has_no_word_for(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"mean": number})


def test_a_written_model_is_read_back(tmp_path: Path) -> None:
    value = SkipCount(table="radiology", reason="no_hadm_id", count=2)
    digest = write_json(tmp_path / "deep" / "file.json", value)
    assert read_model(tmp_path / "deep" / "file.json", SkipCount) == value
    assert digest == sha256_file(tmp_path / "deep" / "file.json")


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    target = tmp_path / "file"
    write_atomic(target, b"old")
    with pytest.raises(TypeError):
        write_atomic(target, "not bytes")  # pyright: ignore[reportArgumentType]
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def folder(path: Path, content: str) -> Path:
    path.mkdir()
    (path / "file").write_text(content)
    return path


@pytest.fixture(params=[True, False], ids=["exchanged", "renamed"])
def swap(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the system can exchange two folders in one step; both ways are tried."""
    if not request.param:
        monkeypatch.setattr(files, "exchange", lambda _one, _other: False)
    return request.param


@pytest.mark.usefixtures("swap")
def test_a_folder_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    target = folder(tmp_path / "release", "old")
    replace_directory(folder(tmp_path / "staged", "new"), target)
    assert (target / "file").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


@pytest.mark.usefixtures("swap")
def test_the_first_folder_is_put_in_place(tmp_path: Path) -> None:
    replace_directory(folder(tmp_path / "staged", "new"), tmp_path / "release")
    assert (tmp_path / "release" / "file").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


@pytest.mark.usefixtures("swap")
def test_what_a_linked_release_points_to_stays(tmp_path: Path) -> None:
    kept = folder(tmp_path / "elsewhere", "old")
    (tmp_path / "release").symlink_to(kept)
    replace_directory(folder(tmp_path / "staged", "new"), tmp_path / "release")
    assert (tmp_path / "release" / "file").read_text() == "new"
    assert (kept / "file").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "release"]


@pytest.mark.usefixtures("swap")
def test_a_folder_of_another_file_system_takes_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = folder(tmp_path / "release", "old")
    staged = folder(tmp_path / "staged", "new")
    monkeypatch.setattr(files, "_same_file_system", lambda _one, _other: False)
    replace_directory(staged, target)
    assert (target / "file").read_text() == "new"


def test_an_old_folder_that_cannot_be_removed_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "exchange", lambda _one, _other: False)
    monkeypatch.setattr(files.shutil, "rmtree", lambda *_args, **_options: None)
    folder(tmp_path / ".release.previous", "stuck")
    target = folder(tmp_path / "release", "old")
    replace_directory(folder(tmp_path / "staged", "new"), target)
    assert (target / "file").read_text() == "new"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems may not exchange folders")
def test_two_folders_change_places_in_one_step(tmp_path: Path) -> None:
    one, other = folder(tmp_path / "a", "one"), folder(tmp_path / "b", "other")
    if not exchange(one, other):
        pytest.skip("this file system does not exchange folders")
    assert ((one / "file").read_text(), (other / "file").read_text()) == ("other", "one")


def test_nothing_is_exchanged_with_a_missing_folder(tmp_path: Path) -> None:
    assert exchange(folder(tmp_path / "a", "one"), tmp_path / "b") is False
    assert (tmp_path / "a" / "file").read_text() == "one"


def test_a_kill_between_the_two_renames_loses_nothing(tmp_path: Path) -> None:
    folder(tmp_path / ".release.previous", "an older one that could not be removed")
    folder(tmp_path / ".release.previous1", "old")
    recover_directory(tmp_path / "release")
    assert (tmp_path / "release" / "file").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_recovery_removes_what_was_not_finished(tmp_path: Path) -> None:
    folder(tmp_path / ".release.previous", "old")
    folder(tmp_path / ".release.next", "half")
    folder(tmp_path / "release", "new")
    recover_directory(tmp_path / "release")
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    assert (tmp_path / "release" / "file").read_text() == "new"


def test_a_private_file_is_private_from_its_first_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    replace = Path.replace

    def watching(self: Path, target: Path) -> Path:
        seen.append(stat.S_IMODE(self.stat().st_mode))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", watching)
    before = os.umask(0)
    try:
        write_atomic(tmp_path / "findings", b"words", mode=0o600)
        write_atomic(tmp_path / "page", b"ids")
    finally:
        os.umask(before)
    assert seen == [0o600, 0o666]
    assert stat.S_IMODE((tmp_path / "findings").stat().st_mode) == 0o600
