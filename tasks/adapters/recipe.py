"""Recipes: digests of everything beside the data that decides a step's result."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from tasks.adapters.resources import resource_folder

_TASKS = Path(__file__).resolve().parent.parent
_SHIPPED = (".py", ".sql", ".md", ".json", ".txt")
_KEY_DIGITS = 32
_IMPORTED = re.compile(r"^\s*(?:from|import)\s+tasks\.adapters\.(\w+)", re.MULTILINE)

COVERED_BY_MODELS = frozenset({"llm", "models"})
"""Adapters whose part in a result the recipes of models and embedders cover."""

KEEPERS = frozenset(
    {
        "failures",
        "files",
        "recipe",
        "resources",
        "retrying",
        "side_processes",
        "workspace",
    }
)
"""Adapters that decide whether, where and how safely a result is kept, not what it holds."""


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

    Covers every shipped file of the named domains, the contracts and the terminology, every
    adapter that these import, directly or through others, but for the two lists above, and for
    ``ehr`` the SQL: a changed helper changes the recipe, whoever calls it.
    """
    folders = [_TASKS / name for name in sorted({*domains, "contracts", "terminology"})]
    if "ehr" in domains:
        folders.append(resource_folder("sql"))
    files = [(folder, path) for folder in folders for path in _shipped(folder)]
    adapters = _imported_adapters([path for _, path in files])
    return digest(_contents([*files, *((_TASKS, path) for path in adapters)]))


@cache
def suites_recipe() -> str:
    """Digest of the expectation suites."""
    folder = resource_folder("expectations")
    return digest(_contents((folder, path) for path in _shipped(folder)))


def step_key(domain: str, item: str, parts: Iterable[str]) -> str:
    """Cache key ``domain.item.digest``: the same work has the same key in any process."""
    return f"{domain}.{item}.{digest(parts)[:_KEY_DIGITS]}"


def _imported_adapters(sources: Sequence[Path]) -> list[Path]:
    """The modules of adapters that can change what the sources compute."""
    found: set[Path] = set()
    waiting = [path for path in sources if path.suffix == ".py"]
    while waiting:
        named = _IMPORTED.findall(waiting.pop().read_text(encoding="utf-8"))
        counted = {*named} - COVERED_BY_MODELS - KEEPERS
        new = {_TASKS / "adapters" / f"{name}.py" for name in counted} - found
        found |= new
        waiting.extend(new)
    return sorted(found)


def _shipped(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in _SHIPPED and path.is_file())


def _contents(files: Iterable[tuple[Path, Path]]) -> Iterable[str]:
    for folder, path in files:
        yield path.relative_to(folder).as_posix()
        # A damaged suite is for its own gate to name, not for whoever takes the recipe.
        yield path.read_text(encoding="utf-8", errors="backslashreplace")
