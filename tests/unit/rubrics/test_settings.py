from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from flows import rubric_local
from flows.cli_parser import parse
from flows.evaluate_rubrics import evaluate_rubrics
from flows.generate_rubrics import generate_rubrics
from flows.rubric_roles import evaluation_class, generation_class
from flows.rubric_settings import (
    EVALUATION_PARAMETERS,
    GENERATION_PARAMETERS,
    GenerationSettings,
    RubricEvaluationSettings,
    load_generation_settings,
    load_rubric_evaluation_settings,
)
from tasks.contracts.errors import SettingError

CHECKOUT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("name", "flow", "parameters"),
    [
        ("generate-rubrics", generate_rubrics, GENERATION_PARAMETERS),
        ("evaluate-rubrics", evaluate_rubrics, EVALUATION_PARAMETERS),
    ],
)
def test_flow_deployment_and_settings_have_the_same_parameters(
    name: str, flow: Any, parameters: tuple[str, ...]
) -> None:
    assert set(inspect.signature(flow.fn).parameters) == set(parameters)
    deployments = yaml.safe_load((CHECKOUT / "prefect.yaml").read_text())["deployments"]
    (deployed,) = [one for one in deployments if one["name"] == name]
    assert set(deployed["parameters"]) == set(parameters)


@pytest.mark.parametrize(
    ("action", "settings"),
    [("generate", GenerationSettings), ("evaluate", RubricEvaluationSettings)],
)
def test_every_option_of_the_command_is_a_setting(action: str, settings: Any) -> None:
    options = vars(parse(["rubrics", action]))
    assert options.keys() - {"command", "action"} <= set(settings.model_fields)


def openai(**given: Any) -> GenerationSettings:
    return load_generation_settings(provider="openai", model="m", **given)


@pytest.mark.parametrize("value", ["hot", "nan", "-0.1", "2.1", "1e999"])
def test_a_sampling_that_is_no_number_within_its_range_is_refused(value: str) -> None:
    with pytest.raises(SettingError, match="expected a number from 0 to 2"):
        openai(role=[f"rubric.temperature={value}"])


def test_roles_have_the_papers_sampling_unless_it_is_set() -> None:
    settings = openai(role=["rubric.model=n", "rubric.temperature=0.3", "base.top_p=0.5"])
    router, rubric = settings.role_spec("router"), settings.role_spec("rubric")
    judge, base = settings.role_spec("judge"), settings.role_spec("base")
    assert (router.model, router.temperature, router.top_p) == ("m", 0.1, None)
    assert (rubric.model, rubric.temperature) == ("n", 0.3)
    assert (judge.model, judge.temperature) == ("m", 0.0)
    assert (base.temperature, base.top_p) == (0.7, 0.5)


@pytest.mark.parametrize(
    "role", ["rubric", "nobody.model=x", "rubric.seed=1", "judge.top_p=2", "judge.temperature=hot"]
)
def test_a_role_setting_that_can_t_be_meant_is_refused(role: str) -> None:
    with pytest.raises(SettingError, match="setting role"):
        openai(role=[role])


@pytest.mark.parametrize(
    ("given", "variants"),
    [
        ({}, ("full",)),
        ({"without": ["router"]}, ("without-router",)),
        ({"without": "nothing,intent"}, ("full", "without-intent")),
        ({"baseline": ["direct", "generic"]}, ("generic", "direct")),
    ],
)
def test_what_is_generated(given: dict[str, Any], variants: tuple[str, ...]) -> None:
    assert load_generation_settings(**given).variants == variants


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"without": ["facts"]}, "expected nothing, router, atomic, intent, audit"),
        ({"baseline": ["llama"]}, "expected generic, direct"),
        ({"queries": "a", "release": "b"}, "both given"),
        ({"model": "m"}, "not used by the programmatic provider"),
        ({"provider": "openai"}, "model is not set"),
    ],
)
def test_what_can_t_be_generated_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(SettingError, match=told):
        load_generation_settings(**given)


def test_sets_are_named_by_the_user_or_by_their_file() -> None:
    settings = load_rubric_evaluation_settings(rubrics=["a=x/rubrics.jsonl", "y/final.jsonl"])
    assert settings.sets == {"a": Path("x/rubrics.jsonl"), "final": Path("y/final.jsonl")}
    assert settings.measure == ("coverage", "discrimination", "refinement")


def test_an_equals_sign_within_a_path_names_no_set() -> None:
    given = ["a=data/run=1/r.jsonl", "/data/run=2/s.jsonl"]
    settings = load_rubric_evaluation_settings(rubrics=given)
    assert settings.sets == {"a": Path("data/run=1/r.jsonl"), "s": Path("/data/run=2/s.jsonl")}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rubrics": ["x/r.jsonl", "y/r.jsonl"]}, "two sets have one name"),
        ({"rubrics": ["gold=r.jsonl"]}, "names a control"),
        ({"rubrics": ["a=r.jsonl"], "compare_with": "b"}, "expected one of"),
        ({"judge": ["m"]}, "judge with --provider openai"),
        ({"measure": ["speed"]}, "setting measure"),
        ({"measure": ""}, "measure: found nothing"),
    ],
)
def test_what_can_t_be_evaluated_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(SettingError, match=told):
        load_rubric_evaluation_settings(**given)


@pytest.mark.parametrize(
    ("load", "found", "told"),
    [
        (load_generation_settings, "release/", "holds a build"),
        (load_generation_settings, "measures.json", "holds an evaluation of rubrics"),
        (load_generation_settings, "rubrics.jsonl/", "rubrics.jsonl is in the way"),
        (load_rubric_evaluation_settings, "release/", "holds a build"),
        (load_rubric_evaluation_settings, "rubrics.jsonl", "holds generated rubrics"),
        (load_rubric_evaluation_settings, "measures.json/", "measures.json is in the way"),
        (load_rubric_evaluation_settings, "tables", "tables is in the way"),
    ],
)
def test_an_output_folder_that_can_t_be_used_is_refused(
    tmp_path: Path, load: Any, found: str, told: str
) -> None:
    assert load(out=str(tmp_path)).output() == tmp_path
    place = tmp_path / found
    place.mkdir() if found.endswith("/") else place.write_text("")
    with pytest.raises(SettingError, match=told):
        load(out=str(tmp_path)).output()


def marked(folder: Path, data_class: str | None, manifest: str | None = None) -> Path:
    folder.mkdir()
    if data_class is not None:
        (folder / "DATA_CLASS").write_text(data_class)
    if manifest is not None:
        (folder / "manifest.json").write_text(json.dumps({"data_class": manifest}))
    return folder


@pytest.mark.parametrize(
    ("queries", "pages", "expected"),
    [
        ("open", None, "open"),
        ("open", "synthetic", "open"),
        ("open", "credentialed", "credentialed"),
        (None, "open", "credentialed"),
    ],
)
def test_pages_that_may_be_seen_by_fewer_decide(
    tmp_path: Path, queries: str | None, pages: str | None, expected: str
) -> None:
    asked, corpus = marked(tmp_path / "q", queries), marked(tmp_path / "c", pages)
    given = {"queries": str(asked / "q.jsonl"), "corpus": str(corpus)}
    assert generation_class(load_generation_settings(**given)) == expected
    assert generation_class(load_generation_settings(**given, data_class="open")) == "open"


@pytest.mark.parametrize(("of_set", "expected"), [(None, "open"), ("credentialed", "credentialed")])
def test_rubrics_that_may_be_seen_by_fewer_decide(
    tmp_path: Path, of_set: str | None, expected: str
) -> None:
    data, made = marked(tmp_path / "d", "open"), marked(tmp_path / "r", None, of_set)
    settings = load_rubric_evaluation_settings(
        rubrics=[f"a={made / 'rubrics.jsonl'}"],
        measure=["coverage"],
        reference=str(data / "gold.jsonl"),
        queries=str(data / "q.jsonl"),
    )
    assert evaluation_class(settings) == expected


def test_settings_of_other_flows_say_nothing_of_a_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANAMNESIS_STRATEGY", "no-such-strategy")
    release = marked(tmp_path / "r", None, "synthetic")
    assert generation_class(load_generation_settings(release=str(release))) == "synthetic"
    silent = marked(tmp_path / "s", None)
    assert generation_class(load_generation_settings(release=str(silent))) == "credentialed"


def test_a_path_that_can_t_be_looked_at_is_named_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rubric_local, "hush_prefect", lambda: None)
    name = "a" * 300
    settings = load_generation_settings(queries=name, out=str(tmp_path / "out"))
    with pytest.raises(SettingError, match=f"^{name}: can't be read"):
        rubric_local.run_rubric_generation(settings, Console(), Console())


def test_judges_by_name_are_models_or_rules() -> None:
    settings = load_rubric_evaluation_settings(
        provider="openai", model="m", judge=["programmatic", "j"], role=["judge.temperature=0.2"]
    )
    assert [(one.provider, one.model) for one in settings.judge_specs()] == [
        ("programmatic", ""),
        ("openai", "j"),
    ]
    assert settings.judge_specs()[1].temperature == 0.2
