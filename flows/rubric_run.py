"""One run of a flow of rubrics: what it read, and its queries in the cache."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

from pydantic import BaseModel

from flows.rubric_settings import (
    GenerationSettings,
    RubricEvaluationSettings,
    RubricSettings,
)
from flows.run import Run
from tasks.adapters.recipe import step_key
from tasks.contracts.build import ArtifactRef, SkippedItem
from tasks.contracts.errors import TooManyFailed
from tasks.contracts.rubrics import ROLES, ReadingCount

S = TypeVar("S", bound=RubricSettings)

GENERATION_STAGES = ("read", "pipeline", *ROLES, "report")
EVALUATION_STAGES = (
    "read",
    "constraints",
    "coverage",
    "near-misses",
    "pairs",
    "base-answers",
    "base-scores",
    "refinements",
    "report",
)


@dataclass(kw_only=True)
class RubricRun(Run[S]):
    """A run of either flow."""

    reading: list[ReadingCount] = field(default_factory=list[ReadingCount])

    def keep(self, kind: str, query_id: str, value: BaseModel) -> ArtifactRef:
        """Stage something of a query, by its content."""
        key = step_key(kind, query_id, [value.model_dump_json()])
        self.used.add(key)
        return self.workspace.store(key, value, subject_id=query_id)


@dataclass(kw_only=True)
class GenerationRun(RubricRun[GenerationSettings]):
    """A run of generate-rubrics; ``planned`` is how many rubrics it is to make."""

    STAGES: ClassVar[tuple[str, ...]] = GENERATION_STAGES
    COSTLY: ClassVar[str] = "pipeline"
    ITEMS: ClassVar[str] = "steps"

    planned: int = 0

    def stop_if_too_many_failed(self) -> None:
        """Raise TooManyFailed where too large a share of the rubrics could not be made.

        Not of the steps: a query that fails in its last step lacks its rubric as one that fails in
        its first.
        """
        failed = [one for one in self.items_in_order() if one.outcome == "failed"]
        lost, limit = len({one.id for one in failed}), self.settings.failed_share_limit
        if lost > limit * self.planned:
            raise TooManyFailed(
                f"{lost} of {self.planned} rubrics could not be made; the limit is {limit:.0%} "
                f"(setting failed_share_limit). First: {failed[0].id}, {failed[0].reason}"
            )


@dataclass(kw_only=True)
class RubricEvaluationRun(RubricRun[RubricEvaluationSettings]):
    """A run of evaluate-rubrics."""

    STAGES: ClassVar[tuple[str, ...]] = EVALUATION_STAGES
    COSTLY: ClassVar[str] = "constraints"
    ITEMS: ClassVar[str] = "rubrics"

    @property
    def is_costly(self) -> bool:
        """Whether the folder holds work of this run: which measures are taken is the user's."""
        return bool(set(self.stages) - {"read"})

    def set_unread_aside(
        self, stage: str, item: str, query_id: str, reason: str, *, whole: bool
    ) -> None:
        """List a result that lacks a verdict; ``whole`` if nothing of it can be counted."""
        if whole:
            # Such results are not kept, but a run that was killed before it said so leaves some.
            self.count(stage, "computed" if self.stages[stage].computed else "cached", -1)
            self.count(stage, "failed")
        self.items.append(
            SkippedItem(id=item, subject_id=query_id, stage=stage, outcome="failed", reason=reason)
        )

    def stop_if_too_many_failed(self) -> None:
        """Raise TooManyFailed where too large a share of one stage's items failed."""
        limit = self.settings.failed_share_limit
        for stage, done in self.stages.items():
            planned = done.computed + done.cached + done.failed + done.skipped
            if stage != "read" and done.failed > limit * planned:
                first = next(one for one in self.items_in_order() if one.stage == stage)
                raise TooManyFailed(
                    f"{done.failed} of {planned} {stage} failed; the limit is {limit:.0%} (setting "
                    f"failed_share_limit). First: {first.id}, {first.reason}"
                )
