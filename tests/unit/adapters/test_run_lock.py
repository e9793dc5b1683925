from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tasks.adapters.run_lock import output_lock
from tasks.contracts.errors import SettingError

HOLD = """
import sys
from pathlib import Path
from tasks.adapters.run_lock import output_lock
with output_lock(Path(sys.argv[1]), wait_seconds=0):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_missing_folder_is_made_and_left_clean(tmp_path: Path) -> None:
    out = tmp_path / "a" / "b"
    with output_lock(out, wait_seconds=0):
        assert (out / ".run.json").is_file()
    assert [path.name for path in out.iterdir() if path.name != ".run.lock"] == []


def test_folder_can_be_held_again_after_release(tmp_path: Path) -> None:
    with output_lock(tmp_path, wait_seconds=0):
        pass
    with output_lock(tmp_path, wait_seconds=0):
        pass


def test_second_run_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    message = rf"{re.escape(str(tmp_path))} is used by another run \(process {os.getpid()} on .+\)"
    with (
        output_lock(tmp_path, wait_seconds=0),
        pytest.raises(SettingError, match=message),
        output_lock(tmp_path, wait_seconds=0),
    ):
        raise AssertionError


def test_killed_holder_frees_the_folder(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(SettingError, match=f"process {holder.pid}"),
            output_lock(tmp_path, wait_seconds=0),
        ):
            raise AssertionError
        holder.kill()
    with output_lock(tmp_path, wait_seconds=5):
        pass


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(SettingError, match=r"output folder .*file/out can't be written \(Not a dir"),
        output_lock(tmp_path / "file" / "out", wait_seconds=0),
    ):
        raise AssertionError


def test_error_inside_frees_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="boom"), output_lock(tmp_path, wait_seconds=0):
        raise ValueError("boom")
    with output_lock(tmp_path, wait_seconds=0):
        pass
