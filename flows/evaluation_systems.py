"""The systems of an evaluation: every model with every strategy, and the baselines."""

from __future__ import annotations

from collections.abc import Iterator

from flows.evaluation_settings import EvaluationSettings
from flows.model_settings import OPENAI_URL
from tasks.adapters.embedders import EmbedderSpec
from tasks.adapters.models import model_name
from tasks.answering.systems import (
    BASELINES,
    DENSE_STRATEGIES,
    MEMORY_STRATEGIES,
    SystemSpec,
)
from tasks.contracts.evaluation import Budget

QUESTIONS_A_TASK = 20
"""Of a language model: what a kill loses, and what waits for one worker."""


def systems_of(settings: EvaluationSettings) -> tuple[SystemSpec, ...]:
    """What is evaluated; the baselines always, as nothing is a result without them.

    Raises SettingError where a model's context leaves no room for a prompt.
    """
    return (*_asked(settings), *(SystemSpec(strategy=one) for one in BASELINES))


def embedder_of(settings: EvaluationSettings) -> EmbedderSpec:
    """The embedder of the dense and memory strategies: an endpoint's, or the offline one."""
    if settings.embeddings_model is None:
        return EmbedderSpec()
    url = settings.embeddings_url or settings.base_url
    return EmbedderSpec(
        provider="openai",
        model=settings.embeddings_model,
        base_url=(url or OPENAI_URL).rstrip("/"),
        server=settings.server or ("generic" if url else "openai"),
    )


def model_of(system: SystemSpec) -> str:
    """Name of a system's model; empty for a baseline."""
    return model_name(system.model) if system.model else ""


def questions_a_task(system: SystemSpec, questions: int) -> int:
    """How many of a patient's questions are answered in one task: all of them by rules."""
    return QUESTIONS_A_TASK if asks_a_model(system) else questions


def asks_a_model(system: SystemSpec) -> bool:
    """Whether a language model answers, not rules."""
    return system.model is not None and system.model.provider != "programmatic"


def _asked(settings: EvaluationSettings) -> Iterator[SystemSpec]:
    budget = Budget(
        context_tokens=settings.context_tokens,
        output_tokens=settings.output_tokens,
        margin_tokens=settings.margin,
    )
    embedder = embedder_of(settings)
    for model in settings.model_specs():
        for strategy in settings.strategy:
            embeds = strategy in (*DENSE_STRATEGIES, *MEMORY_STRATEGIES)
            yield SystemSpec(
                strategy=strategy,
                model=model,
                budget=budget,
                embedder=embedder if embeds else None,
            )
