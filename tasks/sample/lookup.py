"""Loads the catalogue files and finds entries by key, code and title."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import TypeAdapter

from tasks.sample.entries import CatalogueProcedure, Condition, Drug, Imaging, LabTest
from tasks.sample.vocabulary import Antibiotic, Microbiology, Organism, Patients, Specimen, Wording

_FOLDER = Path(__file__).resolve().parent / "catalogue"


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


_Entry = TypeVar("_Entry", bound=_Keyed)


@dataclass(frozen=True)
class Catalogue:
    """All entries by key, in file order."""

    conditions: Mapping[str, Condition]
    drugs: Mapping[str, Drug]
    procedures: Mapping[str, CatalogueProcedure]
    imaging: Mapping[str, Imaging]
    labs: tuple[LabTest, ...]
    specimens: Mapping[str, Specimen]
    organisms: Mapping[str, Organism]
    antibiotics: Mapping[str, Antibiotic]
    patients: Patients
    wording: Wording
    by_code: Mapping[tuple[int, str], tuple[Condition, ...]]
    procedure_by_code: Mapping[tuple[int, str], CatalogueProcedure]

    def conditions_of_code(self, version: int, code: str) -> tuple[Condition, ...]:
        """Conditions that carry an ICD code; two where an acute one shares its chronic one's."""
        return self.by_code.get((version, code), ())

    def procedure_of_code(self, version: int, code: str) -> CatalogueProcedure | None:
        """The procedure that carries an ICD code, if any."""
        return self.procedure_by_code.get((version, code))

    def specimen_of_test(self, name: str, test: str) -> Specimen | None:
        """The specimen entry of a microbiology row, if any."""
        for specimen in self.specimens.values():
            if specimen.name == name and specimen.test == test:
                return specimen
        return None


@cache
def load_catalogue() -> Catalogue:
    """Read and validate every catalogue file; raises pydantic.ValidationError."""
    microbiology = Microbiology.model_validate_json(_read("microbiology.json"))
    conditions: list[Condition] = []
    for path in sorted((_FOLDER / "conditions").glob("*.json")):
        conditions.extend(TypeAdapter(list[Condition]).validate_json(path.read_bytes()))
    procedures = TypeAdapter(list[CatalogueProcedure]).validate_json(_read("procedures.json"))
    by_code: dict[tuple[int, str], tuple[Condition, ...]] = {}
    for condition in conditions:
        for code in condition.codes:
            pair = (code.version, code.code)
            by_code[pair] = (*by_code.get(pair, ()), condition)
    return Catalogue(
        conditions=_keyed(conditions),
        drugs=_keyed(TypeAdapter(list[Drug]).validate_json(_read("drugs.json"))),
        procedures=_keyed(procedures),
        imaging=_keyed(TypeAdapter(list[Imaging]).validate_json(_read("imaging.json"))),
        labs=tuple(TypeAdapter(list[LabTest]).validate_json(_read("laboratory.json"))),
        specimens=_keyed(microbiology.specimens),
        organisms=_keyed(microbiology.organisms),
        antibiotics={entry.name: entry for entry in microbiology.antibiotics},
        patients=Patients.model_validate_json(_read("patients.json")),
        wording=Wording.model_validate_json(_read("wording.json")),
        by_code=by_code,
        procedure_by_code={(c.version, c.code): entry for entry in procedures for c in entry.codes},
    )


def _read(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()


def _keyed(entries: Iterable[_Entry]) -> dict[str, _Entry]:
    return {entry.key: entry for entry in entries}
