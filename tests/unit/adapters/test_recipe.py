from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.adapters import recipe
from tasks.adapters.recipe import digest, domain_recipe, step_key


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_different_parts_have_different_digests(first: list[str], second: list[str]) -> None:
    assert (digest(first) == digest(second)) == (first == second)


def test_a_key_names_its_domain_and_item() -> None:
    key = step_key("dialogues", "80000101", ["record", "recipe"])
    assert key.startswith("dialogues.80000101.")
    assert "/" not in key


def test_a_key_changes_with_every_part() -> None:
    keys = {
        step_key("dialogues", "1", ["a", "b"]),
        step_key("dialogues", "1", ["b", "a"]),
        step_key("dialogues", "2", ["a", "b"]),
        step_key("questions", "1", ["a", "b"]),
    }
    assert len(keys) == 4


@pytest.mark.parametrize("changed", ["qa/forms.json", "qa/helper.py", "qa/prompts/system.md"])
def test_a_changed_file_of_the_domain_changes_its_recipe(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("qa/forms.json", "qa/helper.py", "qa/prompts/system.md", "ehr/facts.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("before")
    monkeypatch.setattr(recipe, "_TASKS", tmp_path)
    before = domain_recipe.__wrapped__("qa")
    (tmp_path / "ehr/facts.py").write_text("after")
    assert domain_recipe.__wrapped__("qa") == before
    (tmp_path / changed).write_text("after")
    assert domain_recipe.__wrapped__("qa") != before


def test_the_sql_belongs_to_the_recipe_of_bundles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cohort.sql").write_text("select 1")
    monkeypatch.setattr(recipe, "resource_folder", lambda _name: tmp_path)
    before = domain_recipe.__wrapped__("ehr")
    (tmp_path / "cohort.sql").write_text("select 2")
    assert domain_recipe.__wrapped__("ehr") != before
