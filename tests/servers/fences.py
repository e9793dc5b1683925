"""Finds the fenced parts of a request's task."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tests.servers.faults import Message

_FENCED = re.compile(r"<<<(?P<mark>[0-9a-f]+) (?P<label>[^\n]*)\n(?P<text>.*?)\n(?P=mark)>>>", re.S)


def fenced_parts(messages: Sequence[Message]) -> dict[str, str]:
    """The texts of a request's task between fences, by label."""
    task = messages[1]["content"]
    return {found["label"]: found["text"] for found in _FENCED.finditer(task)}
