"""Which exchanges a dialogue has room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tasks.dialogue.exchanges import REQUIRED, Exchange
from tasks.dialogue.wording import Phrasebook

_LOOSE_PAIRS = 3
"""Lengths differ by fewer than this many pairs of turns even where there is much to tell."""

_QUESTION_SHARE = 14
"""Per cent of a full dialogue's turns kept for the patient's questions and their answers."""


def select(
    exchanges: Sequence[Exchange],
    rapport: Iterator[Exchange],
    minimum: int,
    maximum: int,
    book: Phrasebook,
) -> list[Exchange]:
    """Exchanges whose turns number between minimum and maximum, in the order given.

    Required ones come first, then by importance. Room that is left goes to questions of the
    patient, and in a stay with little to tell to talk about nothing clinical.
    """
    room = max(minimum, maximum - 2 * book.number(_LOOSE_PAIRS))
    chosen = _most_important(exchanges, room - _QUESTION_SHARE * room // 100)
    kept = [exchange for number, exchange in enumerate(exchanges) if number in chosen]
    kept = _with_questions(kept, room, book)
    aim = min(room, minimum + 2 * book.number(max(1, (room - minimum) // 2)))
    while _turns(kept) < aim:
        addition = next(rapport)
        if _turns(kept) + addition.size <= maximum:
            kept.append(addition)
    return kept


def _most_important(exchanges: Sequence[Exchange], room: int) -> set[int]:
    order = sorted(
        range(len(exchanges)), key=lambda number: (-exchanges[number].importance, number)
    )
    chosen: set[int] = set()
    turns = 0
    for number in order:
        size = exchanges[number].size
        if exchanges[number].importance >= REQUIRED or turns + size <= room:
            chosen.add(number)
            turns += size
    return chosen


def _with_questions(kept: list[Exchange], room: int, book: Phrasebook) -> list[Exchange]:
    """Longer forms of a third of the exchanges, drawn by lot, as far as there is room."""
    extended = list(kept)
    candidates = [number for number, exchange in enumerate(kept) if exchange.longer is not None]
    for _ in range(-(-len(candidates) // 3)):
        number = candidates.pop(book.number(len(candidates)))
        longer = extended[number].extended()
        if _turns(extended) - extended[number].size + longer.size <= room:
            extended[number] = longer
    return extended


def _turns(exchanges: Sequence[Exchange]) -> int:
    return sum(exchange.size for exchange in exchanges)
