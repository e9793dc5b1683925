"""Stage read: profiles and guidelines of one language → chunks of profiles in the cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flows.preconsult_run import PreconsultRun
from flows.preconsult_settings import PreconsultSettings
from tasks.adapters.recipe import step_key
from tasks.contracts.build import ArtifactRef, SkippedItem
from tasks.contracts.errors import SourceError
from tasks.contracts.preconsultation import Guideline, PatientProfile, ProfileChunk
from tasks.gates.tables.preconsult import profile_tables
from tasks.preconsultation.reading import (
    ReadProfiles,
    read_aliases,
    read_guidelines,
    read_profiles,
)

LARGEST_CHUNK = 10
"""Profiles of one task at most: 520 make 52 tasks a stage."""

_MANY = 50


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some profiles with the guidelines, and where they lie in the cache."""

    ref: ArtifactRef
    content: ProfileChunk

    @property
    def name(self) -> str:
        """The first profile's pid."""
        return self.ref.subject_id


@dataclass(frozen=True)
class Patients:
    """What is interviewed: how profiles were placed, and their chunks."""

    read: ReadProfiles
    guidelines: tuple[Guideline, ...]
    chunks: tuple[Chunk, ...]


def read_inputs(settings: PreconsultSettings) -> tuple[ReadProfiles, tuple[Guideline, ...]]:
    """Profiles and guidelines; raises SourceError where none of the profiles can be used."""
    paths = settings.preconsult_paths()
    guidelines = read_guidelines(paths.guidelines, settings.language)
    aliases = None if settings.aliases is None else read_aliases(settings.aliases)
    read = read_profiles(paths.profiles, settings.language, guidelines, aliases)
    if not read.profiles:
        first = read.refused[0]
        raise SourceError(
            f"{paths.profiles}: none of its {len(read.refused)} profiles can be used; the first, "
            f"{first.pid}: {first.reason}"
        )
    return read, guidelines


def chunk_size(profiles: int) -> int:
    """Profiles of one task: few enough that even a small run keeps many requests in flight.

    It depends on nothing else, or the cache of a run would be of no use to another.
    """
    return min(LARGEST_CHUNK, max(1, profiles // _MANY))


def read_patients(run: PreconsultRun) -> Patients:
    """Read profiles, list those that are refused, and pass the profiles gate."""
    with run.stage("read"):
        read, guidelines = read_inputs(run.settings)
        run.set_aside(
            SkippedItem(
                id=one.pid, subject_id=one.pid, stage="read", outcome="skipped", reason=one.reason
            )
            for one in read.refused
        )
        run.count("read", "skipped", len(read.refused))
        run.count("read", "computed", len(read.profiles))
        size = chunk_size(len(read.profiles))
        starts = range(0, len(read.profiles), size)
        parts = [read.profiles[start : start + size] for start in starts]
        chunks = tuple(stored_chunk(run, part, guidelines) for part in parts)
    run.gate("preconsult_profiles", profile_tables(one.content for one in chunks))
    return Patients(read, guidelines, chunks)


def stored_chunk(
    run: PreconsultRun, profiles: Sequence[PatientProfile], guidelines: Sequence[Guideline]
) -> Chunk:
    """A chunk of profiles, written to the cache."""
    content = ProfileChunk(
        language=run.settings.language, profiles=tuple(profiles), guidelines=tuple(guidelines)
    )
    pid = profiles[0].pid
    key = step_key("profiles", pid, [content.model_dump_json()])
    run.used.add(key)
    return Chunk(run.workspace.store(key, content, subject_id=pid), content)
