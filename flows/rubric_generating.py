"""Stages of generate-rubrics: queries → steps of the pipeline → traces → rubrics."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from prefect.futures import PrefectFuture

from flows.item_failures import came_from_cache
from flows.parameters import opaque
from flows.progress import current_progress
from flows.rubric_roles import EXAMPLE_CORPUS, generation_specs
from flows.rubric_run import GenerationRun
from flows.run_settings import required
from flows.scheduling import ItemOutcome
from tasks.adapters.models import ModelSpec
from tasks.audit.reading import patient_folders
from tasks.benchmark.reading import read_benchmark_patient
from tasks.contracts.build import ArtifactRef, StageCount
from tasks.contracts.errors import ReleaseError
from tasks.contracts.rubric_trace import RoleOutput, Trace
from tasks.contracts.rubrics import Criterion, Message, Query, Role, Variant
from tasks.rubrics.keys import role_key
from tasks.rubrics.language import language_of
from tasks.rubrics.pipeline.templates import generic_criteria
from tasks.rubrics.pipeline.variants import final_role, reads_of, roles_of
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.ids import plain_id
from tasks.rubrics.reading.queries import read_queries
from tasks.rubrics.retrieval.corpus import pages_without_text
from tasks.rubrics.retrieval.pages import corpus_digest
from tasks.rubrics.retrieval.searching import SearchSpec
from tasks.rubrics.steps import run_step

_PROGRAMMATIC = ModelSpec(provider="programmatic")


@dataclass(frozen=True)
class KeptQuery:
    """A query, and where it lies in the cache."""

    query: Query
    ref: ArtifactRef


@dataclass(frozen=True)
class GenerationInputs:
    """The queries, and where evidence for them is searched for."""

    queries: tuple[KeptQuery, ...]
    search: SearchSpec


@dataclass(frozen=True)
class _Item:
    """One step of one variant for one query."""

    query: KeptQuery
    variant: Variant
    role: Role


def read_inputs(run: GenerationRun) -> GenerationInputs:
    """Read the queries and the pages of the corpus; raises SourceError and ReleaseError."""
    settings = run.settings
    with run.stage("read"):
        if settings.release is not None:
            queries = release_queries(settings.release)
        else:
            path = required(settings.queries, "queries", "a file of queries")
            log = ReadingLog(path.name)
            queries = read_queries(path, log)
            run.reading += log.counts()
            run.count("read", "skipped", log.refusals)
        search = _read_corpus(run)
        kept = tuple(KeptQuery(one, run.keep("queries", one.query_id, one)) for one in queries)
        run.count("read", "computed", len(kept))
    return GenerationInputs(kept, search)


def release_queries(release: Path) -> tuple[Query, ...]:
    """The questions of a release as queries; raises ReleaseError.

    A qa_id that several patients have is led by the patient's.
    """
    asked = [
        (Path(folder).name, one)
        for folder in patient_folders(release)
        for one in read_benchmark_patient(Path(folder)).questions
    ]
    times = Counter(one.qa_id for _, one in asked)
    found: dict[str, Query] = {}
    for patient, one in asked:
        stated = one.qa_id if times[one.qa_id] == 1 else f"{patient}_{one.qa_id}"
        query_id = plain_id(stated)
        if query_id is None or query_id in found:
            raise ReleaseError(
                f"{release}: qa_id {stated!r} is no plain id of letters and digits, or not the "
                "only one; correct it"
            )
        found[query_id] = Query(
            query_id=query_id,
            language=language_of(one.question),
            messages=(Message(speaker="user", text=one.question),),
        )
    return tuple(found.values())


def _read_corpus(run: GenerationRun) -> SearchSpec:
    """Where evidence is searched for; a page that can't be read is told before any step runs."""
    settings = run.settings
    if settings.search == "tavily":
        return SearchSpec(provider="tavily", base_url=settings.tavily_url.rstrip("/"))
    folder = settings.corpus or EXAMPLE_CORPUS
    spec = SearchSpec(
        provider="corpus",
        folder=str(folder.absolute()),
        digest=corpus_digest(folder),
        ranking=settings.ranking,
    )
    log = ReadingLog(folder.name)
    for page in pages_without_text(spec):
        log.refused("page_without_text", page)
    run.reading += log.counts()
    return spec


def run_pipeline(run: GenerationRun, given: GenerationInputs) -> dict[Variant, list[Trace]]:
    """Run every variant's steps for every query; queries that failed are listed and left out."""
    settings, queries = run.settings, given.queries
    steps = _Steps(run, given.search)
    traces: dict[Variant, list[Trace]] = {}
    run.planned = len(queries) * len(settings.variants)
    ran = [role for variant in settings.variants for role in roles_of(variant)]
    with run.stage("pipeline", len(queries) * len(ran)):
        for role in dict.fromkeys(ran):
            run.stages[role] = StageCount()
        for variant in settings.variants:
            steps.run_variant(queries, variant)
            traces[variant] = [
                trace for one in queries if (trace := steps.trace(one, variant)) is not None
            ]
        for role in set(ran):
            done = run.stages[role]
            run.count("pipeline", "computed", done.computed)
            run.count("pipeline", "cached", done.cached)
            run.count("pipeline", "failed", done.failed)
            run.count("pipeline", "skipped", done.skipped)
    run.stop_if_too_many_failed()
    return traces


class _Steps:
    """Submits steps, each when what it reads is there."""

    def __init__(self, run: GenerationRun, search: SearchSpec) -> None:
        self._run = run
        self._search = search
        self._specs = generation_specs(run.settings)
        self._made: dict[tuple[Variant, str, Role], ArtifactRef] = {}
        self._step = run.cached(run_step)

    def run_variant(self, queries: Sequence[KeptQuery], variant: Variant) -> None:
        """A chain of steps a query."""
        chains = [[_Item(one, variant, role) for role in roles_of(variant)] for one in queries]
        self._run.spread([chain for chain in chains if chain], self._submit, self._done)

    def trace(self, kept: KeptQuery, variant: Variant) -> Trace | None:
        """All that led to a rubric; None where a step failed."""
        last = final_role(variant)
        if last is None:
            criteria = generic_criteria(kept.query.language)
            return Trace(query=kept.query, variant=variant, outputs=(), criteria=criteria)
        refs = [self._made.get((variant, kept.query.query_id, role)) for role in roles_of(variant)]
        outputs = tuple(
            self._run.workspace.load(ref.path, ref.sha256, RoleOutput) for ref in refs if ref
        )
        if len(outputs) < len(refs):
            return None
        criteria: tuple[Criterion, ...] = outputs[-1].criteria or ()
        return Trace(query=kept.query, variant=variant, outputs=outputs, criteria=criteria)

    def _submit(self, item: _Item, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        query_id = item.query.query.query_id
        given: dict[Role, ArtifactRef] = {
            role: self._made[item.variant, query_id, role]
            for role in reads_of(item.role, item.variant)
        }
        spec = self._specs.get(item.role, _PROGRAMMATIC)
        asked = (item.role, item.query.ref, item.variant, given, spec, self._search)
        self._run.take_up(role_key(*asked))
        return self._step.submit(
            item.role,
            item.query.ref,
            item.variant,
            opaque(given),
            opaque(spec),
            opaque(self._search),
            self._run.workspace,
        )

    def _done(self, outcome: ItemOutcome[_Item, ArtifactRef]) -> None:
        item = outcome.item
        current_progress().item_ended("pipeline")
        if outcome.result is not None:
            self._made[item.variant, item.query.query.query_id, item.role] = outcome.result
            self._run.count(item.role, "cached" if came_from_cache(outcome.future) else "computed")
            return
        name = f"{item.query.query.query_id} {item.variant}"
        self._run.record_failure(item.role, name, item.query.query.query_id, outcome)
