"""Reads staged patients and memories; the last ones stay ready for the next chunk of questions."""

from __future__ import annotations

import threading
from functools import lru_cache

from tasks.adapters.embedders import Embedder, open_embedder
from tasks.adapters.workspace import Workspace
from tasks.answering.patients import ReadyPatient
from tasks.answering.systems import SystemSpec
from tasks.answering.timeline import TimelineText, timeline_text
from tasks.contracts.build import ArtifactRef
from tasks.contracts.evaluation import Baseline, BenchmarkPatient, Strategy
from tasks.contracts.memories import MemoryStore

_PATIENTS_KEPT = 16
"""Some megabytes each: enough for the patients whose questions are answered at once."""

_loading = threading.RLock()


def load_patient(ref: ArtifactRef, workspace: Workspace) -> BenchmarkPatient:
    """A staged patient, questions and gold answers with it."""
    # A cache alone lets every thread of a patient's first moment read it for itself.
    with _loading:
        return _read(ref.path, ref.sha256, workspace.out)


def load_timeline(ref: ArtifactRef, workspace: Workspace) -> TimelineText:
    """A staged patient's timeline, its tokens counted."""
    with _loading:
        return _timeline(ref.path, ref.sha256, workspace.out)


def ready_patient(
    ref: ArtifactRef, memories: ArtifactRef | None, system: SystemSpec, workspace: Workspace
) -> ReadyPatient:
    """A staged patient with the index that a system's strategy needs."""
    with _loading:
        return _ready(
            ref.path,
            ref.sha256,
            workspace.out,
            system.strategy,
            open_embedder(system.embedder, ref.subject_id) if system.embedder else None,
            (memories.path, memories.sha256) if memories else None,
        )


@lru_cache(maxsize=_PATIENTS_KEPT)
def _read(path: str, sha256: str, out: str) -> BenchmarkPatient:
    return Workspace(out=out).load(path, sha256, BenchmarkPatient)


@lru_cache(maxsize=_PATIENTS_KEPT)
def _timeline(path: str, sha256: str, out: str) -> TimelineText:
    return timeline_text(_read(path, sha256, out))


@lru_cache(maxsize=_PATIENTS_KEPT)
def _ready(
    path: str,
    sha256: str,
    out: str,
    strategy: Strategy | Baseline,
    embedder: Embedder | None,
    memories: tuple[str, str] | None,
) -> ReadyPatient:
    store = Workspace(out=out).load(*memories, MemoryStore) if memories else None
    return ReadyPatient(_timeline(path, sha256, out), strategy, embedder, store)
