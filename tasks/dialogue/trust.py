"""What language models get wrong beside facts: turns repeated, long runs, early results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.exchanges import known_from
from tasks.dialogue.violations import Violation, of_turn, said_openly
from tasks.terminology.normalization import words
from tasks.terminology.statements import states

LONGEST_RUN = 4
"""Turns that one speaker may have in a row."""

_COURTESY_WORDS = 4
_ALIKE = 0.9
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

    Other numbers make another turn, and courtesies of a few words may recur.
    """
    earlier: list[tuple[int, tuple[str, ...]]] = []
    for line in lines:
        said = words(line.text)
        if len(said) <= _COURTESY_WORDS:
            continue
        first = next((turn for turn, other in earlier if _alike(said, other)), None)
        if first is not None:
            yield of_turn(
                "repeated_turn",
                line.turn_number,
                f"repeats turn {first} nearly word for word: say something new",
            )
        earlier.append((line.turn_number, said))


def _alike(said: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if said == other:
        return True
    shorter, longer = sorted((len(said), len(other)))
    if 2 * shorter < _ALIKE * (shorter + longer) or _numbers(said) != _numbers(other):
        return False
    matcher = SequenceMatcher(None, said, other, autojunk=False)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _numbers(said: tuple[str, ...]) -> list[str]:
    return sorted(word for word in said if word[0].isdigit())


def early_violations(lines: Sequence[SourcedLine], facts: Sequence[Fact]) -> Iterator[Violation]:
    """Turns that tell a result before it was known, where no earlier result says the same."""
    results = [
        (fact, since) for fact in facts if fact.kind in _RESULTS if (since := known_from(fact))
    ]
    if not results:
        return
    for line in lines:
        known = {(fact.label, fact.value) for fact, since in results if since <= line.time}
        for fact, since in results:
            told = since > line.time and (fact.label, fact.value) not in known
            if told and states(line.text, fact):
                yield of_turn(
                    "early_result",
                    line.turn_number,
                    f"tells `{fact.label}` at {line.time}, but the result is known from {since}",
                )
