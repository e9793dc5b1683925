"""What a user can set about every run; with its kin the only reader of the environment.

Each field is also an environment variable: ``ANAMNESIS_`` and the field's name in capitals.
Command-line options and deployment parameters win over the environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from flows.model_settings import EndpointSettings, default_concurrency
from tasks.contracts.build import DataClass
from tasks.contracts.errors import SettingError

ENVIRONMENT_PREFIX = "ANAMNESIS_"

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")

Read = TypeVar("Read", bound=BaseSettings)


def _usual_concurrency(given: dict[str, Any]) -> int:
    return default_concurrency(given["provider"])


class RunSettings(EndpointSettings, BaseSettings):
    """Where a run writes, and what it does when work fails or somebody is in its way."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX, frozen=True, extra="forbid", env_ignore_empty=True
    )

    out: Path | None = Field(
        default=None, description="Folder that gets release/, cache/ and report/"
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
    lock_wait_seconds: float = Field(
        default=10, ge=0, description="How long to wait for another run on the same out folder"
    )
    history_wait_seconds: float = Field(
        default=120, ge=0, description="How long to wait for Prefect to record the run's history"
    )

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_half_characters(cls, value: object) -> object:
        """What stands for bytes that are no text can't be sent, stored or shown."""
        if _has_half_character(value):
            raise ValueError("it isn't UTF-8 text; write it anew")
        return value

    @field_validator("out", mode="before")
    @classmethod
    def _refuse_current_folder(cls, value: object) -> object:
        if isinstance(value, str | Path) and str(value).strip() in ("", "."):
            raise ValueError("it would be the current folder; name another")
        return value


def read_settings(kind: type[Read], given: Mapping[str, Any]) -> Read:
    """The settings from what is given, else the environment, else the defaults.

    Values that are None count as not given. Raises SettingError naming the setting, what was found
    and what is accepted.
    """
    try:
        return kind(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise SettingError(_explain(error)) from None
    except SettingsError as error:
        raise SettingError(f"an {ENVIRONMENT_PREFIX}… variable can't be read: {error}") from None


def required(value: Path | None, name: str, meaning: str) -> Path:
    """A setting without a default; raises SettingError where it is not set."""
    if value is not None:
        return value
    raise SettingError(
        f"{name} is not set: give {meaning} as --{name}, as the deployment parameter "
        f"{name!r}, or in {ENVIRONMENT_PREFIX}{name.upper()}"
    )


def split_names(value: object) -> object:
    """Names given as a list or separated by commas, each once; what is neither as it is."""
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list | tuple):
        return () if value is None else value
    parts = cast("Iterable[object]", given)
    names = [one.strip() for part in parts for one in str(part).split(",") if one.strip()]
    return tuple(dict.fromkeys(names))


def _has_half_character(value: object) -> bool:
    parts = cast("Iterable[object]", value) if isinstance(value, list | tuple) else [value]
    return any(isinstance(one, str) and _HALF_CHARACTER.search(one) for one in parts)


def as_parameter(value: Any) -> Any:
    """A setting's value as a parameter of a flow."""
    if isinstance(value, Path):
        return str(value)
    return list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value


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
        found = "something else" if name.endswith("key_variable") else repr(problem["input"])
        lines.append(
            f"setting {name} ({ENVIRONMENT_PREFIX}{name.upper()}): found "
            f"{found}, {_lower(problem['msg'].removeprefix('Value error, '))}"
        )
    return "; ".join(lines)


def _lower(message: str) -> str:
    return f"{message[:1].lower()}{message[1:]}"
