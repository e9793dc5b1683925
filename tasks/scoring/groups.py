"""Groups of questions that are reported apart."""

from __future__ import annotations

from tasks.contracts.evaluation import ItemScore

UNCITED = "no cited admission"
"""Of questions whose evidence names no admission of the timeline."""

POSITIONS = ("first third", "middle third", "last third", "single session", UNCITED)
SPANS = ("one admission", "next admission", "2-4 admissions on", "5 or more admissions on", UNCITED)
LENGTHS = ("under 8k", "8k-16k", "16k-32k", "32k-64k", "64k-128k", "128k or more")

_SPAN_ENDS = (0, 1, 4)
_LENGTH_ENDS = (8_000, 16_000, 32_000, 64_000, 128_000)


def position_group(item: ItemScore) -> str:
    """Where the last cited admission lies in the timeline."""
    if _is_uncited(item):
        return UNCITED
    position = item.evidence_position
    if position is None:
        return POSITIONS[3]
    return POSITIONS[min(int(position * 3), 2)]


def span_group(item: ItemScore) -> str:
    """How far the last cited admission is from the first one."""
    if _is_uncited(item):
        return UNCITED
    return SPANS[sum(item.evidence_span_admissions > end for end in _SPAN_ENDS)]


def length_group(item: ItemScore) -> str:
    """Length of the timeline in o200k_base tokens."""
    return LENGTHS[sum(item.timeline_tokens >= end for end in _LENGTH_ENDS)]


def _is_uncited(item: ItemScore) -> bool:
    """With one session there is nothing to tell apart: whatever a question is about is in it."""
    return item.evidence_position is None and item.timeline_sessions > 1
