"""Word lists that the fact extractors read: plain JSON beside the code, checked when loaded."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from tasks.contracts.base import Contract

_FOLDER = Path(__file__).resolve().parent / "vocabulary"


class Symptoms(Contract):
    """Symptoms by the name a clinician would say to a patient, with their spellings in notes."""

    symptoms: dict[str, tuple[str, ...]] = Field(min_length=1)


class Laboratory(Contract):
    """Laboratory tests by MIMIC's abbreviation, with the name that is spoken."""

    tests: dict[str, str] = Field(min_length=1)


class Prescriptions(Contract):
    """Routes and frequencies of prescriptions as written, with the words that are spoken."""

    routes: dict[str, str] = Field(min_length=1)
    frequencies: dict[str, str] = Field(min_length=1)


class Conditions(Contract):
    """Abbreviated conditions, in capitals, with the words that are spoken."""

    abbreviations: dict[str, str] = Field(min_length=1)


@cache
def symptoms() -> Symptoms:
    """The symptoms looked for in a history."""
    return Symptoms.model_validate_json(_read("symptoms"))


@cache
def laboratory() -> Laboratory:
    """The laboratory tests that are spoken about."""
    return Laboratory.model_validate_json(_read("laboratory"))


@cache
def prescriptions() -> Prescriptions:
    """How routes and frequencies are written and spoken."""
    return Prescriptions.model_validate_json(_read("prescriptions"))


@cache
def conditions() -> Conditions:
    """How abbreviated conditions are spoken."""
    return Conditions.model_validate_json(_read("conditions"))


def _read(name: str) -> str:
    return (_FOLDER / f"{name}.json").read_text(encoding="utf-8")
