"""Figures published for rubrics (arXiv 2601.15161), shown beside ours, never mixed in."""

from __future__ import annotations

from typing import NamedTuple


class PublishedCoverage(NamedTuple):
    """CIA on two sets, precision and F1 on the first, all in percent."""

    method: str
    cia_healthbench: float
    cia_llmeval_med: float
    precision: float
    f1: float


class PublishedAblation(NamedTuple):
    """CIA of an ablation minus that of the whole pipeline, in percentage points."""

    ablation: str
    healthbench: float
    llmeval_med: float


COVERAGE = (
    PublishedCoverage("generic", 4.22, 10.15, 28.57, 7.35),
    PublishedCoverage("direct Llama", 6.28, 13.74, 30.43, 10.42),
    PublishedCoverage("GPT-4o", 40.84, 28.75, 28.00, 33.26),
    PublishedCoverage("whole pipeline", 50.20, 31.90, 29.24, 36.96),
)

ABLATIONS = (
    PublishedAblation("without-router", -3.09, -6.08),
    PublishedAblation("without-atomic", -0.40, -5.18),
    PublishedAblation("without-intent", -14.60, -23.90),
    PublishedAblation("without-audit", -2.01, -11.67),
)

AUROC = 0.977
MEAN_DELTA = 8.658
MEAN_DELTA_GPT4O = 4.972
REFINED_BEFORE = 59.0
REFINED_AFTER = 68.2
