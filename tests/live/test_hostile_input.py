from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.reading import MARK, change, path_of, write_sound_tree
from tests.live.command import anamnesis

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def as_pipe(tree: Path) -> None:
    path_of(tree, "discharge").unlink()
    os.mkfifo(tree / "note/discharge.csv")


# The kinds of damage are told apart in tests/hostile; here it is the command that tells them.
DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "pipe": (as_pipe, "note/discharge.csv: can't be read: it is a pipe"),
    "date of a spreadsheet": (
        lambda tree: change(tree, "admissions", lambda c: c.replace(b"2150-06-01", b"6/1/2150", 1)),
        "hosp/admissions.csv: record 1, column admittime: a date that is not year-month-day",
    ),
    "no hosp": (
        lambda tree: (tree / "hosp").rename(tree.parent / "elsewhere"),
        "looked for a folder hosp/ inside it and found none",
    ),
}  # fmt: skip


def content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def refused(home: Path, tree: Path, out: Path) -> str:
    run = anamnesis("build", "--mimic", str(tree), "--out", str(out), home=home)
    assert run.returncode == 2
    said = run.stdout + run.stderr
    assert "Traceback" not in said
    assert MARK.casefold() not in said.casefold()
    [message] = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
    return message


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_input_is_one_message_and_leaves_no_trace(
    home: Path, tmp_path: Path, kind: str
) -> None:
    damage, told = DAMAGE[kind]
    tree = write_sound_tree(tmp_path / "mimic")
    damage(tree)
    assert told in refused(home, tree, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_damaged_input_leaves_an_earlier_output_as_it_is(home: Path, tmp_path: Path) -> None:
    tree = write_sound_tree(tmp_path / "mimic")
    out = tmp_path / "out"
    built = anamnesis("build", "--mimic", str(tree), "--out", str(out), home=home)
    assert built.returncode == 0, built.stderr
    before = content(out / "release")
    change(tree, "radiology", lambda c: c + b"\xff\n")
    refused(home, tree, out)
    assert content(out / "release") == before


@pytest.mark.parametrize("option", ["--notes-for", "--mimic"])
def test_wrong_folder_is_told_by_the_option_that_gave_it(
    home: Path, tmp_path: Path, option: str
) -> None:
    command = "sample" if option == "--notes-for" else "build"
    run = anamnesis(command, option, str(tmp_path / "no"), "--out", str(tmp_path / "o"), home=home)
    assert run.returncode == 2
    assert run.stderr == (
        f"error: {option} {tmp_path / 'no'}: expected a folder that holds hosp/, found nothing "
        "there\n"
    )
