"""What is evaluated: a model with a way of showing it the timeline, or a baseline."""

from __future__ import annotations

from typing import Self, TypeGuard, get_args

from pydantic import Field, model_validator

from tasks.adapters.embedders import EmbedderSpec, embedder_recipe
from tasks.adapters.models import ModelSpec, model_name, model_recipe
from tasks.adapters.recipe import digest, domain_recipe
from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError
from tasks.contracts.evaluation import Baseline, Budget, Strategy

BASELINES: tuple[Baseline, ...] = get_args(Baseline)
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
MEMORY_STRATEGIES: tuple[Strategy, ...] = ("mem0", "mem0-star", "mem-alpha")
DENSE_STRATEGIES: tuple[Strategy, ...] = ("dense", "dense-turns")

UNREAD: tuple[Baseline, ...] = ("always-abstain", "question-only")
"""Baselines that look at no timeline."""

QUESTIONS_A_CALL = 10
"""How many questions a model answers at once where all of them are shown the same."""


class SystemSpec(Contract):
    """Names a system: everything beside the release that decides its answers."""

    strategy: Strategy | Baseline = Field(description="How the timeline is shown, or a baseline")
    model: ModelSpec | None = Field(default=None, description="The model; null for a baseline")
    budget: Budget = Field(default=Budget(), description="Token limits of the model")
    embedder: EmbedderSpec | None = Field(
        default=None,
        description="Embedder of the dense strategies; the memory ones search by words without",
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if is_baseline(self.strategy) and (self.model or self.embedder):
            raise SettingError(f"{self.strategy} is a baseline: it takes no model and no embedder")
        if not is_baseline(self.strategy) and self.model is None:
            raise SettingError(f"strategy {self.strategy}: no model is named, give one")
        if self.strategy in DENSE_STRATEGIES and self.embedder is None:
            raise SettingError(f"strategy {self.strategy}: no embedder is named, give one")
        if self.embedder and self.strategy not in (*DENSE_STRATEGIES, *MEMORY_STRATEGIES):
            raise SettingError(f"strategy {self.strategy} uses no embedder: leave it out")
        if self.budget.prompt_tokens <= 0:
            raise SettingError(
                f"context_tokens {self.budget.context_tokens}: nothing is left for a prompt beside "
                f"{self.budget.output_tokens} output tokens and a margin of "
                f"{self.budget.margin_tokens}; lower these, or use a model with a larger context"
            )
        return self

    @property
    def name(self) -> str:
        """``model/strategy``, or the baseline's name."""
        return f"{model_name(self.model)}/{self.strategy}" if self.model else self.strategy

    @property
    def remembers(self) -> bool:
        """Whether memories have to be built before it can answer."""
        return self.strategy in MEMORY_STRATEGIES

    @property
    def questions_a_call(self) -> int:
        """Questions asked at once: one where what is shown depends on the question."""
        return QUESTIONS_A_CALL if self.strategy in ("full-context", "extractive") else 1


def is_baseline(strategy: Strategy | Baseline) -> TypeGuard[Baseline]:
    """Whether it is one of the baselines."""
    return strategy in BASELINES


def system_recipe(system: SystemSpec) -> str:
    """Digest of all that decides a system's answers, wherever its model is served."""
    return digest(
        [
            domain_recipe("answering"),
            system.strategy,
            model_recipe(system.model) if system.model else "",
            embedder_recipe(system.embedder),
            system.budget.model_dump_json(),
        ]
    )
