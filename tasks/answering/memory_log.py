"""Memories and the log of what was done to them, refused operations too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from tasks.answering.memory_shapes import Decision
from tasks.contracts.memories import Memory, MemoryKind, MemoryUpdate


@dataclass(frozen=True)
class Observation:
    """A candidate with its place."""

    text: str = field(repr=False)
    time: datetime
    hadm_id: str
    chunk: int
    kind: MemoryKind = "fact"


@dataclass
class MemoryLog:
    """The memories of one patient while they are made."""

    memories: list[Memory] = field(default_factory=list[Memory])
    updates: list[MemoryUpdate] = field(default_factory=list[MemoryUpdate])

    @property
    def active(self) -> list[Memory]:
        """The memories that weren't replaced or deleted."""
        return [one for one in self.memories if one.is_active]

    @property
    def refused(self) -> int:
        """Operations that were refused."""
        return sum(not one.applied for one in self.updates)

    def add(self, seen: Observation, reason: str = "") -> None:
        """Remember a candidate."""
        self._note(seen, "ADD", self._create(seen, seen.text), reason=reason)

    def decide(
        self, seen: Sequence[Observation], shown: Sequence[Memory], decisions: Sequence[Decision]
    ) -> None:
        """Carry out decisions about candidates and the memories shown with them, both by number.

        The first decision about a candidate counts; a candidate without one is added, as nothing
        says that it is known.
        """
        decided: set[int] = set()
        for one in decisions:
            number = one.observation
            if not 1 <= number <= len(seen):
                self._refuse(seen[0], one, "there is no such observation", candidate="")
            elif number in decided:
                self._refuse(seen[number - 1], one, "the observation was decided about before")
            else:
                decided.add(number)
                self._carry_out(seen[number - 1], shown, one)
        for number, observation in enumerate(seen, 1):
            if number not in decided:
                self.add(observation, reason="no decision came")

    def _carry_out(self, seen: Observation, shown: Sequence[Memory], decision: Decision) -> None:
        operation = decision.operation.strip().upper()
        target = self._target(shown, decision.memory)
        if operation == "ADD":
            self.add(seen)
        elif operation == "NOOP":
            self._note(seen, operation, target.memory_id if target else None)
        elif operation not in ("UPDATE", "DELETE"):
            self._refuse(seen, decision, "there is no such operation")
        elif target is None:
            self._refuse(seen, decision, "there is no such memory")
        elif not target.is_active:
            self._refuse(seen, decision, "the memory was replaced or deleted before")
        else:
            self._supersede(target)
            text = " ".join(decision.text.split()) or seen.text
            made = self._create(seen, text) if operation == "UPDATE" else target.memory_id
            self._note(seen, operation, made)

    def _target(self, shown: Sequence[Memory], number: int | None) -> Memory | None:
        if number is None or not 1 <= number <= len(shown):
            return None
        # As it is by now: a decision before this one may have replaced it.
        return self.memories[shown[number - 1].memory_id - 1]

    def _create(self, seen: Observation, text: str) -> int:
        made = Memory(
            memory_id=len(self.memories) + 1,
            text=text,
            time=seen.time,
            hadm_id=seen.hadm_id,
            kind=seen.kind,
            created_by=self._next,
        )
        self.memories.append(made)
        return made.memory_id

    def _supersede(self, memory: Memory) -> None:
        replaced = memory.model_copy(update={"superseded_by": self._next})
        self.memories[memory.memory_id - 1] = replaced

    @property
    def _next(self) -> int:
        return len(self.updates) + 1

    def _refuse(
        self, seen: Observation, decision: Decision, reason: str, candidate: str | None = None
    ) -> None:
        word = " ".join(decision.operation.split())[:_LONGEST_WORD]
        self._note(seen, word, None, applied=False, reason=reason, candidate=candidate)

    def _note(
        self,
        seen: Observation,
        operation: str,
        memory_id: int | None,
        applied: bool = True,
        reason: str = "",
        candidate: str | None = None,
    ) -> None:
        self.updates.append(
            MemoryUpdate(
                number=self._next,
                hadm_id=seen.hadm_id,
                chunk=seen.chunk,
                operation=operation,
                applied=applied,
                reason=reason,
                candidate=seen.text if candidate is None else candidate,
                memory_id=memory_id,
            )
        )


_LONGEST_WORD = 20
