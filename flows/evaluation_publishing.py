"""Stage report: figures of all systems on this release, as files and artifacts; no patient text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flows.evaluation_answering import Answered, load_answers
from flows.evaluation_cells import ranked
from flows.evaluation_files import (
    PREDICTIONS,
    earlier_usage,
    read_leaderboard,
    write_leaderboard,
    write_predictions,
)
from flows.evaluation_judging import Judged, load_judgments
from flows.evaluation_page import EvaluationFigures, evaluation_markdown, render_evaluation
from flows.evaluation_reading import Benchmark
from flows.evaluation_run import EvaluationRun
from flows.evaluation_systems import model_of
from flows.evaluation_tables import all_tables
from flows.score_lines import write_scores
from flows.table_artifacts import publish_table
from tasks.adapters.files import write_atomic
from tasks.contracts.evaluation import ItemScore, SystemScores
from tasks.contracts.memories import MemoryStore
from tasks.scoring.permutation import compare
from tasks.scoring.summary import SystemUsage, summarise

PAGE = "report.html"
MARKDOWN = "report.md"
SEED = 0


def write_answers(
    run: EvaluationRun, answered: Sequence[Answered], judged: Sequence[Judged] = ()
) -> None:
    """Write every system's answers for people to read, into the private cache."""
    verdicts = {(one.answered.patient.subject_id, one.answered.system.name): one for one in judged}
    for system in run.systems:
        mine = [one for one in answered if one.system.name == system.name]
        write_predictions(
            run.workspace.cache / PREDICTIONS,
            system.name,
            (
                (
                    one.patient.outline,
                    load_answers(run, one),
                    load_judgments(run, found)
                    if (found := verdicts.get((one.patient.subject_id, system.name)))
                    else None,
                )
                for one in mine
            ),
        )


def summarise_benchmark(
    run: EvaluationRun,
    benchmark: Benchmark,
    answered: Sequence[Answered],
    scores: Sequence[ItemScore],
) -> tuple[SystemScores, ...]:
    """The figures of all systems that were ever scored on this release in this output."""
    here = [one for one in scores if one.release == benchmark.digest]
    used = earlier_usage(read_leaderboard(_out(run)), benchmark.digest)
    used |= {one.name: _usage(run, one.name, answered) for one in run.systems}
    return summarise(here, seed=SEED, usage=used)


def publish_scores(
    run: EvaluationRun,
    benchmark: Benchmark,
    scores: Sequence[ItemScore],
    systems: Sequence[SystemScores],
) -> None:
    """Write scores.jsonl and leaderboard.csv; rows of other releases stay."""
    out = _out(run)
    earlier = read_leaderboard(out)
    write_scores(out, scores)
    write_leaderboard(out, benchmark.digest, ranked(systems), earlier)


def publish_evaluation(
    run: EvaluationRun,
    benchmark: Benchmark,
    scores: Sequence[ItemScore],
    systems: Sequence[SystemScores],
) -> Path:
    """Write the report's page and Markdown, and publish its tables; returns the page."""
    here = [one for one in scores if one.release == benchmark.digest]
    with run.stage("report"):
        figures = EvaluationFigures(
            release=benchmark.digest,
            data_class=run.data_class,
            patients=len(benchmark.patients),
            questions=benchmark.questions,
            systems=tuple(systems),
            comparisons=compare(here, seed=SEED),
        )
        page = _out(run) / PAGE
        write_atomic(page, render_evaluation(figures).encode())
        write_atomic(_out(run) / MARKDOWN, evaluation_markdown(figures).encode())
        for table in all_tables(ranked(systems), figures.comparisons):
            publish_table(table)
        run.count("report", "computed", len(systems))
    return page


def _usage(run: EvaluationRun, system: str, answered: Sequence[Answered]) -> SystemUsage:
    """Replies and tokens behind a system's answers and memories, whenever they were asked for."""
    requests, given, written = 0, 0, 0
    for one in answered:
        if one.system.name == system:
            for part in (load_answers(run, one), _memories(run, one)):
                requests += part.requests
                given += part.input_tokens
                written += part.output_tokens
    model = next(model_of(one) for one in run.systems if one.name == system)
    priced = run.prices is not None and requests > 0
    return SystemUsage(
        requests=requests,
        input_tokens=given,
        output_tokens=written,
        usd=run.prices.cost_usd(model, given, written) if priced and run.prices else None,
    )


def _memories(run: EvaluationRun, one: Answered) -> MemoryStore:
    if one.memories is None:
        return MemoryStore(subject_id=one.patient.subject_id, system=one.system.name)
    return run.workspace.load(one.memories.path, one.memories.sha256, MemoryStore)


def _out(run: EvaluationRun) -> Path:
    return Path(run.workspace.out)
