"""Everything a user can set about a build."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from flows.model_settings import ModelSettings
from flows.run_settings import (
    RunSettings,
    as_parameter,
    read_settings,
    required,
)
from tasks.contracts.errors import SettingError

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


class Settings(ModelSettings, RunSettings):
    """What to build, from what, where to, and how."""

    mimic: Path | None = Field(default=None, description="Folder that holds MIMIC-IV's hosp/")
    note: Path | None = Field(
        default=None,
        description="Folder that holds discharge.csv[.gz] and radiology.csv[.gz]; "
        "note/ in the mimic folder where not given",
    )
    patients: int = Field(
        default=100, ge=1, le=1_000_000, description="Most patients to take, by rank"
    )
    subject_id: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Patients asked for by id; in the environment separated by commas"
    )
    until: Until | None = Field(default=None, description="Last stage of a build that stops early")

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
        mimic = required(self.mimic, "mimic", "the folder that holds MIMIC-IV's hosp/")
        out = required(self.out, "out", "the folder for release/, cache/ and report/")
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
            **{name: as_parameter(getattr(self, name)) for name in MODEL_PARAMETERS},
        }


def load_settings(**given: Any) -> Settings:
    """The settings from what is given, else the environment, else the defaults.

    Values that are None count as not given. Raises SettingError naming the setting, what was found
    and what is accepted.
    """
    return read_settings(Settings, given)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
