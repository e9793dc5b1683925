"""Re-checks a release from its files alone; needs neither Prefect nor the source data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from flows.release_places import Places
from tasks.contracts.build import ExpectationResult, GateResult, Manifest
from tasks.contracts.release import CARD, GATES, MANIFEST, STATISTICS, Problem, ReleaseFacts
from tasks.contracts.statistics import PatientFigures, ReleaseStatistics
from tasks.gates.suites import expected_results, run_gate
from tasks.gates.tables.bundles import bundle_tables
from tasks.gates.tables.dialogues import dialogue_tables
from tasks.gates.tables.questions import question_tables
from tasks.gates.tables.release import release_tables
from tasks.gates.tables.source import source_tables
from tasks.gates.tables.timelines import timeline_tables
from tasks.release.card import render_card
from tasks.release.counts import compare_counts
from tasks.release.loading import REBUILD, LoadedPatient, LoadedRelease, load_release
from tasks.release.statistics import measure_patient, summarise_release

Tables = dict[str, pl.DataFrame]

_JUDGED = ("source", "cohort", "bundles", "dialogues", "timelines", "questions", "audits")
"""Gates that a release was published on, in their order."""

_STAGES = ("bundles", "dialogues", "timelines", "questions")


@dataclass
class _Walk:
    """What a walk over the patients leaves behind: tables, figures and places, no text."""

    tables: dict[str, list[Tables]] = field(default_factory=lambda: {one: [] for one in _STAGES})
    figures: list[PatientFigures] = field(default_factory=list[PatientFigures])
    problems: list[Problem] = field(default_factory=list[Problem])
    places: Places = field(default_factory=Places)
    complete: bool = True
    turns_asked: tuple[int, int] | None = None


def verify_release(folder: Path) -> list[Problem]:
    """Everything that is wrong with a release, by file and place; empty where all is well.

    Checks layout, digests, contracts, the gates from bundles to release, statistics and card.
    Raises ReleaseError where the folder is no release at all.
    """
    release = load_release(folder)
    walk = _walk(release)
    statistics = summarise_release(walk.figures)
    manifest = release.manifest if walk.complete else None
    counts = compare_counts(manifest, statistics) if manifest else []
    tables = {stage: _joined(parts) for stage, parts in walk.tables.items() if parts}
    tables["release"] = release_tables(release.files, counts)
    if release.manifest is not None:
        tables["source"] = source_tables(release.manifest.inputs.values())
    problems = [*release.problems, *walk.problems]
    found = {stage: run_gate(stage, given) for stage, given in tables.items()}
    for gate in found.values():
        problems += _gate_problems(gate, walk)
    if walk.complete:
        problems += _statement_problems(release, statistics)
    if walk.complete and release.manifest is not None and release.gates is not None:
        problems += _verdict_problems(release.manifest, release.gates.gates, found)
    return problems


def _walk(release: LoadedRelease) -> _Walk:
    """Read the patients one at a time."""
    walk = _Walk(complete=release.manifest is not None)
    if release.manifest is not None:
        walk.turns_asked = release.manifest.turn_range
    for patient in release.patients():
        walk.problems += patient.problems
        _take_in(walk, patient)
    return walk


def _take_in(walk: _Walk, patient: LoadedPatient) -> None:
    sessions, questions = patient.sessions, patient.questions
    if sessions is None or questions is None:
        walk.complete = False
    if sessions is not None:
        walk.places.add_sessions(sessions)
        bundles = [one.bundle for one in sessions.dialogues]
        walk.tables["bundles"].append(bundle_tables([bundles], died_in=()))
        walk.tables["dialogues"].append(dialogue_tables([sessions.dialogues], walk.turns_asked))
        walk.tables["timelines"].append(timeline_tables([sessions]))
    if sessions is not None and questions is not None:
        walk.places.add_questions(questions)
        walk.tables["questions"].append(question_tables([(sessions.dialogues, questions)]))
        walk.figures.append(measure_patient(sessions.timeline, questions.benchmark))


def _joined(parts: list[Tables]) -> Tables:
    return {name: pl.concat([part[name] for part in parts]) for name in parts[0]}


def _gate_problems(gate: GateResult, walk: _Walk) -> Iterator[Problem]:
    """A problem for every failing row that the gate names.

    Verdicts on whole tables, such as row counts, are left out where a file could not be read: its
    own problem says why rows are missing.
    """
    for result in gate.results:
        if result.success or not (result.first_ids or result.error or walk.complete):
            continue
        what = _words(result)
        if not result.first_ids:
            yield Problem(path="", where=result.table, what=what, remedy=REBUILD)
        for row_id in result.first_ids:
            path, where = walk.places.locate(result, row_id)
            yield Problem(path=path, where=where, what=what, remedy=_remedy(result))


def _words(result: ExpectationResult) -> str:
    if result.error:
        return f"could not be evaluated: {result.expectation}: {result.error}"
    more = result.failed_rows - len(result.first_ids)
    also = f"; {more} more" if more > 0 else ""
    return f"broken: {result.notes} ({result.column or result.expectation}{also})"


def _remedy(result: ExpectationResult) -> str:
    if (result.table, result.column) == ("release_files", "expected"):
        return "delete the file; it is no part of a release"
    return REBUILD


def _statement_problems(release: LoadedRelease, found: ReleaseStatistics) -> Iterator[Problem]:
    """Compare stats.json and README.md with what the other files give."""
    manifest, statistics = release.manifest, release.statistics
    if statistics is not None and statistics != found:
        for place in _differences(statistics, found):
            yield Problem(
                path=STATISTICS,
                where=place,
                what="not what the conversations and questions give",
                remedy=REBUILD,
            )
    if manifest is not None and not _card_fits(release.folder / CARD, manifest, found):
        what = f"not the card that {MANIFEST} and {STATISTICS} give"
        yield Problem(path=CARD, where="", what=what, remedy=REBUILD)


def _differences(stated: ReleaseStatistics, found: ReleaseStatistics) -> list[str]:
    """The parts that differ; for patients, which of them."""
    parts = [
        name
        for name in ReleaseStatistics.model_fields
        if name != "patients" and getattr(stated, name) != getattr(found, name)
    ]
    before = {one.subject_id: one for one in stated.patients}
    after = {one.subject_id: one for one in found.patients}
    patients = [one for one in sorted(before | after) if before.get(one) != after.get(one)]
    if not patients and stated.patients != found.patients:
        return [*parts, "patients"]
    return [*parts, *(f"patients, subject_id {one}" for one in patients)]


def _card_fits(path: Path, manifest: Manifest, found: ReleaseStatistics) -> bool:
    facts = ReleaseFacts(
        name=manifest.name,
        generator=manifest.generator,
        model=manifest.model,
        data_class=manifest.data_class,
        recipe=manifest.recipe,
        inputs=tuple(manifest.inputs.values()),
        skipped=manifest.skipped,
        skip_counts=manifest.skip_counts,
        oddities=manifest.oddities,
        substitutions=manifest.substitutions,
        turn_range=manifest.turn_range,
        code_questions=manifest.code_questions,
    )
    return not path.is_file() or path.read_bytes() == render_card(facts, found).encode("utf-8")


def _verdict_problems(
    manifest: Manifest, gates: tuple[GateResult, ...], found: dict[str, GateResult]
) -> Iterator[Problem]:
    """A release is published on passed gates, all of them; the manifest says the same."""
    for gate in gates:
        if not gate.success or not all(one.success for one in gate.results):
            what = "published although the gate failed"
            yield Problem(path=GATES, where=gate.stage, what=what, remedy=REBUILD)
    verdicts = {gate.stage: "passed" if gate.success else "failed" for gate in gates}
    if verdicts != manifest.gates:
        what = f"not the verdicts of {GATES}"
        yield Problem(path=MANIFEST, where="gates", what=what, remedy=REBUILD)
    if tuple(gate.stage for gate in gates) != _JUDGED:
        what = f"expected one verdict each on {', '.join(_JUDGED)}, found others"
        yield Problem(path=GATES, where="gates", what=what, remedy=REBUILD)
    rows = {stage: gate.rows for stage, gate in found.items()}
    rows["cohort"] = manifest.counts.get("patients", 0)
    rows["source"] = len(manifest.inputs)
    # A gate also judged what was set aside after it.
    set_aside = any(item.outcome == "failed" for item in manifest.skipped)
    for gate in gates:
        if gate.stage not in rows:
            continue
        beyond = gate.rows - rows[gate.stage]
        if beyond < 0 or (beyond and not set_aside) or gate.results != expected_results(gate.stage):
            what = "not the rows and expectations of the gate, each met once"
            yield Problem(path=GATES, where=gate.stage, what=what, remedy=REBUILD)
