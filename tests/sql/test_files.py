from __future__ import annotations

import re
from pathlib import Path

import pytest

from tasks.adapters.resources import resource_folder

FILES = sorted(resource_folder("sql").rglob("*.sql"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_sql_file_opens_with_title_and_purpose(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(r"-- title: \S.*\n-- purpose: \S(.*\n)(--          \S.*\n)*-- grain: \S", text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_sql_query_that_returns_rows_has_a_stated_order(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    one_row = re.search(r"^-- grain: one row$", text, re.MULTILINE)
    makes_objects = re.search(r"^create or replace", text, re.MULTILINE)
    assert one_row or makes_objects or "\norder by" in text
