"""Everything a user can set, in one object; the only reader of the environment.

Each field is also an environment variable: ``ANAMNESIS_`` and the field's name in capitals.
Command-line options and deployment parameters win over the environment.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from flows.model_settings import ModelSettings, default_concurrency
from tasks.contracts.build import DataClass
from tasks.contracts.errors import SettingError

ENVIRONMENT_PREFIX = "ANAMNESIS_"

MODEL_PARAMETERS = tuple(ModelSettings.model_fields)
"""What the flows' parameters say of the model."""

Until = Literal["bundles", "dialogues", "questions"]
"""Last stage of a build that stops early."""

_LONGEST_ID = 18


@dataclass(frozen=True)
class BuildPaths:
    """Where a build reads and writes."""

    mimic: Path
    note: Path
    out: Path

    @property
    def release(self) -> Path:
        """The finished benchmark."""
        return self.out / "release"

    @property
    def cache(self) -> Path:
        """Resumable results; may hold patient text."""
        return self.out / "cache"

    @property
    def report(self) -> Path:
        """What the last run did."""
        return self.out / "report"


def _usual_concurrency(given: dict[str, Any]) -> int:
    return default_concurrency(given["provider"])


class Settings(ModelSettings, BaseSettings):
    """What to build, from what, where to, and how."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX, frozen=True, extra="forbid", env_ignore_empty=True
    )

    mimic: Path | None = Field(default=None, description="Folder that holds MIMIC-IV's hosp/")
    note: Path | None = Field(
        default=None,
        description="Folder that holds discharge.csv[.gz] and radiology.csv[.gz]; "
        "note/ in the mimic folder where not given",
    )
    out: Path | None = Field(
        default=None, description="Folder that gets release/, cache/ and report/"
    )
    patients: int = Field(
        default=100, ge=1, le=1_000_000, description="Most patients to take, by rank"
    )
    subject_id: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Patients asked for by id; in the environment separated by commas"
    )
    concurrency: int = Field(
        default_factory=_usual_concurrency,
        ge=1,
        le=1_024,
        description="Admissions worked on at once, and requests to the model at once",
    )
    failed_share_limit: float = Field(
        default=0.1,
        ge=0,
        le=1,
        description="Share of failed and skipped admissions above which a run fails",
    )
    data_class: DataClass | None = Field(
        default=None,
        description="Who may see the data: synthetic, open or credentialed; "
        "read from the input folders where not given",
    )
    until: Until | None = Field(default=None, description="Last stage of a build that stops early")
    lock_wait_seconds: float = Field(
        default=10, ge=0, description="How long to wait for another run on the same out folder"
    )
    history_wait_seconds: float = Field(
        default=120, ge=0, description="How long to wait for Prefect to record the run's history"
    )

    @field_validator("out", mode="before")
    @classmethod
    def _refuse_current_folder(cls, value: object) -> object:
        if isinstance(value, str | Path) and str(value).strip() in ("", "."):
            raise ValueError("it would be the current folder; name another")
        return value

    @field_validator("subject_id", mode="before")
    @classmethod
    def _split_ids(cls, value: object) -> object:
        given = [value] if isinstance(value, str) else value
        if not isinstance(given, list | tuple):
            return () if value is None else value
        parts = cast("Iterable[object]", given)
        ids = tuple(one.strip() for part in parts for one in str(part).split(",") if one.strip())
        for one in ids:
            if not (one.isascii() and one.isdigit() and len(one) <= _LONGEST_ID):
                raise ValueError("expected whole numbers such as 10000032")
        if given and not ids:
            raise ValueError("an empty id; expected whole numbers such as 10000032")
        return ids

    @property
    def asks_a_model(self) -> bool:
        """Whether a build by these settings sends anything to a language model."""
        stops_before = self.estimate or self.until == "bundles"
        return self.provider != "programmatic" and not stops_before

    def build_paths(self) -> BuildPaths:
        """Where a build reads and writes; raises SettingError for what is not set."""
        mimic = _required(self.mimic, "mimic", "the folder that holds MIMIC-IV's hosp/")
        out = _required(self.out, "out", "the folder for release/, cache/ and report/")
        note = self.note or mimic / "note"
        # realpath and expanduser never raise, Path.resolve does for links that lead in a circle.
        taken = ("/", os.path.expanduser("~"), str(mimic), str(mimic / "hosp"), str(note))
        if os.path.realpath(out) in [os.path.realpath(folder) for folder in taken]:
            raise SettingError(
                f"out: {out} is the root, your home or an input folder, which release/, cache/ "
                "and report/ would be mixed with: give a folder of its own as --out "
                "(ANAMNESIS_OUT)"
            )
        return BuildPaths(mimic=mimic, note=note, out=out)

    def flow_parameters(self) -> dict[str, Any]:
        """The settings as parameters of the flow ``build-benchmark``."""
        return {
            "mimic": _text(self.mimic),
            "note": _text(self.note),
            "out": _text(self.out),
            "patients": self.patients,
            "subject_id": list(self.subject_id),
            "concurrency": self.concurrency,
            "until": self.until,
            **{name: self._parameter(name) for name in MODEL_PARAMETERS},
        }

    def _parameter(self, name: str) -> Any:
        value = getattr(self, name)
        if isinstance(value, Path):
            return str(value)
        return list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value


def load_settings(**given: Any) -> Settings:
    """The settings from what is given, else the environment, else the defaults.

    Values that are None count as not given. Raises SettingError naming the setting, what was found
    and what is accepted.
    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise SettingError(_explain(error)) from None
    except SettingsError as error:
        raise SettingError(f"an {ENVIRONMENT_PREFIX}… variable can't be read: {error}") from None


def _required(value: Path | None, name: str, meaning: str) -> Path:
    if value is not None:
        return value
    raise SettingError(
        f"{name} is not set: give {meaning} as --{name}, as the deployment parameter "
        f"{name!r}, or in {ENVIRONMENT_PREFIX}{name.upper()}"
    )


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _explain(error: ValidationError) -> str:
    lines: list[str] = []
    for problem in error.errors(include_url=False):
        if not problem["loc"]:
            lines.append(problem["msg"].removeprefix("Value error, "))
            continue
        if problem["type"] == "default_factory_not_called":
            continue
        name = str(problem["loc"][0])
        # Somebody may have put the key itself in the place of its variable's name.
        found = "something else" if name == "key_variable" else repr(problem["input"])
        lines.append(
            f"setting {name} ({ENVIRONMENT_PREFIX}{name.upper()}): found "
            f"{found}, {_lower(problem['msg'].removeprefix('Value error, '))}"
        )
    return "; ".join(lines)


def _lower(message: str) -> str:
    return f"{message[:1].lower()}{message[1:]}"
