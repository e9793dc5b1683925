"""One run of a build: what it knows beside what every run does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from flows.run import Run
from flows.settings import Settings
from tasks.adapters.models import ModelSpec
from tasks.contracts.build import STAGES, OddityCount, Outcome, RunReport, SkipCount
from tasks.contracts.usage import Estimate

if TYPE_CHECKING:
    from flows.asking import AskingEarly


@dataclass(kw_only=True)
class BuildRun(Run[Settings]):
    """A build: its model, what its source lacked, and questions that are asked early."""

    STAGES: ClassVar[tuple[str, ...]] = STAGES
    COSTLY: ClassVar[str] = "dialogues"
    ITEMS: ClassVar[str] = "admissions"

    spec: ModelSpec
    skip_counts: tuple[SkipCount, ...] = ()
    oddities: tuple[OddityCount, ...] = ()
    early: AskingEarly | None = None
    estimate: Estimate | None = None

    def report(self, outcome: Outcome, message: str = "") -> RunReport:
        """The run's report, as of now."""
        return (
            super()
            .report(outcome, message)
            .model_copy(
                update={
                    "skip_counts": self.skip_counts,
                    "oddities": self.oddities,
                    "estimate": self.estimate,
                }
            )
        )
