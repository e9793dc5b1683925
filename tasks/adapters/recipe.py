"""Recipes: digests of everything beside the data that decides a step's result."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tasks.adapters.resources import resource_folder

_TASKS = Path(__file__).resolve().parent.parent
_SHIPPED = (".py", ".sql", ".md", ".json", ".txt")
_KEY_DIGITS = 32


def digest(parts: Iterable[str]) -> str:
    """Hex digest of a list of texts; ``["ab", "c"]`` and ``["a", "bc"]`` differ."""
    total = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8")
        total.update(len(content).to_bytes(8, "big"))
        total.update(content)
    return total.hexdigest()


@cache
def domain_recipe(*domains: str) -> str:
    """Digest of the rules, prompts, wording and shapes of some domains.

    Covers every shipped file of the named domains, the contracts and the terminology, and for
    ``ehr`` the SQL and the reader: a changed helper changes the recipe, whoever calls it.
    """
    folders = [_TASKS / name for name in sorted({*domains, "contracts", "terminology"})]
    if "ehr" in domains:
        folders += [_TASKS / "adapters", resource_folder("sql")]
    return digest(part for folder in folders for part in _contents(folder))


@cache
def suites_recipe() -> str:
    """Digest of the expectation suites."""
    return digest(_contents(resource_folder("expectations")))


def step_key(domain: str, item: str, parts: Iterable[str]) -> str:
    """Cache key ``domain.item.digest``: the same work has the same key in any process."""
    return f"{domain}.{item}.{digest(parts)[:_KEY_DIGITS]}"


def _contents(folder: Path) -> list[str]:
    files = sorted(path for path in folder.rglob("*") if path.suffix in _SHIPPED and path.is_file())
    return [
        part
        for path in files
        for part in (path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))
    ]
