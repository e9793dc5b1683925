"""Whether a conversation tells anything of its stay: talk without facts is of no use to anybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.violations import Violation
from tasks.terminology.statements import HEADINGS, states

FEWEST_TOLD = 3
"""Facts that the turns have to state: each question of a stay asks for another."""

_SHOWN = 8


def thin_violations(lines: Sequence[SourcedLine], facts: Sequence[Fact]) -> Iterator[Violation]:
    """A conversation that states fewer facts than questions are asked.

    What speaks for itself, such as the complaint, and the stay's dates don't count.
    """
    sought = [fact for fact in facts if _can_be_asked(fact)]
    needed = min(FEWEST_TOLD, len(sought))
    told, untold = 0, list[Fact]()
    for fact in sought:
        if told == needed or len(untold) > len(sought) - needed:
            break
        if any(states(line.text, fact) for line in lines):
            told += 1
        else:
            untold.append(fact)
    if told < needed:
        public = f"facts: the turns state fewer than {needed} facts of the stay"
        named = "; ".join(f"{fact.label} = {fact.value}" for fact in untold[:_SHOWN])
        yield Violation(public, f"{public}; untold are: {named}")


def _can_be_asked(fact: Fact) -> bool:
    return fact.kind not in HEADINGS and fact.kind is not FactKind.STAY
