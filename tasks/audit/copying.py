"""How much of a turn is copied word by word from a note."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable

from tasks.audit.masking import plain_words

COPIED_WORDS = 12
"""A turn with this many consecutive words of a note is copied."""

_SEED_WORDS = 3
_NO_PROSE = frozenset(
    "mg mcg g gm ml l dl mmol meq units unit iu tablet tablets tab tabs capsule capsules cap caps "
    "puff puffs drop drops patch sig disp refills po iv im sc sl pr by mouth daily bid tid qid qhs "
    "prn qd qam qpm once twice times every hours day days weekly bedtime needed as".split()
)


class NoteWords:
    """The words of one admission's notes, to find copied runs in its dialogue."""

    def __init__(self, notes: Iterable[str]) -> None:
        self._notes = [plain_words(note) for note in notes]
        self._places: defaultdict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        for number, words in enumerate(self._notes):
            for start in range(len(words) - _SEED_WORDS + 1):
                self._places[tuple(words[start : start + _SEED_WORDS])].append((number, start))

    def longest_copy(self, text: str) -> int:
        """Length of the longest run of words that a note has in the same order, without gaps.

        Counted in words of prose: numbers, units and the words of a dose line lengthen no run, so
        that a list of medicines with their doses, which has to be verbatim, is no copy. Runs of
        fewer than three words count as 0.
        """
        words = plain_words(text)
        prose = _prose_before(words)
        longest = start = 0
        while start <= len(words) - _SEED_WORDS:
            end = self._end_of_copy(words, start)
            longest = max(longest, prose[end] - prose[start])
            start += 1
        return longest

    def _end_of_copy(self, words: list[str], start: int) -> int:
        """Where the longest run that begins at a word ends."""
        farthest = start
        for number, place in self._places.get(tuple(words[start : start + _SEED_WORDS]), ()):
            note = self._notes[number]
            length = _SEED_WORDS
            while (
                start + length < len(words)
                and place + length < len(note)
                and words[start + length] == note[place + length]
            ):
                length += 1
            farthest = max(farthest, start + length)
        return farthest


def _prose_before(words: list[str]) -> array[int]:
    """How many words of prose stand before each place."""
    counts = array("l", [0])
    for word in words:
        counts.append(counts[-1] + (not word[0].isdigit() and word not in _NO_PROSE))
    return counts
