"""Our table of the 26 diseases: names, wider and narrower terms, specialties, ICD-11 chapter."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.preconsultation.naming import Known, keys, letters

_FILE = Path(__file__).resolve().parent / "diseases.json"


class Disease(Contract):
    """One disease."""

    name: str = Field(description="English name")
    korean: str = Field(description="Korean name")
    chapter: str = Field(description="Number and title of the ICD-11 chapter")
    code: str = Field(description="ICD-11 stem code, or the common beginning of several")
    specialty: str = Field(description="Primary specialty")
    second_specialty: str = Field(description="Secondary specialty")
    synonyms: tuple[str, ...] = Field(description="Other names and abbreviations")
    narrower: tuple[str, ...] = Field(description="Kinds of it")
    wider: tuple[str, ...] = Field(description="Terms that it is a kind of")

    @property
    def names(self) -> tuple[str, ...]:
        """All that mean this disease and nothing else."""
        return (self.name, self.korean, *self.synonyms)


class DiseaseTable(Contract):
    """The table and where it comes from."""

    provenance: str = Field(description="Where it comes from")
    diseases: tuple[Disease, ...] = Field(description="By English name")


@cache
def disease_table() -> DiseaseTable:
    """The shipped table."""
    return DiseaseTable.model_validate_json(_FILE.read_text(encoding="utf-8"))


@cache
def known_names() -> tuple[Known, ...]:
    """What the table's names mean, in either language."""
    return tuple(Known(one.names, one.narrower) for one in disease_table().diseases)


@cache
def disease_named(name: str) -> Disease | None:
    """The row of a disease by any of its names; None for one that isn't in the table."""
    wanted = keys(name)
    found = [
        one
        for one in disease_table().diseases
        if any(letters(known) in wanted for known in (one.name, one.korean))
    ] or [one for one in disease_table().diseases if any(letters(k) in wanted for k in one.names)]
    return found[0] if len(found) == 1 else None


def means(name: str, disease: str) -> bool:
    """Whether a diagnosis names the disease: synonyms, wider and narrower terms do."""
    row = disease_named(disease)
    known = [disease] if row is None else [disease, *row.names, *row.narrower, *row.wider]
    return any(keys(one) & keys(name) for one in known)
