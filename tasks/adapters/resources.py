"""Finds the files that ship beside the code: SQL, expectation suites and prompts."""

from __future__ import annotations

from pathlib import Path

_TASKS = Path(__file__).resolve().parent.parent


def resource_folder(name: str) -> Path:
    """The folder ``sql`` or ``expectations``: inside the installed package, else the checkout's."""
    packaged = _TASKS / "resources" / name
    return packaged if packaged.is_dir() else _TASKS.parent / name


def read_sql(name: str) -> str:
    """Text of a SQL file by its path below ``sql``, for example ``cohort/cohort.sql``."""
    return (resource_folder("sql") / name).read_text(encoding="utf-8")


def read_prompt(domain: str, name: str) -> str:
    """Text of a prompt by domain and file name, for example ``dialogue``, ``system.md``."""
    return (_TASKS / domain / "prompts" / name).read_text(encoding="utf-8")
