from __future__ import annotations

import inspect
from pathlib import Path
from typing import get_args

import pytest
import yaml

from flows.cli_parser import parse
from flows.evaluate_preconsultation import evaluate_preconsultation
from flows.preconsult_access import profiles_data_class, refuse_unusable_models
from flows.preconsult_settings import (
    PRECONSULT_PARAMETERS,
    PreconsultSettings,
    PreconsultUntil,
    load_preconsult_settings,
)
from tasks.contracts.errors import SettingError

LOCAL = "http://127.0.0.1:1/v1"
OF_ACTIONS = {"command", "action", "name", "pid", "evaluated", "file"}


def test_flow_deployment_and_settings_have_the_same_parameters() -> None:
    names = set(inspect.signature(evaluate_preconsultation.fn).parameters)
    assert names == set(PRECONSULT_PARAMETERS)
    checkout = Path(__file__).resolve().parents[3]
    deployments = yaml.safe_load((checkout / "prefect.yaml").read_text())["deployments"]
    (deployed,) = [one for one in deployments if one["name"] == "evaluate-preconsultation"]
    assert set(deployed["parameters"]) == names
    assert set(load_preconsult_settings().flow_parameters()) == names


def test_every_option_of_the_command_is_a_setting() -> None:
    options = vars(parse(["preconsult"]))
    assert options.keys() - OF_ACTIONS <= set(PreconsultSettings.model_fields)
    assert options["action"] == "run"
    for until in get_args(PreconsultUntil):
        assert parse(["preconsult", "--until", until]).until == until


def test_turns_and_doctors_are_read_from_several_options() -> None:
    given = parse(["preconsult", "--cut-turns", "1", "3", "--doctor-model", "a", "b"])
    settings = load_preconsult_settings(cut_turns=given.cut_turns, doctor_model=given.doctor_model)
    assert settings.cut_turns == (1, 3)
    assert settings.doctor_model == ("a", "b")


def test_profiles_of_a_folder_that_says_nothing_stay_at_home(tmp_path: Path) -> None:
    given = {
        "profiles": tmp_path / "p.json",
        "guidelines": tmp_path / "g.csv",
        "out": tmp_path / "o",
    }
    abroad = load_preconsult_settings(**given, doctor_model="m", base_url="https://8.8.8.8/v1")
    assert profiles_data_class(abroad) == "credentialed"
    with pytest.raises(SettingError, match="--allow-host"):
        refuse_unusable_models(abroad, "credentialed")
    at_home = load_preconsult_settings(**given, doctor_model="m", base_url=LOCAL)
    refuse_unusable_models(at_home, "credentialed")
    (tmp_path / "DATA_CLASS").write_text("open\n")
    assert profiles_data_class(abroad) == "open"


def test_an_output_that_holds_a_build_is_refused(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    settings = load_preconsult_settings(profiles="p.json", guidelines="g.csv", out=tmp_path)
    with pytest.raises(SettingError, match="holds a build"):
        settings.preconsult_paths()


def test_the_seed_can_be_given_where_no_model_is_asked():
    assert load_preconsult_settings(seed=3).seed == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"turns": 3, "cut_turns": "1,4"}, "found 4; interviews of 3 turns"),
        ({"provider": "openai"}, "model is not set"),
        ({"model": "m"}, "not used by the programmatic provider"),
        ({"base_url": "http://127.0.0.1/v1"}, "nothing is asked of a server"),
        ({"doctor_model": "a,b", "azure_deployment": "d"}, "azure_deployment names one"),
        (
            {"provider": "openai", "model": "m", "doctor_model": "a", "azure_deployment": "d"},
            "azure_deployment names one",
        ),
        (
            {"provider": "openai", "model": "m", "doctor_base_url": LOCAL},
            "doctor_base_url: no doctor is named: give --doctor-model",
        ),
        ({"doctor_key_variable": "K"}, "doctor_key_variable: no doctor is named"),
        ({"doctor_model": "m", "doctor_key_variable": "a b"}, "doctor_key_variable"),
        ({"turns": 0}, "turns"),
        ({"language": "fr"}, "language"),
    ],
)
def test_settings_that_cannot_be_meant_together_are_refused(given: dict[str, object], message: str):
    with pytest.raises(SettingError, match=message):
        load_preconsult_settings(**given)


def test_doctors_are_the_named_models_else_the_model_else_the_rules():
    rules = load_preconsult_settings()
    assert [one.provider for one in rules.doctor_specs()] == ["programmatic"]
    model = load_preconsult_settings(provider="openai", model="m")
    assert model.doctor_specs() == (model.role_spec(),)
    both = load_preconsult_settings(doctor_model="a, b,a", cut_turns="3,1", turns=3)
    assert [one.model for one in both.doctor_specs()] == ["a", "b"]
    assert both.role_spec().provider == "programmatic"
    assert both.scored_turns == (1, 3)


def test_doctors_may_be_served_elsewhere_than_the_other_roles():
    given = {"provider": "openai", "model": "m", "doctor_model": "a", "model_family": "reasoning"}
    alike = load_preconsult_settings(**given, base_url=LOCAL, server="vllm")
    (doctor,) = alike.doctor_specs()
    assert (doctor.base_url, doctor.server, doctor.family) == (LOCAL, "vllm", "reasoning")
    apart = load_preconsult_settings(
        **given, doctor_base_url=f"{LOCAL}/", doctor_model_family="chat"
    )
    (doctor,) = apart.doctor_specs()
    assert (doctor.base_url, doctor.server, doctor.family) == (LOCAL, "generic", "chat")
    role = apart.role_spec()
    assert (role.base_url, role.server) == ("https://api.openai.com/v1", "openai")


def test_the_doctors_endpoint_has_its_own_key_and_is_checked_by_its_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    given = {"profiles": tmp_path / "p.json", "guidelines": "g.csv", "out": tmp_path / "o"}
    given |= {"provider": "openai", "model": "m", "doctor_model": "a"}
    monkeypatch.delenv("DOCTORS_KEY", raising=False)
    keyless = load_preconsult_settings(**given, base_url=LOCAL, doctor_key_variable="DOCTORS_KEY")
    with pytest.raises(SettingError, match="set DOCTORS_KEY in the environment"):
        refuse_unusable_models(keyless, "open")
    monkeypatch.setenv("DOCTORS_KEY", "k")
    refuse_unusable_models(keyless, "open")
    abroad = load_preconsult_settings(**given, base_url=LOCAL, doctor_base_url="https://8.8.8.8/v1")
    with pytest.raises(SettingError, match="doctor_base_url"):
        refuse_unusable_models(abroad, "credentialed")
    secret = load_preconsult_settings(
        **given, base_url=LOCAL, doctor_base_url="http://me:zyxw@127.0.0.1/v1"
    )
    with pytest.raises(SettingError, match="doctor_base_url") as refused:
        refuse_unusable_models(secret, "open")
    assert "zyxw" not in str(refused.value)
