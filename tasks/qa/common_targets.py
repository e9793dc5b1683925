"""Targets that are common in hospital records, for cohorts too small to supply absent ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from tasks.contracts.base import Contract

_FILE = Path(__file__).with_suffix(".json")


class CommonTarget(Contract):
    """A target that is common in hospital records."""

    label: str = Field(description="As a question names it")
    weight: int = Field(ge=1, description="Rough frequency, relative to the others of its group")


class CommonTargets(Contract):
    """``common_targets.json``."""

    targets: dict[str, tuple[CommonTarget, ...]] = Field(description="Common targets by group")


@cache
def common_targets() -> dict[str, tuple[CommonTarget, ...]]:
    """The targets that ship with the code, by group."""
    return CommonTargets.model_validate_json(_FILE.read_bytes()).targets
