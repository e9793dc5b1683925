"""What a server saw of each request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.servers.faults import Message


@dataclass
class Recorded:
    """One request; times are seconds since the server's start, a null status is no response."""

    number: int
    path: str
    digest: str
    """SHA-256 of the body: two requests with one digest asked the same."""
    body: Any
    received_seconds: float
    answered_seconds: float | None = None
    status: int | None = None
    outcome: str = "open"
    """``ok``, a fault's name, an error's code, ``busy``, or ``abandoned`` by the client."""
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def messages(self) -> Sequence[Message]:
        """The messages that were sent."""
        return self.body["messages"]


def append_line(log: Path, record: Recorded) -> None:
    """Add a request to a file of JSON lines, without its text."""
    line = asdict(record)
    del line["body"]
    with log.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(line) + "\n")
