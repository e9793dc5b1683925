"""How much of a turn is copied word by word from a note."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from tasks.audit.texts.masking import plain_words

CLAUSE_WORDS = 12
"""A turn with this many consecutive words of a note, and no comma between them, is copied."""

PASSAGE_WORDS = 24
"""A turn with this many consecutive words of a note is copied, commas or not."""

_SEED_WORDS = 3
_CLAUSE_END = re.compile(r"[,;:](?!\d)|[.?!](?=\s|$)")
_NO_PROSE = frozenset(
    """
    mg mcg g gm ml l dl mmol meq units unit iu tablet tablets tab tabs capsule capsules cap caps
    puff puffs drop drops patch sig disp refills po iv im sc sl pr by mouth daily bid tid qid
    qhs prn qd qam qpm once twice times every hours day days weekly bedtime needed as
    """.split()  # noqa: SIM905 - a list of words reads best as text
)


class Copy(NamedTuple):
    """The longest runs of words that a turn has in common with a note, in words of prose."""

    passage: int
    clause: int

    @property
    def is_long(self) -> bool:
        """Whether the turn is a copy rather than the naming of what the record names."""
        return self.clause >= CLAUSE_WORDS or self.passage >= PASSAGE_WORDS


class NoteWords:
    """The words of one admission's notes, to find copied runs in its dialogue."""

    def __init__(self, notes: Iterable[str]) -> None:
        self._notes = [plain_words(note) for note in notes]
        self._places: defaultdict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        for number, words in enumerate(self._notes):
            for start in range(len(words) - _SEED_WORDS + 1):
                self._places[tuple(words[start : start + _SEED_WORDS])].append((number, start))

    def longest_copy(self, text: str) -> Copy:
        """The longest runs of words that a note has in the same order, without gaps.

        Counted in words of prose: numbers, units and the words of a dose line lengthen no run, so
        that a list of medicines with their doses, which has to be verbatim, is no copy. A list of
        conditions in the note's order is a passage and no clause. Runs of fewer than three words
        count as 0.
        """
        clauses = [plain_words(clause) for clause in _CLAUSE_END.split(text)]
        words = [word for clause in clauses for word in clause]
        prose = (0, *accumulate(map(_is_prose, words)))
        ends = [
            end
            for end, size in zip(accumulate(map(len, clauses)), map(len, clauses), strict=True)
            for _ in range(size)
        ]
        passage = clause = 0
        for start in range(len(words) - _SEED_WORDS + 1):
            end = self._end_of_copy(words, start)
            passage = max(passage, prose[end] - prose[start])
            clause = max(clause, prose[min(end, ends[start])] - prose[start])
        return Copy(passage, clause)

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


def _is_prose(word: str) -> bool:
    return not word[0].isdigit() and word not in _NO_PROSE
