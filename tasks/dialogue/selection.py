"""Which exchanges a dialogue has room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tasks.dialogue.exchanges import REQUIRED, Exchange
from tasks.dialogue.wording import Phrasebook


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
    room = maximum - 2 * book.number(max(1, (maximum - minimum) // 4))
    chosen = _most_important(exchanges, room)
    kept = [exchange for number, exchange in enumerate(exchanges) if number in chosen]
    aim = min(room, minimum + 2 * book.number(max(1, (room - minimum) // 2)))
    kept = _with_questions(kept, aim, room, book)
    while _turns(kept) < aim:
        addition = next(rapport)
        if _turns(kept) + len(addition.turns) <= maximum:
            kept.append(addition)
    return kept


def _most_important(exchanges: Sequence[Exchange], room: int) -> set[int]:
    order = sorted(
        range(len(exchanges)), key=lambda number: (-exchanges[number].importance, number)
    )
    chosen: set[int] = set()
    turns = 0
    for number in order:
        size = len(exchanges[number].turns)
        if exchanges[number].importance >= REQUIRED or turns + size <= room:
            chosen.add(number)
            turns += size
    return chosen


def _with_questions(kept: list[Exchange], aim: int, room: int, book: Phrasebook) -> list[Exchange]:
    """Longer forms, drawn by lot, until the aim is met; a third of them at most if it is."""
    extended = list(kept)
    candidates = [number for number, exchange in enumerate(kept) if exchange.longer]
    while candidates and _turns(extended) < aim:
        number = candidates.pop(book.number(len(candidates)))
        longer = extended[number].extended()
        if _turns(extended) - len(extended[number].turns) + len(longer.turns) <= room:
            extended[number] = longer
    return extended


def _turns(exchanges: Sequence[Exchange]) -> int:
    return sum(len(exchange.turns) for exchange in exchanges)
