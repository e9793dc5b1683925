"""What each strategy shows for a question within the room that a prompt has (spec section 9)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Protocol

from tasks.answering.blocks import FENCE_TOKENS, Shown, TurnBlocks
from tasks.answering.ranking import Ranking
from tasks.answering.timeline import TimelineText

TURNS_SHOWN = 40
"""Best turns shown by turn-level retrieval: about one session of the published benchmark."""

MOST_RANKED_TURNS = 200
"""Turns of a ranking that a prediction keeps."""


class View(Protocol):
    """A strategy, ready for the questions it was made for; safe to read from several threads."""

    def show(self, question: str, room_tokens: int) -> Shown:
        """What is shown for a question in so many tokens, fences included."""
        ...


@dataclass(frozen=True)
class FullContext:
    """All turns, or as many of the last ones as fit."""

    timeline: TimelineText
    blocks: TurnBlocks

    def show(self, question: str, room_tokens: int) -> Shown:
        """The longest end of the timeline that fits, found by binary search; the same for all."""
        first = latest_that_fit(self.timeline, 0, len(self.timeline.turns), room_tokens)
        return _shown(self, tuple(range(first, len(self.timeline.turns))), cut=first > 0)


@dataclass(frozen=True)
class _Retrieval:
    """A timeline and, by question, the order in which its parts answer it."""

    timeline: TimelineText
    blocks: TurnBlocks
    rankings: Mapping[str, Ranking]
    split_documents: int


@dataclass(frozen=True)
class AdmissionRetrieval(_Retrieval):
    """Whole admissions: the worst are dropped until the rest fit, which stand in time order."""

    def show(self, question: str, room_tokens: int) -> Shown:
        """The best admissions that fit together; of the best one alone its last turns that do."""
        ranking = self.rankings[question]
        sessions = self.timeline.sessions
        sizes = [self.timeline.tokens_of(sessions[one]) for one in ranking]
        kept = _fitting(sizes, room_tokens - FENCE_TOKENS)
        if kept or not ranking:
            shown = sorted(ranking[:kept])
            positions = tuple(turn for one in shown for turn in sessions[one].positions)
        else:
            best = sessions[ranking[0]]
            first = latest_that_fit(self.timeline, best.first, best.after, room_tokens)
            positions = tuple(range(first, best.after))
        named = tuple(sessions[one].hadm_id for one in ranking)
        cut = len(positions) < len(self.timeline.turns)
        return replace(
            _shown(self, positions, cut),
            ranked_admissions=named,
            split_documents=self.split_documents,
        )


@dataclass(frozen=True)
class TurnRetrieval(_Retrieval):
    """The best single turns, each under the dates of its session, in time order."""

    def show(self, question: str, room_tokens: int) -> Shown:
        """The best turns that fit together, at most ``TURNS_SHOWN``."""
        ranking = self.rankings[question]
        best = ranking[:TURNS_SHOWN]
        kept = _fitting(self._sizes(best), room_tokens - FENCE_TOKENS)
        turns = self.timeline.turns
        found = dict.fromkeys(turns[one].session for one in ranking)
        return replace(
            _shown(self, tuple(sorted(best[:kept])), cut=kept < len(best)),
            split_documents=self.split_documents,
            ranked_admissions=tuple(self.timeline.sessions[one].hadm_id for one in found),
            ranked_turns=tuple(self.timeline.citations[one] for one in ranking[:MOST_RANKED_TURNS]),
        )

    def _sizes(self, best: Ranking) -> Iterable[int]:
        """What each turn adds: its line, and the header of a session that had none yet."""
        seen: set[int] = set()
        for one in best:
            turn = self.timeline.turns[one]
            header = self.timeline.sessions[turn.session].header_tokens
            yield turn.tokens + (header if turn.session not in seen else 0)
            seen.add(turn.session)


def latest_that_fit(timeline: TimelineText, first: int, after: int, room_tokens: int) -> int:
    """The first position from which the turns before ``after`` fit, by binary search."""
    before = timeline.tokens_before
    needed = before[after] - (room_tokens - FENCE_TOKENS)
    return min(after, bisect_left(before, needed, lo=first, hi=after))


def _fitting(sizes: Iterable[int], room_tokens: int) -> int:
    """How many of the first sizes fit together: what is worse than one that doesn't goes too."""
    return sum(total <= room_tokens for total in accumulate(sizes))


def _shown(
    view: FullContext | AdmissionRetrieval | TurnRetrieval, positions: tuple[int, ...], cut: bool
) -> Shown:
    timeline = view.timeline
    sessions = dict.fromkeys(timeline.turns[position].session for position in positions)
    return Shown(
        block=view.blocks.of(positions, with_headers=isinstance(view, TurnRetrieval)),
        turns=len(positions),
        all_turns=len(timeline.turns),
        truncated=cut,
        sessions=tuple(timeline.sessions[one].hadm_id for one in sessions),
    )
