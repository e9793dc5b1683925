"""What a user can set about the language models of a run; used by the settings of every flow.

Every field but the provider itself belongs to ``provider = openai``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import BaseModel, Field, SecretStr, field_validator, model_validator
from pydantic_settings import NoDecode

from tasks.adapters.models import ModelSpec
from tasks.contracts.errors import SettingError

Provider = Literal["programmatic", "openai"]
"""Who writes the text."""

OPENAI_URL = "https://api.openai.com/v1"
_TURNS = re.compile(r"(\d{1,3})-(\d{1,3})")
_FEWEST_TURNS = 2
_MODEL_CONCURRENCY = 16
_MOST_USD = 1e9
_MOST_TOKENS = 10**12
_MOST_CONTEXT = 10**9
_A_DAY_SECONDS = 86_400


class EndpointSettings(BaseModel):
    """How models are asked, what that may cost and where text may go."""

    provider: Provider = Field(default="programmatic", description="Who writes the text")
    base_url: str | None = Field(
        default=None, description=f"Address of the model's API (default: {OPENAI_URL})"
    )
    key_variable: str = Field(
        default="OPENAI_API_KEY",
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
        description="Environment variable that holds the API key; the key itself is no setting",
    )
    server: str | None = Field(
        default=None,
        description="What the server accepts: openai, azure, vllm, llamacpp, ollama, generic or "
        "plain (default: openai, with a base_url of your own generic)",
    )
    model_family: str = Field(
        default="chat",
        description="Parameters that the model takes: chat, reasoning or another of families.json",
    )
    azure_deployment: str | None = Field(default=None, description="Deployment behind Azure")
    azure_api_version: str | None = Field(default=None, description="API version of Azure")
    temperature: float = Field(default=0.7, ge=0, le=2, description="Sampling temperature")
    seed: int = Field(default=0, ge=0, le=2**31 - 1, description="Seed of the first attempts")
    context_tokens: int = Field(
        default=131_072,
        ge=512,
        le=_MOST_CONTEXT,
        description="Tokens that the model reads and writes at most",
    )
    output_tokens: int = Field(
        default=16_384, ge=64, description="Tokens that one reply takes at most"
    )
    allow_host: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Hosts that credentialed data may be sent to; in the environment separated by "
        "commas",
    )
    prices: Path | None = Field(default=None, description="JSON file with prices by model")
    max_usd: float | None = Field(
        default=None, gt=0, le=_MOST_USD, description="US dollars that a run may spend"
    )
    max_tokens: int | None = Field(
        default=None, ge=1, le=_MOST_TOKENS, description="Tokens that a run may spend"
    )
    request_seconds: float = Field(
        default=180, gt=0, le=_A_DAY_SECONDS, description="How long one HTTP request may take"
    )
    deadline_seconds: float = Field(
        default=600,
        gt=0,
        le=_A_DAY_SECONDS,
        description="How long one reply may take, every new try included",
    )

    @field_validator("allow_host", mode="before")
    @classmethod
    def _split_hosts(cls, value: object) -> object:
        given = [value] if isinstance(value, str) else value
        if not isinstance(given, list | tuple):
            return () if value is None else value
        parts = cast("list[Any]", given)
        return tuple(one.strip() for part in parts for one in str(part).split(",") if one.strip())

    def refuse_unusable_endpoint(self) -> None:
        """Raise ValueError for options that can't be meant together."""
        if self.server == "azure" and not (self.base_url and self.azure_api_version):
            raise ValueError(
                "server azure needs base_url (https://NAME.openai.azure.com), azure_api_version "
                "and, unless it is named like the model, azure_deployment"
            )
        if self.output_tokens >= self.context_tokens:
            raise ValueError(
                f"output_tokens: found {self.output_tokens}, which leaves nothing of the "
                f"context_tokens, {self.context_tokens}, for the prompt; set both to what the "
                "server takes"
            )
        if self.max_usd is not None and self.prices is None:
            raise ValueError("max_usd needs prices: give a JSON file with prices by model")

    def changed(self, names: Iterable[str]) -> list[str]:
        """Those of some settings that aren't as they are by default, by name."""
        fields = type(self).model_fields
        return sorted(name for name in names if getattr(self, name) != fields[name].default)

    def endpoint_spec(self, model: str) -> ModelSpec:
        """What of these settings decides the replies of a model."""
        return ModelSpec(
            provider="openai",
            model=model,
            base_url=(self.base_url or OPENAI_URL).rstrip("/"),
            server=self.server or ("generic" if self.base_url else "openai"),
            family=self.model_family,
            deployment=self.azure_deployment or "",
            temperature=self.temperature,
            seed=self.seed,
            context_tokens=self.context_tokens,
            output_tokens=self.output_tokens,
        )

    def api_key(self, *, required: bool) -> SecretStr:
        """The key from its environment variable; raises SettingError where one is needed."""
        key = os.environ.get(self.key_variable, "").strip()
        if not key and (required or self.key_variable != _default("key_variable")):
            raise SettingError(
                f"no API key: set {self.key_variable} in the environment, or name another variable "
                "as --key-variable (ANAMNESIS_KEY_VARIABLE)"
            )
        return SecretStr(key)


class ModelSettings(EndpointSettings):
    """Which model writes a benchmark, and how it is asked."""

    model: str | None = Field(
        default=None, description="Name of the model; behind Azure, what the deployment runs"
    )
    turn_range: Annotated[tuple[int, int] | None, NoDecode] = Field(
        default=None,
        description="Fewest and most turns of every dialogue, as 6-10, where not by length of stay",
    )
    estimate: bool = Field(
        default=False, description="Stop at the cohort and say what the model would be asked"
    )

    @field_validator("turn_range", mode="before")
    @classmethod
    def _read_turns(cls, value: object) -> object:
        if value is None:
            return None
        given = cast("list[Any]", value) if isinstance(value, list | tuple) else [value]
        found = _TURNS.fullmatch("-".join(str(part).strip() for part in given))
        turns = (int(found[1]), int(found[2])) if found else (0, 0)
        if not _FEWEST_TURNS <= turns[0] <= turns[1]:
            raise ValueError(
                f"expected fewest and most turns such as 6-10, {_FEWEST_TURNS} or more"
            )
        return turns

    @model_validator(mode="after")
    def _fit_the_provider(self) -> Self:
        if self.provider == "programmatic":
            if given := self.changed(set(ModelSettings.model_fields) - {"provider"}):
                raise ValueError(
                    f"{' and '.join(given)}: not used by the programmatic provider; a language "
                    "model writes with --provider openai"
                )
            return self
        if not self.model:
            raise ValueError("model is not set: give the model's name as --model (ANAMNESIS_MODEL)")
        self.refuse_unusable_endpoint()
        return self

    def model_spec(self) -> ModelSpec:
        """What of these settings decides a reply."""
        if self.provider == "programmatic":
            return ModelSpec(provider="programmatic")
        return self.endpoint_spec(self.model or "").model_copy(update={"turns": self.turn_range})


def default_concurrency(provider: Provider) -> int:
    """Admissions at once: for rules one a core and at least 2, for a server that waits 16."""
    return _MODEL_CONCURRENCY if provider == "openai" else max(2, os.cpu_count() or 1)


def _default(name: str) -> Any:
    return EndpointSettings.model_fields[name].default
