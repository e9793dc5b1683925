"""One run of an evaluation: its systems, judge and release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from flows.evaluation_settings import EvaluationSettings
from flows.run import Run
from flows.session_usage import usage_of
from tasks.adapters.llm.prices import PriceTable
from tasks.adapters.models import ModelSpec
from tasks.answering.systems import SystemSpec
from tasks.contracts.build import OddityCount, Outcome, RunReport
from tasks.contracts.usage import RunUsage

if TYPE_CHECKING:
    from tasks.adapters.llm.embeddings import EmbeddingSession

STAGES = ("read", "memories", "answers", "judgments", "scores", "report")


@dataclass(kw_only=True)
class EvaluationRun(Run[EvaluationSettings]):
    """An evaluation: who answers, who judges, and what it costs."""

    STAGES: ClassVar[tuple[str, ...]] = STAGES
    COSTLY: ClassVar[str] = "answers"
    ITEMS: ClassVar[str] = "chunks of questions"

    systems: tuple[SystemSpec, ...]
    judge: ModelSpec
    prices: PriceTable | None = None
    embeddings: EmbeddingSession | None = None
    oddities: tuple[OddityCount, ...] = ()

    @property
    def is_costly(self) -> bool:
        """Whether the folder holds work of this run that may have been paid for."""
        return bool({"memories", "answers"} & self.stages.keys())

    def report(self, outcome: Outcome, message: str = "") -> RunReport:
        """The run's report, as of now."""
        made = super().report(outcome, message)
        return made.model_copy(update={"oddities": self.oddities})

    def _usage(self, outcome: Outcome) -> RunUsage:
        others = () if self.embeddings is None else (self.embeddings.usage(),)
        return usage_of(self.sessions, with_kept=outcome != "running", others=others)
