"""Names of systems, and what they refuse."""

from typing import Any

import pytest

from tasks.adapters.embedders import EmbedderSpec
from tasks.adapters.models import ModelSpec
from tasks.answering.systems import SystemSpec, system_recipe
from tasks.contracts.errors import SettingError
from tasks.contracts.evaluation import Budget

MODEL = ModelSpec(provider="openai", model="m-7b", base_url="http://127.0.0.1:1/v1")


def test_a_system_is_named_by_its_model_and_strategy_and_a_baseline_by_itself():
    assert SystemSpec(strategy="bm25", model=MODEL).name == "m-7b/bm25"
    ruled = ModelSpec(provider="programmatic")
    assert SystemSpec(strategy="mem0", model=ruled).name == "programmatic-1/mem0"
    assert SystemSpec(strategy="always-abstain").name == "always-abstain"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"strategy": "extractive", "model": MODEL}, "is a baseline"),
        ({"strategy": "bm25"}, "no model is named"),
        ({"strategy": "dense", "model": MODEL}, "no embedder is named"),
        ({"strategy": "bm25", "model": MODEL, "embedder": EmbedderSpec()}, "uses no embedder"),
        (
            {"strategy": "bm25", "model": MODEL, "budget": Budget(context_tokens=4096)},
            "context_tokens 4096: nothing is left",
        ),
    ],
)
def test_what_does_not_fit_together_is_refused_with_the_remedy(given: dict[str, Any], said: str):
    with pytest.raises(SettingError, match=said):
        SystemSpec(**given)


def test_only_what_changes_answers_changes_the_recipe():
    one = SystemSpec(strategy="bm25", model=MODEL)
    elsewhere = MODEL.model_copy(update={"base_url": "http://127.0.0.1:2/v1"})
    assert system_recipe(one) == system_recipe(one.model_copy(update={"model": elsewhere}))
    others = [
        SystemSpec(strategy="bm25-turns", model=MODEL),
        one.model_copy(update={"budget": Budget(context_tokens=32_768)}),
        one.model_copy(update={"model": MODEL.model_copy(update={"temperature": 0.5})}),
        SystemSpec(strategy="dense", model=MODEL, embedder=EmbedderSpec()),
        SystemSpec(strategy="dense", model=MODEL, embedder=EmbedderSpec(window_tokens=256)),
    ]
    assert len({system_recipe(each) for each in (one, *others)}) == 6


def test_questions_share_a_call_only_where_all_are_shown_the_same():
    assert SystemSpec(strategy="full-context", model=MODEL).questions_a_call == 10
    assert SystemSpec(strategy="bm25", model=MODEL).questions_a_call == 1
