"""No result outlives a change of the code that made it: what recipes cover is held against imports.

Imports are read here by their syntax, in any form; the recipe finds them in its own way.
"""

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.adapters import recipe
from tasks.adapters.embedders import EmbedderSpec, embedder_recipe
from tasks.adapters.models import ModelSpec, model_recipe

TASKS = Path(recipe.__file__).parents[1]
SHARED = {"adapters", "contracts", "terminology"}
DOMAINS = sorted(
    folder.name
    for folder in TASKS.iterdir()
    if (folder / "steps.py").is_file() and folder.name != "gates"
)
"""Those with cached steps."""

NOT_OF_A_STEP = {("preconsultation", "scoring")}
"""The intervals of its summaries, which are worked out anew in every run."""


def imported(path: Path) -> set[str]:
    """Dotted names of the modules that a file imports, at its top or within a function."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return names


def adapters_of(files: Iterator[Path]) -> set[str]:
    """Names of the adapters that can change what these files compute."""
    left, found = list(files), set[str]()
    while left:
        parts = (name.split(".") for name in imported(left.pop()))
        named = {one[2] for one in parts if one[:2] == ["tasks", "adapters"] and len(one) > 2}
        new = named - found - recipe.KEEPERS - recipe.COVERED_BY_MODELS
        found |= new
        left += [TASKS / "adapters" / f"{name}.py" for name in new]
    return found


@pytest.fixture
def own_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the code that recipes are taken of, to be changed."""
    copy = tmp_path / "tasks"
    shutil.copytree(TASKS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(recipe, "_TASKS", copy)
    recipe.domain_recipe.cache_clear()
    yield copy
    recipe.domain_recipe.cache_clear()


@pytest.mark.parametrize("domain", [*DOMAINS, "adapters/llm"])
def test_each_adapter_that_a_domain_uses_is_part_of_its_recipe(domain: str, own_code: Path):
    before = recipe.domain_recipe.__wrapped__(domain)
    for name in sorted(adapters_of((own_code / domain).rglob("*.py"))):
        module = own_code / "adapters" / f"{name}.py"
        content = module.read_text()
        module.write_text(content + "# changed\n")
        assert recipe.domain_recipe.__wrapped__(domain) != before, (domain, name)
        module.write_text(content)
    assert recipe.domain_recipe.__wrapped__(domain) == before


def test_retrieval_is_part_of_what_ranks_by_it():
    assert {"bm25", "embedders", "static_embedder", "tokens", "prompts"} <= adapters_of(
        (TASKS / "answering").rglob("*.py")
    )
    assert "bm25" in adapters_of((TASKS / "rubrics").rglob("*.py"))
    assert "bm25" in adapters_of((TASKS / "preconsultation").rglob("*.py"))


def test_an_adapter_that_is_imported_within_a_function_counts(own_code: Path):
    (own_code / "release" / "counts.py").write_text(
        "def rank():\n    from tasks.adapters.bm25 import Bm25Index\n    return Bm25Index\n"
    )
    before = recipe.domain_recipe.__wrapped__("release")
    with (own_code / "adapters" / "bm25.py").open("a") as module:
        module.write("# changed\n")
    assert recipe.domain_recipe.__wrapped__("release") != before


@pytest.mark.parametrize("name", ["files", "retrying", "mimic_files", "run_lock"])
def test_work_outlives_a_change_of_how_it_is_kept_or_of_what_others_read(name: str, own_code: Path):
    before = recipe.domain_recipe.__wrapped__("answering")
    with (own_code / "adapters" / f"{name}.py").open("a") as module:
        module.write("# changed\n")
    assert recipe.domain_recipe.__wrapped__("answering") == before


def test_a_change_of_the_client_is_part_of_models_and_embedders_that_it_asks(own_code: Path):
    asked = ModelSpec(provider="openai", model="m"), EmbedderSpec(provider="openai", model="m")
    offline = ModelSpec(provider="programmatic"), EmbedderSpec()
    before = model_recipe(asked[0]), embedder_recipe(asked[1])
    before_offline = model_recipe(offline[0]), embedder_recipe(offline[1])
    with (own_code / "adapters" / "llm" / "vector_reading.py").open("a") as module:
        module.write("# changed\n")
    recipe.domain_recipe.cache_clear()
    assert model_recipe(asked[0]) != before[0]
    assert embedder_recipe(asked[1]) != before[1]
    assert (model_recipe(offline[0]), embedder_recipe(offline[1])) == before_offline


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_domain_names_each_domain_it_computes_with_in_its_recipes(domain: str):
    files = list((TASKS / domain).rglob("*.py"))
    used = {
        name.split(".")[1]
        for path in files
        for name in imported(path)
        if name.startswith("tasks.") and (TASKS / name.split(".")[1]).is_dir()
    }
    named = {
        argument.value
        for path in files
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "domain_recipe"
        for argument in node.args
        if isinstance(argument, ast.Constant)
    }
    not_of_a_step = {one for asking, one in NOT_OF_A_STEP if asking == domain}
    assert used - SHARED - {domain} - not_of_a_step <= named


def test_the_adapters_that_recipes_leave_out_exist():
    there = {path.stem for path in (TASKS / "adapters").iterdir()}
    assert there >= recipe.KEEPERS | recipe.COVERED_BY_MODELS
