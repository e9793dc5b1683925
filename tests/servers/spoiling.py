"""Spoils the content of a reply as language models and their servers do."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from tests.servers.faults import Fault


def spoil(content: str, fault: Fault | None) -> str:
    """The content with a fault in it; unchanged where the fault isn't one of content."""
    if fault is Fault.FENCED:
        return (
            f"<think>{{two}} speakers</think>\nHere it is:\n```json\n{content}\n```\nThat's {{it}}."
        )
    if fault is Fault.LONE_SURROGATE:
        return content.replace('"text": "', '"text": "\\ud83d ', 1)
    change = _CHANGES.get(fault) if fault else None
    if change is None:
        return content
    reply = json.loads(content)
    change(reply)
    return json.dumps(reply, ensure_ascii=False)


def _drop_last_field(reply: dict[str, Any]) -> None:
    reply.popitem()


def _third_speaker(reply: dict[str, Any]) -> None:
    for line in _middle(reply)[:1]:
        line["speaker"] = "Nurse"


def _time_back(reply: dict[str, Any]) -> None:
    for line in _middle(reply)[:1]:
        day_before = datetime.fromisoformat(line["time"]) - timedelta(days=1)
        line["time"] = day_before.isoformat(sep=" ")


def _turn_gap(reply: dict[str, Any]) -> None:
    for line in _middle(reply):
        line["turn_number"] += 1


def _middle(reply: dict[str, Any]) -> list[dict[str, Any]]:
    """The second half of the turns; none of a reply that is no dialogue."""
    lines = reply.get("conversation_lines", [])
    return lines[len(lines) // 2 :]


_CHANGES: dict[Fault, Callable[[dict[str, Any]], None]] = {
    Fault.SHAPE_BROKEN: _drop_last_field,
    Fault.THIRD_SPEAKER: _third_speaker,
    Fault.TIME_BACK: _time_back,
    Fault.TURN_GAP: _turn_gap,
}
