"""What an evaluation would ask its models, judge and embeddings, and what that costs: without
asking, writing or connecting to anything.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from flows.estimates import stage_estimate
from flows.evaluation_access import prices_of_models
from flows.evaluation_expectations import PatientExpectations
from flows.evaluation_settings import EvaluationSettings
from flows.evaluation_systems import asks_a_model, embedder_of, systems_of
from tasks.adapters.llm.prices import PriceTable
from tasks.adapters.llm.unsent import Unsent
from tasks.adapters.models import ModelSpec
from tasks.adapters.tokens import TOKENIZER
from tasks.adapters.workspace import Workspace
from tasks.answering.systems import SystemSpec
from tasks.audit.reading import patient_folders
from tasks.benchmark.reading import read_benchmark_patient, refuse_repeated_patients
from tasks.contracts.evaluation import BenchmarkPatient
from tasks.contracts.usage import Certainty, Estimate, StageEstimate
from tasks.judging.judges import judge_name

_LEAST_CERTAIN: tuple[Certainty, ...] = ("about", "at most", "exact")


@dataclass
class _Row:
    """One line of the estimate: what one model would be asked for one purpose."""

    model: str
    requests: Unsent = field(default_factory=Unsent)
    certainty: Certainty = "exact"

    def add(self, requests: Unsent, certainty: Certainty) -> None:
        self.requests.add(requests)
        self.certainty = _least((self.certainty, certainty))


@dataclass
class _Asked:
    """The systems of an evaluation that a language model is behind, and who judges all of them."""

    settings: EvaluationSettings
    systems: tuple[SystemSpec, ...]
    judge: ModelSpec | None
    rows: dict[str, _Row] = field(default_factory=dict[str, _Row])

    def add(self, read: BenchmarkPatient, replies: Path) -> None:
        """Count what is asked for one patient; ``replies`` is where earlier replies are kept."""
        patient = PatientExpectations(read, replies, self.judge, self.settings.judge_repeats)
        guessed = False
        for system in self.systems:
            if self.judge is None and not asks_a_model(system):
                continue
            answers = patient.answers(system)
            if (memories := answers.memories) is not None:
                guessed |= not memories.known
                row = self._row(f"{system.name}, memories", system.model)
                row.add(memories.requests, "exact" if memories.known else "at most")
            if asks_a_model(system):
                row = self._row(system.name, system.model)
                row.add(answers.requests, "exact" if answers.shown else "at most")
            if self.judge is not None:
                row = self._row(f"judge {judge_name(self.judge)}", self.judge)
                judged = patient.judgments(system, answers)
                row.add(judged, "exact" if answers.known else "at most")
        embedder = embedder_of(self.settings)
        if embedding := [one for one in self.systems if one.embedder == embedder]:
            if embedder.provider == "offline":
                return
            name = f"embeddings {embedder.model}"
            row = self.rows.setdefault(name, _Row(embedder.model))
            # Tasks that run at once may embed the same questions before their vectors are kept.
            alone = len(embedding) == 1 and not guessed
            row.add(patient.embeddings, "exact" if alone else "about")

    def _row(self, name: str, model: ModelSpec | None) -> _Row:
        return self.rows.setdefault(name, _Row(model.model if model else ""))


def estimate_evaluation(
    settings: EvaluationSettings, tell: Callable[[str, int, int], None] | None = None
) -> Estimate:
    """Count every request that an evaluation by these settings would still make.

    Prompts are made as in an evaluation. ``tell`` hears how many patients of how many are counted.
    Raises SettingError, and ReleaseError for a release that can't be read; needs no key.
    """
    paths = settings.evaluation_paths()
    prices = prices_of_models(settings)
    judge = settings.judge_spec()
    judges = judge.provider != "programmatic" and settings.until != "answers"
    asked = _Asked(settings, systems_of(settings), judge if judges else None)
    replies = Workspace(out=os.path.realpath(paths.out)).replies
    folders = patient_folders(paths.release)
    subject_ids: list[str] = []
    admissions, questions = 0, 0
    for number, folder in enumerate(folders, start=1):
        patient = read_benchmark_patient(folder)
        subject_ids.append(patient.subject_id)
        admissions += len(patient.sessions)
        questions += len(patient.questions)
        asked.add(patient, replies)
        if tell is not None:
            tell("estimate", number, len(folders))
    refuse_repeated_patients(subject_ids, paths.release)
    return Estimate(
        model=", ".join(dict.fromkeys(row.model for row in asked.rows.values())),
        tokenizer=TOKENIZER,
        patients=len(folders),
        admissions=admissions,
        questions=questions,
        replies="at most",
        stages=dict(_stages(asked.rows, prices)),
    )


def _stages(
    rows: dict[str, _Row], prices: PriceTable | None
) -> Iterator[tuple[str, StageEstimate]]:
    stages = {name: _stage(row, prices) for name, row in rows.items()}
    yield from stages.items()
    yield "in all", _sum(tuple(stages.values()))


def _stage(row: _Row, prices: PriceTable | None) -> StageEstimate:
    asked = row.requests
    return stage_estimate(
        row.model,
        asked.requests,
        asked.prompt_tokens,
        asked.output_tokens,
        prices,
        overhead_tokens=asked.overhead_tokens,
        kept=asked.kept,
        certainty=row.certainty,
    )


def _sum(stages: tuple[StageEstimate, ...]) -> StageEstimate:
    def usd(costs: Iterator[float | None]) -> float | None:
        known = [one for one in costs if one is not None]
        return round(sum(known), 4) if known else None

    return StageEstimate(
        calls=sum(one.calls for one in stages),
        input_tokens=sum(one.input_tokens for one in stages),
        output_tokens=sum(one.output_tokens for one in stages),
        usd=usd(one.usd for one in stages),
        input_usd=usd(one.input_usd for one in stages),
        kept=sum(one.kept or 0 for one in stages),
        certainty=_least(chain(("exact",), (one.certainty for one in stages))),
    )


def _least(certainties: Iterable[Certainty]) -> Certainty:
    """The least certain of some."""
    return min(certainties, key=_LEAST_CERTAIN.index)
