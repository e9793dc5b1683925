"""Everything a user can set about an evaluation."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator
from pydantic_settings import NoDecode

from flows.model_settings import EndpointSettings
from flows.run_settings import RunSettings, as_parameter, read_settings, required, split_names
from tasks.adapters.models import ModelSpec
from tasks.answering.systems import STRATEGIES
from tasks.contracts.errors import SettingError
from tasks.contracts.evaluation import Strategy
from tasks.judging.request import OUTPUT_TOKENS as VERDICT_TOKENS

EvaluationUntil = Literal["answers", "judgments", "scores"]
"""Last stage of an evaluation that stops early."""

_LARGEST_MARGIN = 8_192
_MARGIN_SHARE = 16


@dataclass(frozen=True)
class EvaluationPaths:
    """Where an evaluation reads and writes."""

    release: Path
    out: Path

    @property
    def report(self) -> Path:
        """What the last run did."""
        return self.out / "report"


class EvaluationSettings(RunSettings):
    """What to evaluate, on what, by which judge, and how."""

    release: Path | None = Field(
        default=None, description="Folder in the MedLoCoMo layout: a folder a patient"
    )
    strategy: Annotated[tuple[Strategy, ...], NoDecode] = Field(
        default=("full-context",),
        description="How a timeline is shown; in the environment separated by commas, or all",
    )
    model: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Names of models; in the environment separated by commas"
    )
    temperature: float = Field(default=0.0, ge=0, le=2, description="Sampling temperature")
    output_tokens: int = Field(
        default=4_096, ge=16, description="Tokens that one reply takes at most"
    )
    margin_tokens: int | None = Field(
        default=None,
        ge=0,
        description="Tokens of the context kept free for counting errors; a sixteenth of it, at "
        "most 8,192, where not given",
    )
    judge_model: str | None = Field(
        default=None, description="Model that judges answers; rules judge where not given"
    )
    judge_repeats: int = Field(default=1, ge=1, le=25, description="Verdicts on every answer")
    judge_temperature: float = Field(default=0.0, ge=0, le=2, description="The judge's temperature")
    judge_base_url: str | None = Field(
        default=None, description="Address of the judge's API; base_url where not given"
    )
    judge_server: str | None = Field(default=None, description="What the judge's server accepts")
    judge_model_family: str | None = Field(
        default=None, description="Parameters the judge takes; model_family where not given"
    )
    judge_key_variable: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
        description="Environment variable that holds the judge's key; key_variable if not given",
    )
    embeddings_model: str | None = Field(
        default=None, description="Model of an embeddings endpoint; an offline one if not given"
    )
    embeddings_url: str | None = Field(
        default=None, description="Address of the embeddings API; base_url where not given"
    )
    until: EvaluationUntil | None = Field(
        default=None, description="Last stage of an evaluation that stops early"
    )
    estimate: bool = Field(
        default=False, description="Say what the models would be asked, and ask nothing"
    )

    @field_validator("strategy", mode="before")
    @classmethod
    def _split_strategies(cls, value: object) -> object:
        named = split_names(value)
        return STRATEGIES if named == ("all",) else named

    @field_validator("model", mode="before")
    @classmethod
    def _split_models(cls, value: object) -> object:
        return split_names(value)

    @model_validator(mode="after")
    def _fit_the_provider(self) -> Self:
        if self.provider == "programmatic" and self.model:
            raise ValueError(
                "model: not used by the programmatic provider; language models are evaluated with "
                "--provider openai"
            )
        if self.provider == "openai" and not self.model:
            raise ValueError("model is not set: give names of models as --model (ANAMNESIS_MODEL)")
        if not self.asks_a_model:
            if given := self.changed(_OF_ENDPOINTS):
                raise ValueError(
                    f"{' and '.join(given)}: nothing is asked of a server: language models are "
                    "evaluated with --provider openai, and judge with --judge-model"
                )
            return self
        if self.azure_deployment and len(self.model) + bool(self.judge_model) > 1:
            raise ValueError(
                "azure_deployment names one deployment, and several models are asked: leave it "
                "out and name the deployments like the models"
            )
        self.refuse_unusable_endpoint()
        return self

    @property
    def asks_a_model(self) -> bool:
        """Whether an evaluation by these settings sends anything to a server."""
        return bool(self.provider != "programmatic" or self.judge_model or self.embeddings_model)

    @property
    def margin(self) -> int:
        """Tokens of the context that no prompt takes."""
        if self.margin_tokens is not None:
            return self.margin_tokens
        return min(_LARGEST_MARGIN, self.context_tokens // _MARGIN_SHARE)

    def model_specs(self) -> tuple[ModelSpec, ...]:
        """The evaluated models, each once."""
        if self.provider == "programmatic":
            return (ModelSpec(provider="programmatic"),)
        return tuple(self.endpoint_spec(name) for name in dict.fromkeys(self.model))

    def judge_spec(self) -> ModelSpec:
        """The judge: a model, or the rules."""
        if self.judge_model is None:
            return ModelSpec(provider="programmatic")
        usual = self.endpoint_spec(self.judge_model)
        url = self.judge_base_url
        return usual.model_copy(
            update={
                "base_url": url.rstrip("/") if url else usual.base_url,
                "server": self.judge_server or ("generic" if url else usual.server),
                "family": self.judge_model_family or usual.family,
                "temperature": self.judge_temperature,
                "output_tokens": min(VERDICT_TOKENS, self.output_tokens),
            }
        )

    def evaluation_paths(self) -> EvaluationPaths:
        """Where an evaluation reads and writes; raises SettingError for what can't be used."""
        release = required(self.release, "release", "a folder in the MedLoCoMo layout")
        out = required(self.out, "out", "the folder for scores, report and cache")
        real, given = os.path.realpath(out), os.path.realpath(release)
        if real in ("/", os.path.realpath(os.path.expanduser("~"))) or _within(real, given):
            raise SettingError(
                f"out: {out} is the root, your home or in the release, which would hold files "
                "that are none of it: give a folder of its own as --out (ANAMNESIS_OUT)"
            )
        if os.path.lexists(out / "release"):
            raise SettingError(
                f"out: {out} holds a build (release/), whose report and cache an evaluation would "
                "mix with its own: give another folder as --out (ANAMNESIS_OUT)"
            )
        return EvaluationPaths(release=release, out=out)

    def flow_parameters(self) -> dict[str, Any]:
        """The settings as parameters of the flow ``evaluate-benchmark``."""
        return {name: as_parameter(getattr(self, name)) for name in EVALUATION_PARAMETERS}


_OF_ENDPOINTS = (
    set(EndpointSettings.model_fields) - {"provider", "output_tokens", "context_tokens"}
) | {
    "judge_base_url",
    "judge_server",
    "judge_model_family",
    "judge_key_variable",
    "judge_temperature",
    "embeddings_url",
    "estimate",
}
"""What only matters where a server is asked; the sizes of prompts matter to readers by rule too."""

_NO_PARAMETERS = ("failed_share_limit", "data_class", "lock_wait_seconds", "history_wait_seconds")

EVALUATION_PARAMETERS = tuple(
    name for name in EvaluationSettings.model_fields if name not in _NO_PARAMETERS
)
"""What the flow's parameters say."""


def load_evaluation_settings(**given: Any) -> EvaluationSettings:
    """The settings from what is given, else the environment, else the defaults.

    Raises SettingError naming the setting, what was found and what is accepted.
    """
    return read_settings(EvaluationSettings, given)


def _within(path: str, folder: str) -> bool:
    return os.path.commonpath([path, folder]) == folder
