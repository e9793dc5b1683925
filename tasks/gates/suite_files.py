"""Reads expectation suites: the JSON files in expectations/ that data engineers edit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, Field, JsonValue, ValidationError

from tasks.adapters.resources import resource_folder
from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError


class SuiteMeta(Contract):
    """What an expectation guards, for people; further keys are welcome."""

    model_config = ConfigDict(frozen=True, extra="allow")

    notes: str = Field(min_length=1, description="What the expectation guards, in one sentence")


class SuiteEntry(Contract):
    """One expectation in Great Expectations' own words."""

    type: str = Field(pattern=r"^expect_[a-z_]+$", description="Name of the expectation")
    kwargs: dict[str, JsonValue] = Field(description="Its arguments: column, bounds, value set")
    meta: SuiteMeta = Field(description="Why it is there")


class SuiteFile(Contract):
    """A suite as it stands on disk."""

    name: str = Field(description="Name of the table it judges; equal to the file's name")
    meta: SuiteMeta = Field(description="What a row of the table is")
    expectations: tuple[SuiteEntry, ...] = Field(min_length=1, description="All must hold")


@dataclass(frozen=True)
class Suite:
    """A suite and the file it came from, for messages."""

    path: Path
    content: SuiteFile

    @property
    def name(self) -> str:
        """Name of the table the suite judges."""
        return self.content.name


def load_suites(stage: str, folder: Path | None = None) -> tuple[Suite, ...]:
    """The suites of a gate, ``STAGE.json`` and ``STAGE_*.json``, by file name.

    Raises SettingError naming file and entry where a suite can't be read.
    """
    base = folder if folder is not None else resource_folder("expectations")
    paths = sorted({*base.glob(f"{stage}.json"), *base.glob(f"{stage}_*.json")})
    if not paths:
        raise SettingError(
            f"the {stage} gate has no suite: expected {stage}.json in {base}; put the file back"
        )
    return tuple(_load_suite(path) for path in paths)


def _load_suite(path: Path) -> Suite:
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingError(
            f"suite {path.name}: can't be read ({error.strerror}); make the file readable"
        ) from None
    except UnicodeDecodeError:
        raise SettingError(f"suite {path.name}: not UTF-8 text; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise SettingError(
            f"suite {path.name}: not JSON: {error.msg} at line {error.lineno}, "
            f"column {error.colno}; correct the file"
        ) from None
    except (ValueError, RecursionError):
        raise SettingError(
            f"suite {path.name}: a number in it is too long, or it is nested too deeply; correct "
            "the file"
        ) from None
    try:
        content = SuiteFile.model_validate(plain)
    except ValidationError as error:
        raise SettingError(f"suite {path.name}: {_first_fault(error, plain)}") from None
    if content.name != path.stem:
        raise SettingError(
            f"suite {path.name}: its name is {content.name}, expected {path.stem}; "
            "file name and name must agree"
        )
    return Suite(path=path, content=content)


def _first_fault(error: ValidationError, plain: object) -> str:
    """The first fault in words: entry number and type, key, what was expected."""
    fault = error.errors(include_url=False, include_input=False)[0]
    place = [str(part) for part in fault["loc"]]
    if place[:1] == ["expectations"] and len(place) > 1:
        number = int(place[1])
        return f"entry {number + 1}{_entry_type(plain, number)}, {'.'.join(place[2:])}: " + (
            f"{fault['msg'].lower()}; correct the entry"
        )
    return f"{'.'.join(place) or 'top level'}: {fault['msg'].lower()}; correct the file"


def _entry_type(plain: object, number: int) -> str:
    """`` (TYPE)`` where the entry says its type, else nothing."""
    if isinstance(plain, dict):
        entries = plain.get("expectations")
        if isinstance(entries, list) and isinstance(entries[number], dict):
            named = entries[number].get("type")
            if isinstance(named, str):
                return f" ({named})"
    return ""
