"""Talk about nothing clinical, for stays whose record gives little to talk about."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.dialogue.exchanges import REQUIRED, Exchange, Phase, Turn
from tasks.dialogue.wording import Phrasebook, topics


def rapport_exchanges(book: Phrasebook) -> Iterator[Exchange]:
    """Exchanges on one topic after another, in an order of the admission's own; endless."""
    while True:
        remaining = list(topics())
        while remaining:
            topic = remaining.pop(book.number(len(remaining)))
            turns = tuple(
                Turn("Patient" if number % 2 else "Doctor", book.phrase(templates))
                for number, templates in enumerate(topic.turns)
            )
            yield Exchange(Phase.STAY, REQUIRED, turns, small_talk=True)
