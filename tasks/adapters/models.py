"""Opens the chat model that a run asked for."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, Field

from tasks.adapters.programmatic import ProgrammaticModel, Rules
from tasks.contracts.base import Contract
from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import SettingError

PROVIDERS = ("programmatic",)
PROGRAMMATIC_VERSION = "1"


class ModelSpec(Contract):
    """Names a chat model; small enough to travel with every task, and part of its recipe."""

    provider: str = Field(description="programmatic")


def open_model(spec: ModelSpec, rules: Mapping[type[BaseModel], Rules]) -> ChatModel:
    """The model a specification names; raises SettingError for an unknown provider."""
    if spec.provider == "programmatic":
        return ProgrammaticModel(rules=rules, version=PROGRAMMATIC_VERSION)
    raise SettingError(
        f"provider {spec.provider!r} is not known; choose one of: {', '.join(PROVIDERS)}"
    )
