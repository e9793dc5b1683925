from __future__ import annotations

import pytest

from tasks.adapters.llm.servers import family_named, server_named
from tasks.contracts.errors import SettingError


def test_a_server_that_is_not_known_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingError) as error:
        server_named("lmstudio")
    assert str(error.value) == (
        "server: found 'lmstudio'; choose one of: openai, azure, vllm, llamacpp, ollama, generic, "
        "plain"
    )


def test_a_family_that_is_not_known_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingError) as error:
        family_named("")
    assert str(error.value) == (
        "model_family: found ''; choose one of: chat, chat-completion-tokens, chat-without-seed, "
        "chat-without-thinking, reasoning"
    )


def test_reasoning_models_take_no_temperature_and_another_output_limit() -> None:
    family = family_named("reasoning")
    assert family.output_parameter == "max_completion_tokens"
    assert not family.temperature
    assert not family.seed


def test_extra_parameters_of_a_family_are_kept_as_they_stand() -> None:
    extra = family_named("chat-without-thinking").extra_parameters
    assert extra == {"chat_template_kwargs": {"enable_thinking": False}}
