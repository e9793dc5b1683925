from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from flows.cli_parser import EVALUATION_UNTIL, STRATEGIES, parse
from flows.evaluate_benchmark import evaluate_benchmark
from flows.evaluation_access import refuse_unusable_models, release_data_class
from flows.evaluation_settings import (
    EVALUATION_PARAMETERS,
    EvaluationSettings,
    EvaluationUntil,
    load_evaluation_settings,
)
from flows.evaluation_systems import systems_of
from tasks.contracts.errors import SettingError
from tasks.contracts.evaluation import Budget, Strategy

LOCAL = "http://127.0.0.1:9/v1"


def openai(**given: Any) -> EvaluationSettings:
    return load_evaluation_settings(
        **{"provider": "openai", "model": ["m"], "base_url": LOCAL, **given}
    )


def test_the_commands_choices_are_the_settings() -> None:
    assert get_args(Strategy) == STRATEGIES
    assert get_args(EvaluationUntil) == EVALUATION_UNTIL


def test_flow_deployment_and_settings_have_the_same_parameters() -> None:
    names = set(inspect.signature(evaluate_benchmark.fn).parameters)
    assert names == set(EVALUATION_PARAMETERS)
    checkout = Path(__file__).resolve().parents[3]
    deployments = yaml.safe_load((checkout / "prefect.yaml").read_text())["deployments"]
    (deployed,) = [one for one in deployments if one["name"] == "evaluate-benchmark"]
    assert set(deployed["parameters"]) == names
    assert set(load_evaluation_settings().flow_parameters()) == names


def test_every_option_of_the_command_is_a_setting() -> None:
    options = vars(parse(["evaluate"]))
    assert options.keys() - {"command"} <= set(EvaluationSettings.model_fields)


def test_lists_are_read_from_several_options_and_from_commas(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = parse(["evaluate", "--strategy", "bm25", "dense", "--strategy", "mem0", "--model", "a"])
    assert given.strategy == ["bm25", "dense", "mem0"]
    assert given.model == ["a"]
    monkeypatch.setenv("ANAMNESIS_STRATEGY", "bm25, full-context")
    assert load_evaluation_settings().strategy == ("bm25", "full-context")
    assert load_evaluation_settings(strategy=["all"]).strategy == STRATEGIES


def test_without_a_model_the_reader_by_rules_and_the_baselines_are_evaluated() -> None:
    assert [one.name for one in systems_of(load_evaluation_settings())] == [
        "programmatic-1/full-context",
        "always-abstain",
        "question-only",
        "extractive",
    ]


def test_every_model_is_evaluated_with_every_strategy() -> None:
    settings = openai(model=["a", "b", "a"], strategy=["bm25", "dense"])
    systems = systems_of(settings)
    assert [one.name for one in systems[:4]] == ["a/bm25", "a/dense", "b/bm25", "b/dense"]
    assert len(systems) == 4 + 3
    assert systems[0].budget == Budget()
    assert systems[0].embedder is None
    assert systems[1].embedder is not None


def test_the_margin_is_a_sixteenth_of_a_small_context() -> None:
    settings = openai(context_tokens=4096, output_tokens=512)
    (system, *_) = systems_of(settings)
    assert system.budget.prompt_tokens == 4096 - 512 - 256
    assert openai(margin_tokens=0).margin == 0


def test_a_judge_is_like_the_models_but_for_what_is_said_of_it() -> None:
    rules = openai().judge_spec()
    assert rules.provider == "programmatic"
    like = openai(judge_model="j", model_family="reasoning").judge_spec()
    assert (like.model, like.base_url, like.server) == ("j", LOCAL, "generic")
    assert (like.family, like.output_tokens, like.temperature) == ("reasoning", 1024, 0.0)
    other = openai(
        judge_model="j",
        judge_base_url="http://127.0.0.1:8/v1/",
        judge_server="vllm",
        judge_temperature=0.5,
    ).judge_spec()
    assert (other.base_url, other.server) == ("http://127.0.0.1:8/v1", "vllm")
    assert other.temperature == 0.5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": ["m"]}, "model: not used by the programmatic provider"),
        ({"provider": "openai"}, "model is not set: give names of models as --model"),
        ({"seed": 3}, "seed: nothing is asked of a server"),
        ({"judge_base_url": LOCAL}, "judge_base_url: nothing is asked of a server"),
        ({"strategy": ["bm24"]}, "setting strategy"),
        ({"until": "report"}, "setting until"),
        ({"judge_repeats": 0}, "setting judge_repeats"),
        (
            {"provider": "openai", "model": ["a", "b"], "azure_deployment": "d"},
            "azure_deployment names one deployment",
        ),
        (
            {"provider": "openai", "model": ["a"], "context_tokens": 1024},
            "output_tokens: found 4096, which leaves nothing of the context_tokens, 1024",
        ),
        (
            {"provider": "openai", "model": ["a"], "max_usd": 1},
            "max_usd needs prices",
        ),
    ],
)
def test_what_cant_be_meant_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        load_evaluation_settings(**given)


def test_a_context_without_room_for_a_prompt_is_refused() -> None:
    with pytest.raises(SettingError, match="nothing is left for a prompt"):
        systems_of(openai(context_tokens=1024, output_tokens=512, margin_tokens=512))


def test_out_may_be_neither_the_release_nor_a_build(tmp_path: Path) -> None:
    release = tmp_path / "build" / "release"
    release.mkdir(parents=True)
    for out in (release, release / "evaluation"):
        with pytest.raises(SettingError, match="is the root, your home or in the release"):
            load_evaluation_settings(release=release, out=out).evaluation_paths()
    with pytest.raises(SettingError, match="holds a build"):
        load_evaluation_settings(release=release, out=tmp_path / "build").evaluation_paths()
    with pytest.raises(SettingError, match="release is not set: give a folder in the MedLoCoMo"):
        load_evaluation_settings(out=tmp_path / "out").evaluation_paths()
    out = tmp_path / "out"
    assert load_evaluation_settings(release=release, out=out).evaluation_paths().out == out


@pytest.mark.parametrize(
    ("manifest", "marker", "expected"),
    [
        (None, None, "credentialed"),
        ('{"data_class": "synthetic"}', None, "synthetic"),
        ('{"data_class": "synthetic"}', "credentialed", "credentialed"),
        ('{"data_class": "credentialed"}', "open", "credentialed"),
        (None, "open", "open"),
        ('{"data_class": "public"}', None, "credentialed"),
        ("[]", None, "credentialed"),
        ("{", None, "credentialed"),
    ],
)
def test_a_release_that_says_nothing_of_who_may_see_it_is_credentialed(
    tmp_path: Path, manifest: str | None, marker: str | None, expected: str
) -> None:
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    if marker is not None:
        (tmp_path / "DATA_CLASS").write_text(marker)
    assert release_data_class(load_evaluation_settings(), tmp_path) == expected
    assert release_data_class(load_evaluation_settings(data_class="open"), tmp_path) == "open"


@pytest.mark.parametrize("name", ["base_url", "judge_base_url", "embeddings_url"])
def test_credentialed_text_goes_to_no_host_that_is_not_allowed(name: str) -> None:
    away = {name: "https://models.example.org/v1"}
    given = {"judge_model": "j", "embeddings_model": "e", "key_variable": "PATH", **away}
    settings = openai(**given)
    with pytest.raises(SettingError, match=r"models\.example\.org is not on this machine"):
        refuse_unusable_models(settings, "credentialed")
    refuse_unusable_models(settings, "synthetic")
    allowed = openai(**given, allow_host=["models.example.org"])
    refuse_unusable_models(allowed, "credentialed")


def test_a_password_in_an_address_is_refused_even_where_nothing_is_asked_there() -> None:
    settings = openai(judge_model="j", judge_base_url="http://user:secret@127.0.0.1/v1")
    with pytest.raises(SettingError, match="user name or password") as caught:
        refuse_unusable_models(settings, "synthetic")
    assert "secret" not in str(caught.value)


def test_a_price_is_needed_for_every_model_that_is_asked(tmp_path: Path) -> None:
    price = '{"input_usd_per_million_tokens": 1, "output_usd_per_million_tokens": 2}'
    (tmp_path / "prices.json").write_text(f'{{"m": {price}}}')
    prices = tmp_path / "prices.json"
    refuse_unusable_models(openai(prices=prices), "synthetic")
    with pytest.raises(SettingError, match="no price for the model 'j'"):
        refuse_unusable_models(openai(prices=prices, judge_model="j"), "synthetic")
