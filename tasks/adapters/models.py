"""Opens the chat model that a run asked for."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, Field

from tasks.adapters.programmatic import ProgrammaticModel, Rules
from tasks.adapters.recipe import digest, domain_recipe
from tasks.contracts.base import Contract
from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import SettingError

PROVIDERS = ("programmatic", "openai")
PROGRAMMATIC_VERSION = "1"


class ModelSpec(Contract):
    """Names a chat model and how it is asked: part of every recipe, so it holds what can change a
    reply and nothing else. The key, prices, limits and hosts stay with the session.
    """

    provider: str = Field(description="programmatic or openai")
    model: str = Field(default="", description="Model, or what an Azure deployment runs")
    base_url: str = Field(default="", description="Address of the API; empty for programmatic")
    server: str = Field(default="", description="Name in servers.json: what the server accepts")
    family: str = Field(default="", description="Name in families.json: parameters it takes")
    deployment: str = Field(default="", description="Azure deployment; empty elsewhere")
    temperature: float | None = Field(default=None, description="Sampling temperature")
    top_p: float | None = Field(
        default=None,
        description="Nucleus sampling; not sent where not given",
        exclude_if=lambda value: value is None,
    )
    seed: int = Field(default=0, description="Seed of the first attempt at every item")
    context_tokens: int = Field(default=0, description="What the model reads and writes at most")
    output_tokens: int = Field(default=0, description="What one reply takes at most")
    turns: tuple[int, int] | None = Field(
        default=None, description="Fewest and most turns of every dialogue; null: by length of stay"
    )


class WorkItem(Contract):
    """What requests are made for: tokens are counted by it. Never sent to a server."""

    stage: str = Field(description="dialogues or questions")
    subject_id: str = Field(description="MIMIC patient id")
    item: str = Field(description="hadm_id, or {subject_id}_cross")


def model_recipe(spec: ModelSpec) -> str:
    """Digest of what about a model decides its replies and how they are read.

    Where its server stands doesn't: a run goes on when the same model is served elsewhere.
    """
    code = "" if spec.provider == "programmatic" else domain_recipe("adapters/llm")
    return digest([spec.model_dump_json(exclude={"base_url"}), code])


def model_name(spec: ModelSpec) -> str:
    """Name and version of the model, as records state it."""
    return f"programmatic-{PROGRAMMATIC_VERSION}" if spec.provider == "programmatic" else spec.model


def open_model(
    spec: ModelSpec, rules: Mapping[type[BaseModel], Rules], work: WorkItem | None = None
) -> ChatModel:
    """A handle on the model that a specification names, for one item of work.

    Raises SettingError for an unknown provider, and for a language model whose session isn't open.
    """
    if spec.provider == "programmatic":
        return ProgrammaticModel(rules=rules, version=PROGRAMMATIC_VERSION)
    if spec.provider == "openai":
        if work is None:
            raise SettingError("a language model is asked for an item of work; none was named")
        # The SDK takes half a second to import, which only those who use it should wait for.
        from tasks.adapters.llm.session import session_of

        return session_of(spec).handle(work)
    raise SettingError(
        f"provider {spec.provider!r} is not known; choose one of: {', '.join(PROVIDERS)}"
    )
