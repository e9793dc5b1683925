"""Which medicine or test a number of a sentence belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.audit.grounding.numbers import DOSES, TIMES, Figure
from tasks.audit.grounding.terms import Mention, TermKind, longest
from tasks.audit.grounding.text import Sentence, word_set

_ITEMS: tuple[TermKind, ...] = ("drug", "measurement")
_LINKS = word_set("of iv po oral the a in for to is was at")
_NEAR = 3
"""Words that may stand between a number and an item behind it."""
_BARE_REACH = 8
"""Tokens between a test and a bare number that still is its value."""
_BREAKS = frozenset(("and", "or", "but", "then", "while"))
_DAY = "measurement:hospital day"
_COUNTED_BEFORE = frozenset(("measurement:stage", "measurement:grade", _DAY))


@dataclass(frozen=True, slots=True)
class Item:
    """Medicines or tests that stand together, as in ``Lasix (furosemide)``."""

    kind: TermKind
    names: frozenset[str]
    """What it is called."""
    concepts: frozenset[str]
    """And what shorter names in it stand for: ``insulin`` in ``insulin glargine``."""
    start: int
    end: int


def items(sentence: Sentence, mentions: Sequence[Mention]) -> list[Item]:
    """The medicines and tests of a sentence."""
    named = [one for one in mentions if one.term.kind in _ITEMS]
    if not named:
        return []
    found: list[Item] = []
    for mention in longest(named):
        inside = frozenset(
            concept
            for one in named
            if mention.start <= one.start and one.end <= mention.end
            for concept in one.term.concepts
        )
        last = found[-1] if found else None
        if last is not None and last.kind == mention.term.kind and _joined(sentence, last, mention):
            names, concepts = last.names.union(mention.term.meant), last.concepts | inside
            found[-1] = Item(last.kind, names, concepts, last.start, mention.end)
        else:
            names = frozenset(mention.term.meant)
            found.append(Item(mention.term.kind, names, inside, mention.start, mention.end))
    return found


def _joined(sentence: Sentence, last: Item, mention: Mention) -> bool:
    between = sentence.tokens[last.end : mention.start]
    return mention.start < last.end or all(token in ("-", "/", "(", "*") for token in between)


def owner(sentence: Sentence, figure: Figure, known: Sequence[Item]) -> Item | None:
    """The medicine or test that a number belongs to; null where it stands by itself."""
    unit = figure.quantity.unit
    if unit in TIMES - {"day"}:
        return None
    before = [one for one in known if one.end <= figure.start]
    behind = next((one for one in known if one.start >= figure.end), None)
    # In ``Na-142 K-4.7`` a number right behind a test is that test's.
    if figure.quantity.is_frequency:
        return before[-1] if before and before[-1].kind == "drug" else None
    own = before and figure.start - before[-1].end <= 1
    if behind is not None and not own and unit not in TIMES and _leads_to(sentence, figure, behind):
        return behind
    for item in reversed(before):
        if _fits(sentence, figure, item):
            return item
        if item.concepts.isdisjoint(_COUNTED_BEFORE):
            return None
    return None


def _fits(sentence: Sentence, figure: Figure, item: Item) -> bool:
    quantity = figure.quantity
    apart = figure.start - item.end
    if not item.concepts.isdisjoint(_COUNTED_BEFORE):
        return apart == 0 and not quantity.unit
    if quantity.unit in TIMES:
        return False
    if item.kind == "drug":
        return quantity.unit in DOSES or "/" in quantity.unit or apart == 0
    words_between = sum(1 for key in sentence.keys[item.end : figure.start] if key)
    return words_between <= _BARE_REACH and quantity.unit not in ("tablet", "capsule", "puff")


def _leads_to(sentence: Sentence, figure: Figure, item: Item) -> bool:
    """``40 mg of furosemide``, ``98% saturation``; not ``40 mg and furosemide``."""
    between = sentence.tokens[figure.end : item.start]
    words = [token.lower() for token in between]
    if len(words) > _NEAR or not all(word in _LINKS or word == "-" for word in words):
        return False
    if not item.concepts.isdisjoint(_COUNTED_BEFORE):
        return False
    return bool(figure.quantity.unit) or item.kind == "measurement"


def owned(
    sentence: Sentence, mentions: Sequence[Mention], found: Sequence[Figure]
) -> Iterator[tuple[Figure, Item | None]]:
    """Each number of a sentence with the item it belongs to."""
    known = items(sentence, mentions) if found else []
    for figure in found:
        yield figure, owner(sentence, figure, known)
