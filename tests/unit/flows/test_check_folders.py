from __future__ import annotations

from pathlib import Path

import pytest

from flows.local_run import _check_folders  # pyright: ignore[reportPrivateUsage]
from flows.settings import BuildPaths
from tasks.contracts.errors import SettingError


@pytest.mark.parametrize("which", ["mimic", "note", "out"])
def test_folder_names_that_are_not_utf8_are_refused(tmp_path: Path, which: str) -> None:
    folders = {name: tmp_path / name for name in ("mimic", "note", "out")}
    folders[which] = tmp_path / "m\udce9"
    paths = BuildPaths(**folders)
    with pytest.raises(SettingError, match="a folder's name isn't UTF-8 text; rename it"):
        _check_folders(paths)
