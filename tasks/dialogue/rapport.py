"""Talk about nothing clinical, for stays whose record gives little to talk about."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tasks.dialogue.exchanges import REQUIRED, Exchange, Phase
from tasks.dialogue.pools import Topic, topics
from tasks.dialogue.turns import Turn
from tasks.dialogue.wording import Phrasebook


def rapport_exchanges(book: Phrasebook) -> Iterator[Exchange]:
    """Exchanges on one topic after another, in an order of the admission's own; endless."""
    while True:
        remaining = list(topics())
        while remaining:
            topic = remaining.pop(book.number(len(remaining)))
            write = partial(_written, topic)
            yield Exchange(Phase.STAY, REQUIRED, len(topic.turns), write, small_talk=True)


def _written(topic: Topic, book: Phrasebook) -> tuple[Turn, ...]:
    return tuple(
        Turn("Patient" if number % 2 else "Doctor", book.phrase(templates))
        for number, templates in enumerate(topic.turns)
    )
