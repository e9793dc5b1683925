"""What memory strategies show for a question: the summary and the best memories, in time order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tasks.adapters.prompts import fenced
from tasks.adapters.tokens import count_tokens
from tasks.answering.blocks import FENCE_TOKENS, Block, Shown, fenced_block
from tasks.answering.memory_building import memory_line
from tasks.answering.ranking import Ranking
from tasks.answering.timeline import context_line
from tasks.contracts.memories import Memory
from tasks.terminology.splitting import split_words

RECALLED = 64
MEMORIES_SHOWN = 32


@dataclass(frozen=True)
class MemoryRecall:
    """The memories of a patient, ranked for the questions of a request."""

    summary: str
    memories: tuple[Memory, ...]
    rankings: Mapping[str, Ranking]
    all_turns: int
    split_documents: int

    def show(self, question: str, room_tokens: int) -> Shown:
        """The summary and the 32 best of the 64 that are nearest, less those without room.

        Of memories that say the same in other order or case, one is shown: add-only stores hold
        many. Where there is no room even for the summary, it is left out.
        """
        ranking = self.rankings[question]
        best = self._distinct(ranking[:RECALLED])[:MEMORIES_SHOWN]
        summary = fenced(self.summary, "summary of all stays") + "\n" if self.summary else ""
        room = room_tokens - FENCE_TOKENS - count_tokens(summary)
        cut = room < 0
        if cut:
            summary, room = "", room_tokens - FENCE_TOKENS
        kept = self._fitting(best, room)
        shown = sorted(kept, key=lambda one: (one.time, one.memory_id))
        named = dict.fromkeys(self.memories[place].hadm_id for place in ranking)
        return Shown(
            block=_block(summary, shown),
            turns=0,
            all_turns=self.all_turns,
            truncated=cut or len(kept) < len(best),
            sessions=tuple(dict.fromkeys(one.hadm_id for one in shown)),
            summary=self.summary if summary else "",
            ranked_admissions=tuple(named),
            split_documents=self.split_documents,
        )

    def _distinct(self, ranking: Ranking) -> list[Memory]:
        found: dict[tuple[str, ...], Memory] = {}
        for place in ranking:
            memory = self.memories[place]
            found.setdefault((memory.hadm_id, *sorted(split_words(memory.text))), memory)
        return list(found.values())

    def _fitting(self, best: Sequence[Memory], room_tokens: int) -> list[Memory]:
        kept: list[Memory] = []
        for memory in best:
            room_tokens -= count_tokens(context_line(memory_line(memory)))
            if room_tokens < 0:
                break
            kept.append(memory)
        return kept


def _block(summary: str, shown: Sequence[Memory]) -> Block:
    lines = tuple(map(memory_line, shown))
    written = [context_line(one) for one in lines]
    pieces = [(one, count_tokens(one)) for one in written]
    block = fenced_block(pieces, "notes of the conversations", lines)
    return replace(block, text=summary + block.text, tokens=count_tokens(summary) + block.tokens)
