"""Everything a user can set about a pre-consultation."""

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
from tasks.contracts.errors import SettingError
from tasks.contracts.preconsultation import Language

MOST_TURNS = 50

PreconsultUntil = Literal["interviews", "facts", "matches"]
"""Last stage of a pre-consultation that stops early; a later run goes on from there."""

_OF_DOCTORS = ("doctor_base_url", "doctor_server", "doctor_model_family", "doctor_key_variable")
"""Settings of the doctors' endpoint alone."""


@dataclass(frozen=True)
class PreconsultPaths:
    """Where a pre-consultation reads and writes."""

    profiles: Path
    guidelines: Path
    out: Path

    @property
    def report(self) -> Path:
        """What the last run did."""
        return self.out / "report"


class PreconsultSettings(RunSettings):
    """Who interviews whom, for how long, and by whom that is evaluated."""

    profiles: Path | None = Field(default=None, description="JSON file with patient profiles")
    guidelines: Path | None = Field(
        default=None, description="CSV file with the columns disease, weight (h or m) and symptom"
    )
    aliases: Path | None = Field(
        default=None, description="CSV file with further spellings: columns spelling and disease"
    )
    language: Language = Field(default="en", description="en or ko, of profiles and guidelines")
    turns: int = Field(default=5, ge=1, le=MOST_TURNS, description="Questions of an interview")
    cut_turns: Annotated[tuple[int, ...], NoDecode] = Field(
        default=(),
        description="Score the first turns of the interviews instead, separated by commas",
    )
    doctor_model: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Models that interview; the model, or the rules, where none is named",
    )
    doctor_base_url: str | None = Field(
        default=None, description="Address of the doctors' API; base_url where not given"
    )
    doctor_server: str | None = Field(
        default=None, description="What the doctors' server accepts; server where not given"
    )
    doctor_model_family: str | None = Field(
        default=None, description="Parameters the doctors take; model_family where not given"
    )
    doctor_key_variable: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
        description="Environment variable that holds the doctors' key; key_variable if not given",
    )
    model: str | None = Field(
        default=None, description="Model of all other roles, with provider openai"
    )
    human_scores: Path | None = Field(
        default=None,
        description="A marked sheet, or a CSV file with columns doctor, turns, pid and score",
    )
    human_sheet: Path | None = Field(
        default=None,
        description="New CSV file for people to mark: a seeded dialogue a disease and doctor",
    )
    until: PreconsultUntil | None = Field(
        default=None, description="Last stage of a run that stops early"
    )
    temperature: float = Field(default=0.0, ge=0, le=2, description="Sampling temperature")
    output_tokens: int = Field(
        default=2_048, ge=64, description="Tokens that one reply takes at most"
    )

    @field_validator("doctor_model", "cut_turns", mode="before")
    @classmethod
    def _split_values(cls, value: object) -> object:
        # A deployment's parameter may be a number by itself.
        return split_names([value] if isinstance(value, int) else value)

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        beyond = [one for one in self.cut_turns if not 1 <= one <= self.turns]
        if beyond:
            raise ValueError(
                f"cut_turns: found {beyond[0]}; interviews of {self.turns} turns can be cut to 1 "
                f"to {self.turns}: give more --turns, or fewer --cut-turns"
            )
        if self.provider == "programmatic" and self.model:
            raise ValueError(
                "model: not used by the programmatic provider; a language model plays the other "
                "roles with --provider openai, and the doctor with --doctor-model"
            )
        if not self.doctor_model and (given := self.changed(_OF_DOCTORS)):
            raise ValueError(
                f"{' and '.join(given)}: no doctor is named: give --doctor-model, or leave it out"
            )
        if self.provider == "openai" and not self.model:
            raise ValueError("model is not set: give the model's name as --model (ANAMNESIS_MODEL)")
        if self.asks_a_model:
            if self.azure_deployment and len(self._models()) > 1:
                raise ValueError(
                    "azure_deployment names one deployment, and several models are asked: leave it "
                    "out and name the deployments like the models"
                )
            self.refuse_unusable_endpoint()
        # The seed chooses the patients of a person's interview too.
        elif given := self.changed(set(EndpointSettings.model_fields) - {"provider", "seed"}):
            raise ValueError(
                f"{' and '.join(given)}: nothing is asked of a server: language models interview "
                "with --doctor-model, and play the other roles with --provider openai"
            )
        return self

    @property
    def asks_a_model(self) -> bool:
        """Whether anything is sent to a server."""
        return self.provider == "openai" or bool(self.doctor_model)

    @property
    def scored_turns(self) -> tuple[int, ...]:
        """Numbers of turns after which interviews are scored, in order."""
        return tuple(sorted(set(self.cut_turns))) or (self.turns,)

    def _models(self) -> set[str]:
        """Names of the models that are asked."""
        return {*self.doctor_model, *([self.model] if self.model else [])}

    def role_spec(self) -> ModelSpec:
        """Who plays patient, organizer, comparer, diagnostician and evaluator."""
        if self.provider == "programmatic":
            return ModelSpec(provider="programmatic")
        return self.endpoint_spec(self.model or "")

    def doctor_specs(self) -> tuple[ModelSpec, ...]:
        """The doctors, each once."""
        if not self.doctor_model:
            return (self.role_spec(),)
        return tuple(self._doctor_spec(name) for name in dict.fromkeys(self.doctor_model))

    def _doctor_spec(self, name: str) -> ModelSpec:
        usual = self.endpoint_spec(name)
        url = self.doctor_base_url
        return usual.model_copy(
            update={
                "base_url": url.rstrip("/") if url else usual.base_url,
                "server": self.doctor_server or ("generic" if url else usual.server),
                "family": self.doctor_model_family or usual.family,
            }
        )

    def preconsult_paths(self) -> PreconsultPaths:
        """Where a run reads and writes; raises SettingError for what can't be used."""
        profiles = required(self.profiles, "profiles", "a JSON file with patient profiles")
        guidelines = required(self.guidelines, "guidelines", "a CSV file with guidelines")
        out = required(self.out, "out", "the folder for scores, report and cache")
        real = os.path.realpath(out)
        if real in ("/", os.path.realpath(os.path.expanduser("~"))):
            raise SettingError(f"out: {out} is the root or your home: give a folder of its own")
        if os.path.lexists(out / "release"):
            raise SettingError(
                f"out: {out} holds a build (release/), whose report and cache this run would mix "
                "with its own: give another folder as --out (ANAMNESIS_OUT)"
            )
        if self.human_sheet is not None:
            _refuse_sheet(self.human_sheet)
        return PreconsultPaths(profiles=profiles, guidelines=guidelines, out=out)

    def flow_parameters(self) -> dict[str, Any]:
        """The settings as parameters of the flow ``evaluate-preconsultation``."""
        return {name: as_parameter(getattr(self, name)) for name in PRECONSULT_PARAMETERS}


_NO_PARAMETERS = ("failed_share_limit", "data_class", "lock_wait_seconds", "history_wait_seconds")

PRECONSULT_PARAMETERS = tuple(
    name for name in PreconsultSettings.model_fields if name not in _NO_PARAMETERS
)
"""What the flow's parameters say."""


def load_preconsult_settings(**given: Any) -> PreconsultSettings:
    """The settings from what is given, else the environment, else the defaults.

    Raises SettingError naming the setting, what was found and what is accepted.
    """
    return read_settings(PreconsultSettings, given)


def _refuse_sheet(file: Path) -> None:
    """Raise SettingError for a file that may hold a person's marks, or has no folder."""
    if os.path.lexists(file):
        raise SettingError(f"human_sheet: {file} exists and may hold marks: give another file")
    if not file.absolute().parent.is_dir():
        raise SettingError(f"human_sheet: {file} lies in a folder that doesn't exist: make it")
