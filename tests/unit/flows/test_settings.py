from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from flows.evaluation_settings import load_evaluation_settings
from flows.model_access import refuse_unusable_model
from flows.model_settings import ModelSettings, default_concurrency
from flows.preconsult_settings import load_preconsult_settings
from flows.settings import load_settings
from tasks.contracts.errors import SettingError


def test_defaults_are_the_papers_cohort_and_the_programmatic_provider() -> None:
    settings = load_settings()
    assert (settings.patients, settings.provider, settings.until) == (100, "programmatic", None)
    assert settings.failed_share_limit == 0.1
    assert settings.subject_id == ()


def test_notes_lie_in_the_mimic_folder_where_nothing_else_is_said() -> None:
    paths = load_settings(mimic="/data/mimic", out="/data/out").build_paths()
    assert paths.note == Path("/data/mimic/note")
    assert (paths.release, paths.cache, paths.report) == (
        Path("/data/out/release"),
        Path("/data/out/cache"),
        Path("/data/out/report"),
    )


def test_environment_sets_what_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAMNESIS_PATIENTS", "7")
    monkeypatch.setenv("ANAMNESIS_SUBJECT_ID", "90000001, 90000002")
    monkeypatch.setenv("ANAMNESIS_MODEL", "")
    settings = load_settings(patients=None)
    assert settings.patients == 7
    assert settings.subject_id == ("90000001", "90000002")
    assert settings.model is None
    assert load_settings(patients=3).patients == 3


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("patients", 0, r"setting patients \(ANAMNESIS_PATIENTS\): found 0, .* or equal to 1"),
        ("patients", "ten", r"found 'ten', input should be a valid integer"),
        ("provider", "gpt", r"setting provider .*: found 'gpt', input should be 'programmatic'"),
        ("failed_share_limit", 2, r"ANAMNESIS_FAILED_SHARE_LIMIT\): found 2"),
        ("until", "end", r"input should be 'bundles', 'dialogues' or 'questions'"),
        ("data_class", "secret", r"input should be 'synthetic', 'open' or 'credentialed'"),
    ],
)
def test_unusable_value_names_setting_finding_and_remedy(
    name: str, value: object, message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        load_settings(**{name: value})


@pytest.mark.parametrize(
    "read", [load_settings, load_evaluation_settings, load_preconsult_settings]
)
@pytest.mark.parametrize(
    ("name", "value"),
    [("model", "m\udcff"), ("base_url", "http://\udcff/v1"), ("allow_host", ["\ud800"])],
)
def test_bytes_that_are_no_text_are_refused_in_words_that_can_be_shown(
    read: Callable[..., object], name: str, value: object
) -> None:
    with pytest.raises(SettingError, match=f"setting {name} .*it isn't UTF-8 text") as raised:
        read(provider="openai", **{name: value})
    assert str(raised.value).encode()


def test_unusable_environment_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAMNESIS_CONCURRENCY", "many")
    with pytest.raises(SettingError, match=r"\(ANAMNESIS_CONCURRENCY\): found 'many'"):
        load_settings()


def test_every_unusable_value_is_listed() -> None:
    with pytest.raises(SettingError, match=r"patients .*; setting until "):
        load_settings(patients=0, until="end")


@pytest.mark.parametrize("missing", ["mimic", "out"])
def test_missing_folder_names_every_way_to_set_it(missing: str) -> None:
    settings = load_settings(**{"mimic": "m", "out": "o", missing: None})
    with pytest.raises(
        SettingError,
        match=rf"{missing} is not set: .*--{missing}.*'{missing}'.*ANAMNESIS_{missing.upper()}",
    ):
        settings.build_paths()


def test_flow_parameters_are_plain_values() -> None:
    parameters = load_settings(mimic="m", out="o", subject_id=["1"], concurrency=4)
    assert parameters.flow_parameters() == {
        "mimic": "m",
        "note": None,
        "out": "o",
        "patients": 100,
        "subject_id": ["1"],
        "concurrency": 4,
        "until": None,
        **{name: field.default for name, field in ModelSettings.model_fields.items()},
        "allow_host": [],
    }


def test_parameters_that_travel_give_the_same_settings_again() -> None:
    settings = load_settings(
        mimic="m",
        out="o",
        provider="openai",
        model="writer",
        turn_range="6-10",
        allow_host="a.example, b.example",
        prices="prices.json",
        max_usd=2.5,
    )
    parameters = settings.flow_parameters()
    assert parameters["turn_range"] == [6, 10]
    assert parameters["allow_host"] == ["a.example", "b.example"]
    assert load_settings(**parameters) == settings


def test_at_least_two_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert default_concurrency("programmatic") == 2
    monkeypatch.setattr("os.cpu_count", lambda: 16)
    assert default_concurrency("programmatic") == 16
    assert default_concurrency("openai") == 16


def test_every_setting_is_described() -> None:
    fields = type(load_settings()).model_fields
    assert [name for name, field in fields.items() if not field.description] == []


def test_every_setting_is_documented() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "operations.md").read_text()
    names = [f"ANAMNESIS_{name.upper()}" for name in type(load_settings()).model_fields]
    assert [name for name in names if f"`{name}`" not in guide] == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"subject_id": ["abc"]}, "expected whole numbers such as 10000032"),
        ({"subject_id": "-1"}, "expected whole numbers"),
        ({"subject_id": [""]}, "an empty id; expected whole numbers"),
        ({"subject_id": " , "}, "an empty id; expected whole numbers"),
        ({"out": ""}, "it would be the current folder"),
        ({"patients": 10**30}, "less than or equal to 1000000"),
        ({"model": "gpt"}, "model: not used by the programmatic provider"),
        ({"seed": 5, "max_tokens": 9}, "max_tokens and seed: not used by the programmatic"),
        ({"provider": "openai"}, "model is not set: give the model's name as --model"),
        (
            {"provider": "openai", "model": "m", "max_usd": 1},
            "max_usd needs prices: give a JSON file",
        ),
        (
            {"provider": "openai", "model": "m", "context_tokens": 8192},
            "output_tokens: found 16384, which leaves nothing of the context_tokens, 8192",
        ),
        (
            {"provider": "openai", "model": "m", "server": "azure"},
            "server azure needs base_url",
        ),
        (
            {"provider": "openai", "model": "m", "turn_range": "9-3"},
            r"found '9-3', expected fewest and most turns such as 6-10, 2 or more$",
        ),
        (
            {"provider": "openai", "model": "m", "turn_range": [1, 3]},
            "expected fewest and most turns such as 6-10, 2 or more",
        ),
        ({"provider": "openai", "model": "m", "temperature": 3}, "temperature"),
        *(
            ({"provider": "openai", "model": "m", "prices": "p", name: value}, f"{name}.*less than")
            for name, value in (
                ("max_usd", 1e300),
                ("max_usd", float("nan")),
                ("max_tokens", 10**20),
                ("context_tokens", 10**20),
                ("request_seconds", float("inf")),
                ("deadline_seconds", float("inf")),
            )
        ),
        ({"provider": "openai", "model": "m", "key_variable": "my key"}, "key_variable"),
    ],
)
def test_values_that_can_not_be_meant_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        load_settings(**given)


def test_ids_may_be_separated_by_commas_or_blanks_around_them() -> None:
    assert load_settings(subject_id=["1, 2", " 3 "]).subject_id == ("1", "2", "3")


@pytest.mark.parametrize("name", ["/", "home", "mimic", "mimic/hosp", "notes", "linked"])
def test_output_is_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "linked").symlink_to(tmp_path / "mimic")
    settings = load_settings(mimic=tmp_path / "mimic", note=tmp_path / "notes", out=tmp_path / name)
    with pytest.raises(SettingError, match="is the root, your home or an input folder"):
        settings.build_paths()


@pytest.mark.parametrize("circling", ["mimic", "note", "out"])
def test_links_that_lead_in_a_circle_are_for_others_to_refuse(
    tmp_path: Path, circling: str
) -> None:
    (tmp_path / circling).symlink_to(circling)
    folders = {name: tmp_path / name for name in ("mimic", "note", "out")}
    paths = load_settings(**folders).build_paths()
    assert {name: getattr(paths, name) for name in folders} == folders


def test_a_key_in_the_place_of_its_variables_name_is_not_repeated() -> None:
    with pytest.raises(SettingError, match="key_variable") as refused:
        load_settings(provider="openai", model="m", key_variable="sk-marker-of-a-key")
    assert "marker" not in str(refused.value)


@pytest.mark.parametrize("stops", [{"estimate": True}, {"until": "bundles"}, {}])
def test_a_password_in_the_address_is_refused_and_not_repeated(stops: dict[str, object]) -> None:
    settings = load_settings(
        mimic="m",
        out="o",
        provider="openai",
        model="m",
        base_url="http://me:marker@127.0.0.1:1/v1",
        **stops,
    )
    with pytest.raises(SettingError, match="base_url: it holds a user name or password") as refused:
        refuse_unusable_model(settings)
    assert "marker" not in str(refused.value)


@pytest.mark.parametrize("stops", [{"estimate": True}, {"until": "bundles"}, {}])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"server": "vlm"}, "server: found 'vlm'; choose one of"),
        ({"model_family": "gpt"}, "model_family: found 'gpt'; choose one of"),
        ({"prices": "absent.json"}, "absent.json: the price table can't be read"),
    ],
)
def test_what_can_not_be_used_later_is_refused_before_the_data_is_read(
    given: dict[str, object], said: str, stops: dict[str, object]
) -> None:
    settings = load_settings(
        mimic="m",
        out="o",
        data_class="synthetic",
        provider="openai",
        model="m",
        base_url="http://127.0.0.1:1/v1",
        **given,
        **stops,
    )
    with pytest.raises(SettingError, match=said):
        refuse_unusable_model(settings)
