"""Wrong folders and files that can't be read: one message with the likelier folder; no hanging."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.factories.mimic_tree import TABLES
from tests.hostile.reading import path_of, refusal, write_sound_tree

ROOT = os.geteuid() == 0
needs_user = pytest.mark.skipif(ROOT, reason="root reads files of mode 000")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_sound_tree(tmp_path / "mimic")


def rename_note(tree: Path, target: str) -> None:
    (tree / target).parent.mkdir(parents=True, exist_ok=True)
    (tree / "note").rename(tree / target)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("mimic/hosp", "this is the hosp folder itself; give the folder that holds it: {0}/mimic"),
        ("mimic/hosp/", "this is the hosp folder itself; give the folder that holds it: {0}/mimic"),
        ("mimic/note", "this is the folder of the notes; give the folder that holds hosp/ and"),
        (".", "looked for a folder hosp/ inside it and found none; "),
        ("..", "looked for a folder hosp/ inside it and found none; "),
        ("mimic/icu", "give the folder of MIMIC-IV that holds hosp/, for example {0}/mimic"),
        ("mimic/hosp/patients.csv", "expected a folder that holds hosp/, found a file there"),
        ("mimic-iv-3.1.zip", "found a file there; unpack the archive and give the folder"),
        ("mimic-iv-3.1.tar.gz", "found a file there; unpack the archive and give the folder"),
        ("nowhere", "expected a folder that holds hosp/, found nothing there"),
        ("dangling", "expected a folder that holds hosp/, found a link that leads nowhere there"),
        ("loop", "expected a folder that holds hosp/, found something unreadable there"),
        ("x" * 300, "expected a folder that holds hosp/, found something unreadable there"),
        ("pipe", "expected a folder that holds hosp/, found a pipe or socket there"),
        ("mimic/nul\0", "expected a folder that holds hosp/, found something unreadable there"),
    ],
)
def test_wrong_mimic_folder(tree: Path, tmp_path: Path, given: str, told: str) -> None:
    (tree / "icu").mkdir()
    (tmp_path / "mimic-iv-3.1.zip").write_bytes(b"PK")
    (tmp_path / "mimic-iv-3.1.tar.gz").write_bytes(b"\x1f\x8b")
    (tmp_path / "dangling").symlink_to("gone")
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    message = refusal(tmp_path / given, tmp_path / "out")
    assert message.startswith("--mimic ")
    assert told.format(tmp_path) in message


def test_parent_of_the_mimic_folder_is_told_the_folder(tree: Path, tmp_path: Path) -> None:
    assert refusal(tmp_path, tmp_path / "out").endswith(f"for example {tree}")
    (tmp_path / "deep").mkdir()
    tree.rename(tmp_path / "deep/3.1")
    assert refusal(tmp_path, tmp_path / "out").endswith(f"for example {tmp_path / 'deep/3.1'}")


def test_hosp_files_in_a_folder_of_another_name(tree: Path, tmp_path: Path) -> None:
    (tree / "hosp").rename(tree / "HOSP")
    message = refusal(tree, tmp_path / "out")
    assert "found none" in message
    assert message.endswith(f"(its files lie in {tree / 'HOSP'})")


def test_hosp_that_is_a_file(tree: Path, tmp_path: Path) -> None:
    (tree / "hosp").rename(tree / "hidden")
    (tree / "hosp").write_text("")
    assert "looked for a folder hosp/ inside it and found a file" in refusal(tree, tmp_path / "out")


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("elsewhere", "elsewhere"),
        ("../mimic-iv-note/note", "../mimic-iv-note/note"),
        ("../mimic-iv-note-2.2", "../mimic-iv-note-2.2"),
    ],
)
def test_notes_in_another_place(tree: Path, tmp_path: Path, place: str, found: str) -> None:
    rename_note(tree, place)
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"--mimic {tree}: looked for discharge.csv[.gz] and radiology.csv")
    if not place.endswith("/note"):
        assert message.endswith(f"for example {(tree / found).resolve()}")


def test_notes_beside_hosp(tree: Path, tmp_path: Path) -> None:
    for path in (tree / "note").iterdir():
        path.rename(tree / path.name)
    (tree / "note").rmdir()
    assert refusal(tree, tmp_path / "out").endswith(f"with --note, for example {tree}")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("mimic/hosp", "this is a hosp folder; expected the one that holds discharge.csv[.gz] and"),
        ("mimic", "looked for discharge.csv[.gz] inside it; give its folder note/: "),
        ("mimic/note/discharge.csv", "found a file there"),
        ("nowhere", "found nothing there"),
        ("other", "looked for discharge.csv[.gz] inside it and found nothing, for example "),
    ],
)
def test_wrong_note_folder(tree: Path, tmp_path: Path, given: str, told: str) -> None:
    (tmp_path / "other").mkdir()
    message = refusal(tree, tmp_path / "out", tmp_path / given)
    assert message.startswith("--note ")
    assert told in message


def test_folders_in_each_others_place(tree: Path, tmp_path: Path) -> None:
    message = refusal(tree / "note", tmp_path / "out", tree)
    assert message.startswith("--mimic ")
    assert "this is the folder of the notes" in message


def as_folder(path: Path) -> None:
    path.mkdir()
    (path / path.name).write_text("")


def as_socket(path: Path) -> None:
    # A socket's path may have 107 bytes only.
    here = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    finally:
        os.chdir(here)


STRANGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "folder": (as_folder, "it is a folder, not a file"),
    "pipe": (os.mkfifo, "it is a pipe or socket, not a file"),
    "socket": (as_socket, "it is a pipe or socket, not a file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "it is a device, not a file"),
    "dangling link": (lambda path: path.symlink_to("gone"), "it is a link that leads nowhere"),
    "looping link": (lambda path: path.symlink_to(path.name), "can't be read (Too many levels"),
    "link to a pipe": (
        lambda path: (os.mkfifo(path.with_suffix(".pipe")), path.symlink_to(f"{path.stem}.pipe")),
        "it is a pipe or socket",
    ),
}


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", STRANGE)
def test_what_is_no_file(tree: Path, tmp_path: Path, kind: str, table: str, ending: str) -> None:
    make, told = STRANGE[kind]
    path = path_of(tree, table)
    path.unlink()
    make(path.with_name(f"{table}.{ending}"))
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{TABLES[table].folder}/{table}.{ending}: can't be read")
    assert told in message


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("{0}.CSV", "{0}.CSV is there: rename it {0}.csv"),
        ("{1}.csv.gz", "{1}.csv.gz is there: rename it {0}.csv.gz"),
        ("{0}.csv.bz2", "{0}.csv.bz2 is there, which isn't read: unpack it or save it as {0}.csv"),
        ("{0}.csv.zip", "which isn't read"),
        ("{0}.csv.xz", "which isn't read"),
        ("{0}.csv.zst", "which isn't read"),
        ("{0}.csv.gz.part", "which isn't read"),
        ("{0}.tsv", "which isn't read"),
        ("{0}.xlsx", "which isn't read"),
        ("{0}.parquet", "which isn't read"),
        ("x.csv", "found neither; copy the file there"),
    ],
)
def test_files_of_another_name(
    tree: Path, tmp_path: Path, table: str, name: str, told: str
) -> None:
    path = path_of(tree, table)
    path.rename(path.with_name(name.format(table, table.capitalize())))
    message = refusal(tree, tmp_path / "out")
    if table != "discharge" or name != "x.csv":
        assert message.startswith(f"{TABLES[table].folder}/{table}.csv: looked for {table}.csv")
    assert told.format(table, table.capitalize()) in message


@needs_user
@pytest.mark.parametrize("place", ["", "hosp", "note", "hosp/patients.csv", "note/radiology.csv"])
def test_what_may_not_be_read(tree: Path, tmp_path: Path, place: str) -> None:
    (tree / place).chmod(0)
    try:
        message = refusal(tree, tmp_path / "out")
    finally:
        (tree / place).chmod(0o700)
    assert "can't be read" in message or "unreadable" in message


@pytest.mark.parametrize("table", TABLES)
def test_file_changed_between_the_two_readings(
    tree: Path, tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.adapters import mimic_database

    read_csv = mimic_database.MimicDatabase._read_csv

    def touched(self: object, cursor: object, file: object) -> object:
        path = path_of(tree, table)
        os.utime(path, (1, 1))
        return read_csv(self, cursor, file)  # pyright: ignore

    monkeypatch.setattr(mimic_database.MimicDatabase, "_read_csv", touched)
    name = f"{TABLES[table].folder}/{table}.csv"
    assert refusal(tree, tmp_path / "out") == f"{name}: changed while it was being read; run again"
