"""What language models get wrong beside facts: turns repeated, long runs, early results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from itertools import groupby

from tasks.audit.texts.copying import PASSAGE_WORDS, NoteWords
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import AdmissionBundle, Fact, FactKind
from tasks.dialogue.exchanges import known_from
from tasks.dialogue.violations import Violation, of_turn, said_openly
from tasks.terminology.normalization import words
from tasks.terminology.statements import states

LONGEST_RUN = 4
"""Turns that one speaker may have in a row."""

_COURTESY_WORDS = 4
_ALIKE = 0.9
_RETOLD_WORDS = 12
"""A turn of so many words that stands in another as it is was said before."""
_COPIED_CLAUSE = 14
"""Two words more than the audit's: a treatment and its reason can take twelve."""
_RESULTS = frozenset({FactKind.IMAGING, FactKind.CULTURE, FactKind.SUSCEPTIBILITY})


def run_violations(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    """Stretches in which one speaker has too many turns in a row."""
    for speaker, run in groupby(lines, key=lambda line: line.speaker):
        turns = [line.turn_number for line in run]
        if len(turns) > LONGEST_RUN:
            yield said_openly(
                f"speakers: {speaker} alone speaks from turn {turns[0]} to turn {turns[-1]}"
            )


def repeat_violations(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    """Turns that say an earlier one nearly word for word, whoever speaks.

    Other numbers make another turn. Courtesies of a few words may be alike but not the same: a
    release may hold hardly any turn that was said before in its session.
    """
    earlier: defaultdict[tuple[str, ...], list[_Said]] = defaultdict(list)
    for line in lines:
        said = _Said.of(line)
        first = _first_alike(said, earlier[said.numbers])
        if first is not None:
            yield of_turn(
                "repeated_turn",
                line.turn_number,
                f"repeats turn {first.turn} nearly word for word: say something new",
            )
        earlier[said.numbers].append(said)


def bare_violations(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    """Turns of a single word, which add nothing."""
    for line in lines:
        if len(words(line.text)) == 1:
            yield of_turn(
                "bare_turn", line.turn_number, "is a single word: say something of its own"
            )


@dataclass(frozen=True, slots=True)
class _Said:
    """A turn as it is compared with others: made once, compared with all."""

    turn: int
    words: tuple[str, ...]
    vocabulary: frozenset[str]
    numbers: tuple[str, ...]

    @classmethod
    def of(cls, line: SourcedLine) -> _Said:
        said = words(line.text)
        numbers = sorted(word for word in said if word[0].isdigit())
        return cls(line.turn_number, said, frozenset(said), tuple(numbers))

    def holds(self, earlier: _Said) -> bool:
        """Whether a longer turn says all of an earlier one in a row."""
        size, sought = len(earlier.words), earlier.words
        if size < _RETOLD_WORDS or not earlier.vocabulary <= self.vocabulary:
            return False
        last = len(self.words) - size
        return any(self.words[at : at + size] == sought for at in range(last + 1))


def _first_alike(said: _Said, earlier: Sequence[_Said]) -> _Said | None:
    """The first of the turns with the same numbers that says nearly the same."""
    size, vocabulary = len(said.words), said.vocabulary
    for one in earlier:
        if said.words == one.words or said.holds(one):
            return one
        if max(size, len(one.words)) <= _COURTESY_WORDS:
            continue
        enough = _ALIKE * (size + len(one.words)) / 2
        # Most pairs end here: each word that the other lacks matches nothing.
        if (
            min(size, len(one.words)) < enough
            or size - len(vocabulary - one.vocabulary) < enough
            or len(one.words) - len(one.vocabulary - vocabulary) < enough
        ):
            continue
        if SequenceMatcher(None, said.words, one.words, autojunk=False).ratio() >= _ALIKE:
            return one
    return None


def copy_violations(lines: Sequence[SourcedLine], bundle: AdmissionBundle) -> Iterator[Violation]:
    """Turns that read a note aloud rather than retell it."""
    notes = (*bundle.discharge_notes, *bundle.radiology_notes)
    index = NoteWords(note.text for note in notes)
    for line in lines:
        copy = index.longest_copy(line.text)
        if copy.clause >= _COPIED_CLAUSE or copy.passage >= PASSAGE_WORDS:
            yield of_turn(
                "copied_turn",
                line.turn_number,
                f"copies {copy.passage} words of the source in a row: retell them",
            )


def early_violations(lines: Sequence[SourcedLine], facts: Sequence[Fact]) -> Iterator[Violation]:
    """Turns that tell a result before it was known, where no earlier result says the same."""
    results = first_results(facts)
    for line in lines:
        for fact, since in results:
            if since > line.time and states(line.text, fact):
                yield of_turn(
                    "early_result",
                    line.turn_number,
                    f"tells `{fact.label}` at {line.time}, but the result is known from {since}",
                )


def first_results(facts: Sequence[Fact]) -> tuple[tuple[Fact, datetime], ...]:
    """Every result once, as it was first known, with when that was."""
    first: dict[tuple[str, str], tuple[Fact, datetime]] = {}
    for fact in facts:
        since = known_from(fact) if fact.kind in _RESULTS else None
        known = first.get((fact.label, fact.value))
        if since and (known is None or since < known[1]):
            first[(fact.label, fact.value)] = (fact, since)
    return tuple(first.values())
