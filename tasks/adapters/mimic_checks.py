"""Damage that no single file shows: codes that lost their zeros, swapped or cut files."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.adapters.mimic_database import MimicDatabase
from tasks.contracts.errors import SourceError

_ODD_CODES_ALLOWED = 0.001
"""Share of billed codes that may lack a title while a spelling with more zeros has one."""

_FEWEST_TO_JUDGE = 20
"""Codes or admissions below which a share of them says nothing."""


@dataclass(frozen=True)
class _Spellings:
    kind: str
    records: int
    titles: int
    padded_titles: int
    untitled: int
    zeros_lost: int
    zeros_lost_by_title: int
    titled_by_other: int
    padded_codes: int


@dataclass(frozen=True)
class _FirstRecord:
    record_number: int


@dataclass(frozen=True)
class _Completeness:
    linked_notes: int
    stray_notes: int
    kept_admissions: int
    billed_admissions: int


def check_codes(database: MimicDatabase) -> None:
    """Raise SourceError where billing and dictionary files can't belong together.

    Codes that a dictionary lacks are legal; codes that a spreadsheet changed are not.
    """
    for found in database.query("cohort/code_spellings.sql", _Spellings):
        billing = f"{found.kind}_icd"
        dictionary = f"d_icd_{found.kind}"
        if found.titled_by_other * 2 > found.records:
            raise SourceError(
                f"{database.file_name(dictionary)}: lacks the codes of "
                f"{database.file_name(billing)}, the other dictionary has them; the files were "
                "swapped: give each its own name"
            )
        if found.zeros_lost > found.records * _ODD_CODES_ALLOWED or (
            found.zeros_lost and not found.padded_codes
        ):
            _refuse_lost_zeros(database, billing, dictionary, found.zeros_lost)
        if found.zeros_lost_by_title and not found.padded_titles:
            raise SourceError(
                f"{database.file_name(dictionary)}: column icd_code: codes without the leading "
                f"zeros that {found.zeros_lost_by_title} records of "
                f"{database.file_name(billing)} have; a spreadsheet removed them: fetch the file "
                "again"
            )
        scarce = found.records >= _FEWEST_TO_JUDGE and found.untitled * 2 > found.records
        if scarce or not found.titles:
            raise SourceError(
                f"{database.file_name(dictionary)}: has no title for {found.untitled} of "
                f"{found.records} codes in {database.file_name(billing)}; the file is cut or "
                "belongs to other data: fetch it again"
            )


def check_completeness(database: MimicDatabase) -> None:
    """Raise SourceError where most notes miss their admission or most admissions any diagnosis.

    Fewer are counted (``unknown_admission``) and read on: releases of MIMIC differ in some.
    """
    found = database.query("cohort/completeness.sql", _Completeness)[0]
    if found.stray_notes > found.linked_notes:
        raise SourceError(
            f"{database.file_name('admissions')}: lacks the hadm_id of {found.stray_notes} "
            f"discharge notes of its own patients, {found.linked_notes} are linked; the file is "
            "incomplete: fetch it again"
        )
    unbilled = found.kept_admissions - found.billed_admissions
    if found.kept_admissions >= _FEWEST_TO_JUDGE and unbilled * 2 > found.kept_admissions:
        raise SourceError(
            f"{database.file_name('diagnoses_icd')}: has no record of {unbilled} of "
            f"{found.kept_admissions} admissions with a discharge note; the file is incomplete: "
            "fetch it again"
        )


def _refuse_lost_zeros(
    database: MimicDatabase, billing: str, dictionary: str, records: int
) -> None:
    first = database.query(
        "cohort/first_lost_zeros.sql",
        _FirstRecord,
        view_name=f"staging_{billing}",
        dictionary=dictionary,
    )[0]
    raise SourceError(
        f"{database.file_name(billing)}: record {first.record_number}, column icd_code: a code "
        f"without its leading zeros ({records} records hold codes that are in "
        f"{database.file_name(dictionary)} with zeros in front only); a spreadsheet removed "
        "them: fetch the file again"
    )
