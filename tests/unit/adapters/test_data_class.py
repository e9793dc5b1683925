from pathlib import Path

import pytest

from tasks.adapters.data_class import read_data_class
from tasks.contracts.errors import SettingError


def marked(folder: Path, content: str | None) -> Path:
    folder.mkdir()
    if content is not None:
        (folder / "DATA_CLASS").write_text(content)
    return folder


@pytest.mark.parametrize(
    ("hosp", "note", "expected"),
    [
        ("synthetic\n", "synthetic\n", "synthetic"),
        ("open\n", "synthetic\n", "open"),
        ("open\n", None, "credentialed"),
        (None, None, "credentialed"),
        ("synthetic\n", "credentialed\n", "credentialed"),
    ],
)
def test_the_most_restricted_folder_decides(
    tmp_path: Path, hosp: str | None, note: str | None, expected: str
) -> None:
    assert read_data_class(marked(tmp_path / "h", hosp), marked(tmp_path / "n", note)) == expected


def test_an_unknown_class_is_refused_by_file(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"DATA_CLASS: names no data class; write one of"):
        read_data_class(marked(tmp_path / "h", "public"))
