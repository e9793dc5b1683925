from __future__ import annotations

import base64
import gzip
import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.factories.leaks import find_leaks

WORD = "zqxmark"
TEXT = f"She said: {WORD.capitalize()}, twice.\n"


@pytest.mark.parametrize(
    "write",
    [
        lambda text: text.encode(),
        lambda text: text.upper().encode(),
        lambda text: text.encode("utf-16"),
        lambda text: json.dumps({"a": text}).encode(),
        lambda text: text.encode().hex().encode(),
        lambda text: gzip.compress(text.encode()),
        lambda text: zlib.compress(text.encode()),
        *(lambda text, n=n: base64.b64encode(b"x" * n + text.encode()) for n in range(3)),
    ],
)
def test_a_word_is_found_in_every_form(write: Callable[[str], bytes], tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(write(TEXT))
    assert find_leaks([tmp_path / "log"], WORD) == [f"{tmp_path / 'log'}: file"]
    (tmp_path / "log").write_bytes(write("She said nothing, twice.\n"))
    assert find_leaks([tmp_path / "log"], WORD) == []


def test_a_packed_value_of_a_database_is_found(tmp_path: Path) -> None:
    path = tmp_path / "prefect.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("create table log (message blob)")
        database.execute("insert into log values (?)", [zlib.compress(TEXT.encode())])
        database.commit()
    assert find_leaks([path], WORD) == [f"{path}: log"]
