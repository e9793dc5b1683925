"""Sessions that are nearly the same, found by MinHash without comparing each with each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tasks.audit.texts.masking import mask_numbers, plain_words

NEARLY_EQUAL = 0.8
"""Estimated share of their three-word runs, taken together, that two equal sessions have."""

_RUN_WORDS = 3
_HASHES = 128
_BAND = 8
_Hashes = NDArray[np.uint64]
Session = tuple[str, str]
"""subject_id and hadm_id; a patient copied under another id keeps its hadm_ids."""


class Sketches:
    """A small summary of each session, by which nearly equal ones are found."""

    def __init__(self) -> None:
        self._sketches: dict[Session, _Hashes] = {}

    def __len__(self) -> int:
        """Sessions taken so far."""
        return len(self._sketches)

    def add(self, session: Session, turns: Iterable[str]) -> None:
        """Take a session's turns; numbers and dates don't count."""
        self._sketches[session] = _sketch(mask_numbers("\n".join(turns)))

    def alike(self) -> list[tuple[Session, Session]]:
        """Pairs of nearly equal sessions, sorted.

        Pairs whose sketches agree in one of 16 bands are compared: of sessions 80 % alike that is
        95 % of pairs, of sessions 95 % alike all but one in ten million.
        """
        bands: defaultdict[tuple[int, bytes], list[Session]] = defaultdict(list)
        for session, sketch in sorted(self._sketches.items(), key=lambda item: item[0]):
            for start in range(0, _HASHES, _BAND):
                bands[start, sketch[start : start + _BAND].tobytes()].append(session)
        candidates = {pair for band in bands.values() for pair in combinations(band, 2)}
        return sorted(pair for pair in candidates if self._likeness(*pair) >= NEARLY_EQUAL)

    def _likeness(self, one: Session, other: Session) -> float:
        return float((self._sketches[one] == self._sketches[other]).mean())


@cache
def _multipliers() -> tuple[_Hashes, _Hashes]:
    """Odd factors and addends of the hash functions; the same on every machine."""
    drawn = np.frombuffer(
        b"".join(blake2b(bytes([place])).digest() for place in range(_HASHES)), dtype="<u8"
    ).reshape(_HASHES, -1)
    return (drawn[:, 0] | np.uint64(1)).astype(np.uint64), drawn[:, 1].astype(np.uint64)


def _sketch(text: str) -> _Hashes:
    """The smallest value of each hash function over the runs of three words."""
    words = np.array([_word_hash(word) for word in plain_words(text)], dtype=np.uint64)
    if len(words) < _RUN_WORDS:
        words = np.concatenate([words, np.zeros(_RUN_WORDS - len(words), dtype=np.uint64)])
    factors, addends = _multipliers()
    runs = words[2:] + words[1:-1] * np.uint64(0x9E3779B97F4A7C15)
    runs = np.unique(runs + words[:-2] * np.uint64(0xC2B2AE3D27D4EB4F))
    runs ^= runs >> np.uint64(29)
    # The high bits of the products are well mixed, the low ones are not.
    return (runs[:, None] * factors + addends).min(axis=0)


@cache
def _word_hash(word: str) -> int:
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "little")
