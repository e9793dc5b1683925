"""Stage read of evaluate-rubrics: queries, rubrics and answers in the cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from flows.rubric_run import RubricEvaluationRun
from flows.rubric_settings import RubricEvaluationSettings
from flows.run_settings import required
from tasks.contracts.build import ArtifactRef
from tasks.contracts.errors import SourceError
from tasks.contracts.rubric_results import BaseAnswer
from tasks.contracts.rubrics import GOLD, Query, Rubric, RubricSet, Variant
from tasks.rubrics.reading.answers import read_answers
from tasks.rubrics.reading.checklists import is_checklist_file, read_checklists, read_problems
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.queries import make_query, read_queries
from tasks.rubrics.reading.rubrics import by_query, read_rubrics


@dataclass(frozen=True)
class Inputs:
    """What is evaluated, by query id; ``rubrics`` by set and query, gold among the sets.

    ``missing`` are the queries that a set has no rubric for, whose rubric counts as empty.
    """

    queries: Mapping[str, ArtifactRef]
    rubrics: Mapping[str, Mapping[str, ArtifactRef]]
    variants: Mapping[str, Variant | None]
    missing: Mapping[str, frozenset[str]]
    answers: Mapping[str, ArtifactRef]
    base: Mapping[str, ArtifactRef] | None

    @property
    def sets(self) -> tuple[str, ...]:
        """The evaluated sets, without the gold one."""
        return tuple(name for name in self.rubrics if name != GOLD)


def read_evaluated(run: RubricEvaluationRun) -> Inputs:
    """Read all files; a set without a rubric for a query has an empty one.

    Raises SourceError where no query has a gold rubric.
    """
    settings = run.settings
    with run.stage("read"):
        gold = _read_set(run, required(settings.reference, "reference", "the gold rubrics"), GOLD)
        queries = _queries(run, settings, gold)
        sets = {name: _read_set(run, path, name) for name, path in settings.sets.items()}
        kept = {one.query_id: run.keep("queries", one.query_id, one) for one in queries}
        rubrics = {name: _kept(run, found, queries) for name, found in {GOLD: gold, **sets}.items()}
        asked = {one.query_id: one.question for one in queries}
        answers = {} if settings.answers is None else _answers(run, settings.answers, asked)
        base = None if settings.base is None else _answers(run, settings.base, asked)
        run.count("read", "computed", len(queries))
    return Inputs(
        queries=kept,
        rubrics=rubrics,
        variants={name: found.variant for name, found in sets.items()},
        missing={name: frozenset(kept) - by_query(one, kept).keys() for name, one in sets.items()},
        answers=answers,
        base=base,
    )


def _queries(
    run: RubricEvaluationRun, settings: RubricEvaluationSettings, gold: RubricSet
) -> list[Query]:
    """Queries with a gold rubric; others are counted."""
    path = required(settings.queries, "queries", "the queries that the rubrics are for")
    reference = required(settings.reference, "reference", "the gold rubrics")
    # Ids of checklists are places, which agree by chance with those of any other file.
    problems = read_problems(reference) if is_checklist_file(reference) else {}
    log = ReadingLog(path.name)
    read = read_queries(path, log)
    rubrics = by_query(gold, [one.query_id for one in read])
    found: list[Query] = []
    for one in read:
        rubric = rubrics.get(one.query_id)
        if rubric is None or not rubric.criteria:
            log.refused("no_gold_rubric", one.query_id)
        elif _asks_another(one, problems.get(one.query_id)):
            log.refused("another_problem", one.query_id)
        else:
            found.append(one)
    run.reading += log.counts()
    run.count("read", "skipped", log.refusals)
    if not found:
        raise SourceError(
            f"{path}: no query has a gold rubric in {settings.reference}; the ids have to agree, "
            "and checklists be of the same problems: give the file with their problems"
        )
    return found


def _asks_another(query: Query, problem: str | None) -> bool:
    asked = make_query(query.query_id, problem) if problem else None
    return asked is not None and asked.question != query.question


def _read_set(run: RubricEvaluationRun, path: Path, name: str) -> RubricSet:
    log = ReadingLog(path.name)
    read = read_checklists if is_checklist_file(path) else read_rubrics
    found = read(path, name, log)
    run.reading += log.counts()
    return found


def _kept(
    run: RubricEvaluationRun, found: RubricSet, queries: list[Query]
) -> dict[str, ArtifactRef]:
    log = ReadingLog(found.name)
    rubrics = by_query(found, [one.query_id for one in queries])
    if not rubrics:
        raise SourceError(
            f"{found.name}: no rubric of this set is one to a query with a gold rubric; the ids "
            "have to agree with those of the queries: correct them, or give another file"
        )
    kept: dict[str, ArtifactRef] = {}
    for id in (one.query_id for one in queries):
        if id not in rubrics:
            log.kept("missing_rubric_counts_as_empty", id)
        kept[id] = run.keep("rubrics", id, rubrics.get(id) or Rubric(query_id=id, criteria=()))
    run.reading += log.counts()
    return kept


def _answers(
    run: RubricEvaluationRun, path: Path, questions: Mapping[str, str]
) -> dict[str, ArtifactRef]:
    log = ReadingLog(path.name)
    found = read_answers(path, log, questions)
    run.reading += log.counts()
    if found.keys().isdisjoint(questions):
        raise SourceError(
            f"{path}: no answer is one to a query with a gold rubric; the ids have to agree with "
            "those of the queries: correct them, or give the answers to these queries"
        )
    return {
        query_id: run.keep(
            "answers",
            query_id,
            BaseAnswer(query_id=query_id, answer=text, generator="given"),
        )
        for query_id, text in found.items()
        if query_id in questions
    }
