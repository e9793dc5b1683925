from pathlib import Path

import pytest

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


def test_a_folder_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    target = folder(tmp_path / "release", "old")
    replace_directory(folder(tmp_path / "staged", "new"), target)
    assert (target / "file").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_kill_between_the_two_renames_loses_nothing(tmp_path: Path) -> None:
    folder(tmp_path / ".release.previous", "old")
    recover_directory(tmp_path / "release")
    assert (tmp_path / "release" / "file").read_text() == "old"


def test_recovery_removes_an_old_folder_whose_successor_stands(tmp_path: Path) -> None:
    folder(tmp_path / ".release.previous", "old")
    folder(tmp_path / "release", "new")
    recover_directory(tmp_path / "release")
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    assert (tmp_path / "release" / "file").read_text() == "new"
