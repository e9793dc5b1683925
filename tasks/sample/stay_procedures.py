"""A stay's procedures: which of the catalogue's were done, and what they are called."""

from __future__ import annotations

from tasks.adapters.mimic_hosp import HospProcedure, HospStay
from tasks.sample.lookup import Catalogue
from tasks.sample.timing import last_day
from tasks.sample.titles import plain_procedure


def told_procedures(stay: HospStay) -> tuple[HospProcedure, ...]:
    """The procedures a note can tell: titled, and not dated after the stay."""
    return tuple(p for p in stay.procedures if p.long_title and p.chartdate <= last_day(stay))


def done_procedures(stay: HospStay, catalogue: Catalogue) -> frozenset[str]:
    """Keys of the catalogue's procedures among them."""
    keys = (procedure_key(p, catalogue) for p in told_procedures(stay))
    return frozenset(key for key in keys if key)


def procedure_key(procedure: HospProcedure, catalogue: Catalogue) -> str:
    """The catalogue's key of a procedure's code; empty for a code outside it."""
    entry = catalogue.procedure_of_code(procedure.icd_version, procedure.icd_code.strip())
    return entry.key if entry else ""


def procedure_name(procedure: HospProcedure, catalogue: Catalogue) -> str:
    """The catalogue's name of a procedure, else its title in prose."""
    key = procedure_key(procedure, catalogue)
    return catalogue.procedures[key].name if key else plain_procedure(procedure.long_title)
