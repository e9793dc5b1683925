"""Writes a release's files in the published layout (spec section 8)."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from tasks.adapters.files import sha256_file, write_unsynced
from tasks.contracts.build import GateResult, Manifest, ManifestFile
from tasks.contracts.release import (
    CARD,
    GATES,
    MANIFEST,
    STATISTICS,
    GateReport,
    PatientQuestions,
    PatientSessions,
    ReleaseFacts,
)
from tasks.contracts.statistics import ReleaseStatistics
from tasks.release.canonical import published_json
from tasks.release.card import render_card
from tasks.release.counts import count_release


def stage_patient(folder: Path, sessions: PatientSessions, questions: PatientQuestions) -> None:
    """Write one patient's files below ``folder``, in a folder of the patient's id."""
    base = folder / sessions.timeline.subject_id
    _write(base / "combined_conversation.json", sessions.timeline)
    _write(base / "patient_summary.json", sessions.summary)
    _write(base / "cross_admission_qa.json", questions.cross)
    _write(base / "benchmark_qa.json", questions.benchmark)
    for dialogue in sessions.dialogues:
        admission = base / dialogue.bundle.hadm_id
        _write(admission / "formed_packet.json", dialogue.bundle)
        _write(admission / "prompt_record.json", dialogue.prompt_record)
        _write(admission / "conversation.json", dialogue.conversation())
        _write(admission / "summary.json", dialogue.summary)
        _write(admission / "evidence.json", dialogue.evidence)
        _write(admission / "qa.json", questions.admissions[dialogue.bundle.hadm_id])


def finish_release(
    folder: Path,
    facts: ReleaseFacts,
    statistics: ReleaseStatistics,
    gates: tuple[GateResult, ...],
) -> Manifest:
    """Write gates.json, stats.json, README.md and last manifest.json beside the patients.

    Nothing in them depends on when, where or by whom the release was made.
    """
    _write(folder / GATES, GateReport(gates=gates))
    _write(folder / STATISTICS, statistics)
    write_unsynced(folder / CARD, render_card(facts, statistics).encode("utf-8"))
    manifest = build_manifest(folder, facts, statistics, gates)
    _write(folder / MANIFEST, manifest)
    return manifest


def build_manifest(
    folder: Path,
    facts: ReleaseFacts,
    statistics: ReleaseStatistics,
    gates: tuple[GateResult, ...],
) -> Manifest:
    """The manifest of the files as they lie in ``folder``."""
    paths = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )
    return Manifest(
        name=facts.name,
        generator=facts.generator,
        model=facts.model,
        data_class=facts.data_class,
        recipe=facts.recipe,
        inputs={file.table: file for file in sorted(facts.inputs, key=lambda one: one.table)},
        counts=count_release(statistics),
        skipped=facts.skipped,
        skip_counts=facts.skip_counts,
        oddities=facts.oddities,
        gates={gate.stage: "passed" if gate.success else "failed" for gate in gates},
        substitutions=dict(sorted(facts.substitutions.items())),
        turn_range=facts.turn_range,
        code_questions=facts.code_questions,
        files={path: _listed(folder / path) for path in paths if path != MANIFEST},
    )


def _listed(path: Path) -> ManifestFile:
    return ManifestFile(sha256=sha256_file(path), bytes=path.stat().st_size)


def _write(path: Path, value: BaseModel) -> None:
    write_unsynced(path, published_json(value))
