from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from flows import evaluation_access, preconsult_access, rubric_access
from flows.evaluation_settings import load_evaluation_settings
from flows.model_access import refuse_unusable_model
from flows.model_sessions import Endpoint, open_sessions, session_options
from flows.preconsult_settings import load_preconsult_settings
from flows.rubric_settings import load_generation_settings
from flows.settings import load_settings
from tasks.adapters.llm.budget import Budget
from tasks.contracts.errors import SettingError

LOCAL = "http://127.0.0.1:1/v1"
WITH_PASSWORD = "http://someone:geheim@127.0.0.1:1/v1"


def _build(url: str) -> None:
    refuse_unusable_model(load_settings(mimic="m", out="o", provider="openai", model="m",
                                        base_url=url, until="bundles"))  # fmt: skip


def _evaluation(url: str) -> None:
    settings = load_evaluation_settings(
        release="r", out="o", provider="openai", model=["m"], embeddings_url=url
    )
    evaluation_access.refuse_unusable_models(settings, "synthetic")


def _preconsultation(url: str) -> None:
    settings = load_preconsult_settings(profiles="p", guidelines="g", out="o", base_url=url)
    preconsult_access.refuse_unusable_models(settings, "synthetic")


def _rubrics(url: str) -> None:
    settings = load_generation_settings(queries="q", out="o", tavily_url=url)
    rubric_access.refuse_unusable_models(settings, (), "synthetic")


@pytest.mark.parametrize("refuse", [_build, _evaluation, _preconsultation, _rubrics])
def test_a_password_in_an_address_is_refused_even_where_nothing_is_asked_there(
    refuse: Callable[[str], None],
) -> None:
    with pytest.raises(SettingError) as refused:
        refuse(WITH_PASSWORD)
    assert "geheim" not in str(refused.value)


def test_sessions_share_a_budget_and_keep_their_replies_apart(tmp_path: Path) -> None:
    settings = load_settings(provider="openai", model="a", base_url=LOCAL, max_tokens=10)
    endpoints = [
        Endpoint(settings.endpoint_spec(name), settings.key_variable) for name in ("a", "b")
    ]
    budget = Budget(None, 10)
    with open_sessions(settings, endpoints, "synthetic", tmp_path, budget) as sessions:
        assert len(sessions) == 2
        assert len(list(tmp_path.iterdir())) == 2


def test_prices_have_to_name_the_model_that_is_asked(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    named = {"input_usd_per_million_tokens": 1, "output_usd_per_million_tokens": 2}
    prices.write_text(json.dumps({"a": named}))
    settings = load_settings(provider="openai", model="a", base_url=LOCAL, prices=str(prices))
    known, unknown = (Endpoint(settings.endpoint_spec(name), "OPENAI_API_KEY") for name in "ab")
    assert session_options(settings, known, "synthetic", tmp_path).prices is not None
    with pytest.raises(SettingError, match="no price for the model 'b'"):
        session_options(settings, unknown, "synthetic", tmp_path)
