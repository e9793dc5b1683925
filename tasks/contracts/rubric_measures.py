"""What is measured of rubrics (arXiv 2601.15161, section 3). Holds no patient text."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.rubrics import Axis

Decision = Literal["win", "tie", "loss", "error"]
"""Whether a rubric prefers the reference answer; ``error`` where a judge was not readable."""

Measure = Literal["coverage", "discrimination", "refinement"]


class Share(Contract):
    """A share with its n and Wilson's 95 % interval; nulls where n is 0."""

    hits: int = Field(ge=0)
    n: int = Field(ge=0)
    value: float | None = Field(description="hits / n")
    lower: float | None = Field(description="Lower end of the interval")
    upper: float | None = Field(description="Upper end of the interval")


class Interval(Contract):
    """A statistic with its n and a bootstrap 95 % interval; nulls where n is 0."""

    value: float | None
    n: int = Field(ge=0)
    lower: float | None = Field(description="2.5th percentile of the resamples")
    upper: float | None = Field(description="97.5th percentile of the resamples")


class McNemar(Contract):
    """Two rubric sets on the same gold constraints, exact two-sided test."""

    baseline: str = Field(description="The set compared with")
    pairs: int = Field(ge=0, description="Constraints that both were judged on")
    only_this: int = Field(ge=0, description="Covered by this set alone")
    only_baseline: int = Field(ge=0, description="Covered by the baseline alone")
    p_value: float | None = Field(description="Null without pairs")


class CoverageScores(Contract):
    """How far a set covers the gold rubrics."""

    name: str = Field(description="The rubric set")
    queries: int = Field(ge=0, description="Queries with a gold rubric")
    recall: Share = Field(description="CIA: gold constraints that the rubric entails")
    precision: Share = Field(description="Atoms of the rubric that the gold rubric entails")
    f1: float | None = Field(description="Harmonic mean of the two; null where one is")
    by_axis: dict[Axis, Share] = Field(description="CIA by the axis of the gold criterion")
    errors: int = Field(ge=0, description="Constraints and atoms without a readable verdict")
    mcnemar: McNemar | None = Field(default=None, description="Against the chosen baseline")


class RunValues(Contract):
    """What one of six runs made of a pair."""

    trial: int = Field(ge=0, description="0, 1, 2")
    reference_first: bool = Field(description="Whether the reference answer was shown as A")
    reference: float = Field(description="V of the reference answer")
    near_miss: float = Field(description="V of the near-miss")

    @property
    def delta(self) -> float:
        """V(reference) - V(near-miss)."""
        return self.reference - self.near_miss


class PairResult(Contract):
    """All runs of one pair by one judge."""

    query_id: str = Field(description="The query")
    name: str = Field(description="The rubric set")
    judge: str = Field(description="Name of the judge")
    decision: Decision = Field(description="Plurality of the signs of six runs")
    delta: float | None = Field(description="Mean of the runs; null for none and errors")
    runs: tuple[RunValues, ...] = Field(description="The readable runs")
    failed_runs: int = Field(default=0, ge=0, description="Runs without a readable reply")


class DiscriminationScores(Contract):
    """How well a set tells reference answers from near-misses, by one judge."""

    name: str = Field(description="The rubric set; none for a direct comparison")
    judge: str = Field(description="Name of the judge")
    pairs: int = Field(ge=0, description="Pairs judged without an error")
    errors: int = Field(ge=0, description="Pairs of which a run could not be read; in no mean")
    wins: int = Field(ge=0)
    ties: int = Field(ge=0)
    losses: int = Field(ge=0)
    win_rate: Interval = Field(description="Share of wins")
    mean_delta: Interval = Field(description="n 0 for none, which has no weights")
    median_delta: Interval = Field(description="n 0 for none")
    auroc_by_win: float | None = Field(
        description="Label: the decision is a win; score: delta. Null where all pairs fall in "
        "one class"
    )
    auroc_n: int = Field(ge=0, description="Pairs with a delta: of both areas; 0 for none")
    auroc_of_values: float | None = Field(
        description="Label: the answer is the reference; score: its mean V, over all answers"
    )
    positive_deltas: Share = Field(description="P(delta > 0)")


class JudgeAgreement(Contract):
    """How far two judges decide alike on the same pairs."""

    name: str = Field(description="The rubric set")
    first: str = Field(description="A judge")
    second: str = Field(description="Another")
    n: int = Field(ge=0, description="Pairs that both decided")
    agreement: float | None = Field(description="Share of equal decisions")
    kappa: float | None = Field(description="Cohen's kappa; null where chance explains all")


class RubricScore(Contract):
    """HealthBench's score of one answer; null where no criterion has positive points."""

    overall: float | None = Field(description="Points of met criteria over positive points")
    by_axis: dict[Axis, float] = Field(description="Axes with positive points only")


class MeanScore(Contract):
    """A mean of HealthBench scores under both clipping conventions."""

    n: int = Field(ge=0, description="Answers with a score")
    raw: float | None = Field(description="Mean without clipping")
    clip_after_mean: float | None = Field(description="The mean, clipped to 0..1 (HealthBench)")
    clip_each: float | None = Field(description="Mean of the scores, each clipped to 0..1")


class RefinementScores(Contract):
    """Answers before and after they were edited by what a critic found with a rubric."""

    name: str = Field(description="The rubric set; self without a rubric, gold as upper bound")
    queries: int = Field(ge=0, description="Answers judged before and after")
    errors: int = Field(ge=0, description="Answers without a readable critique, edit or verdict")
    before: MeanScore
    after: MeanScore
    gain: Interval = Field(description="Mean of after - before, each clipped to 0..1")
    before_by_axis: dict[Axis, MeanScore]
    after_by_axis: dict[Axis, MeanScore]


class AblationRow(Contract):
    """An ablation beside the whole pipeline, on the queries that both have."""

    name: str = Field(description="The ablation")
    queries: int = Field(ge=0, description="Queries of both")
    cia: float | None = Field(description="CIA minus that of the whole pipeline")
    win_rate: float | None = Field(description="Share of wins, likewise")
    mean_delta: float | None = Field(description="Mean delta, likewise")


class ComponentCost(Contract):
    """What one component took of a model, in all and a query."""

    component: str = Field(description="Role of the pipeline or of the evaluation")
    queries: int = Field(ge=0, description="Queries it worked for")
    calls: int = Field(ge=0, description="Replies")
    input_tokens: int = Field(ge=0, description="Prompt tokens")
    output_tokens: int = Field(ge=0, description="Completion tokens")
    seconds: float = Field(ge=0, description="Latency that the replies report")
