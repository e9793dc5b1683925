"""Ids of invented patients and stays: unique, unordered, outside MIMIC's ranges.

They are spread by a multiplication modulo a prime, so that an id tells nothing about time.
"""

from __future__ import annotations

MOST_STAYS = 64
"""Most stays of one patient; slots above are never used by a real stay of the sample."""

DONOR_SLOT = 90
"""Slot of the stay that begins after a death."""

LOST_SLOT = 91
"""Slot of a stay that notes name and admissions lacks."""

_PRIME = 9_999_991
_SLOTS = 100
_SUBJECTS = 90_000_000
_ADMISSIONS = 80_000_000
_SPECIMENS_PER_STAY = 100


def subject_id_of(index: int) -> int:
    """The id of the patient with this index, from 0."""
    return _SUBJECTS + (index * 7_368_787 + 104_729) % _PRIME


def hadm_id_of(index: int, slot: int) -> int:
    """The id of a patient's stay by its number, from 0."""
    return _ADMISSIONS + ((index * _SLOTS + slot) * 6_543_211 + 5_485_863) % _PRIME


def first_specimen_of(index: int, slot: int) -> int:
    """First id of a stay's specimens and microbiology rows."""
    return (index * _SLOTS + slot) * _SPECIMENS_PER_STAY
