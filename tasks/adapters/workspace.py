"""The folders of one output: release/, cache/ and report/."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError

from tasks.adapters.files import (
    make_private,
    remove,
    remove_unfinished,
    sha256_bytes,
    sha256_file,
    write_atomic,
)
from tasks.contracts.base import Contract
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.errors import ItemFailed, SettingError

Model = TypeVar("Model", bound=BaseModel)

REPLIES = "replies"

_RECORD_FIELDS = {"storage_key", "expiration", "serializer", "prefect_version"}


class Workspace(Contract):
    """Where one output's files lie. ``cache`` holds patient text and is closed to other users."""

    out: str = Field(description="The output folder")

    @property
    def release(self) -> Path:
        """The published benchmark."""
        return Path(self.out) / "release"

    @property
    def report(self) -> Path:
        """What runs did: run.json and pages."""
        return Path(self.out) / "report"

    @property
    def cache(self) -> Path:
        """Resumable work."""
        return Path(self.out) / "cache"

    @property
    def results(self) -> Path:
        """Prefect's result records: references to staged files, by cache key."""
        return self.cache / "results"

    @property
    def replies(self) -> Path:
        """What a language model answered, by request; kept so that nothing is paid for twice."""
        return self.cache / REPLIES

    @property
    def staging(self) -> Path:
        """The release being assembled, on the release's own file system."""
        return self.cache / "staging"

    @property
    def scratch(self) -> Path:
        """DuckDB's spill files; emptied after use."""
        return self.cache / "scratch"

    def prepare(self) -> None:
        """Make the folders; the cache is readable by its owner only.

        Removes what a killed run left half-written.
        """
        make_private(self.cache)
        make_private(self.results)
        make_private(self.replies)
        for folder in (self.cache, self.report):
            remove_unfinished(folder)

    def refuse_unusable(self) -> None:
        """Raise SettingError for a folder that can't be written, before any work is done."""
        for folder in (self.cache, self.results, self.release, self.report):
            if os.path.lexists(folder) and not folder.is_dir():
                raise SettingError(f"{folder} is a file: move it away, or choose another output")
            if folder.is_dir() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                raise SettingError(
                    f"{folder} can't be written: give yourself the right to, or choose another "
                    "output folder"
                )

    def refuse_foreign(self) -> None:
        """Raise SettingError where release/ or cache/ hold something that no build made."""
        for folder, *marks in ((self.release, "manifest.json"), (self.cache, "results", REPLIES)):
            marked = any((folder / mark).exists() for mark in marks)
            if folder.is_dir() and any(folder.iterdir()) and not marked:
                raise SettingError(
                    f"{folder} holds other data (no {marks[0]}) and would be replaced: "
                    "give another folder as out, or move it away"
                )

    def artifact_path(self, key: str) -> str:
        """Path of a staged file below the cache, from its cache key ``domain.id.digest``."""
        domain = key.split(".", 1)[0]
        return f"{domain}/{key}.json"

    def store(
        self, key: str, value: BaseModel, *, subject_id: str, hadm_id: str | None = None
    ) -> ArtifactRef:
        """Write a staged file atomically; returns the reference that travels between tasks."""
        path = self.artifact_path(key)
        make_private((self.cache / path).parent)
        if (self.cache / path).is_dir():
            remove(self.cache / path)
        digest = write_atomic(self.cache / path, value.model_dump_json().encode())
        return ArtifactRef(subject_id=subject_id, hadm_id=hadm_id, path=path, sha256=digest)

    def load(self, path: str, sha256: str, model: type[Model]) -> Model:
        """Read a staged file; raises ItemFailed if it is gone, changed or of another shape."""
        try:
            content = (self.cache / path).read_bytes()
        except OSError as error:
            raise ItemFailed(
                f"cache/{path} can't be read ({error.strerror}); delete cache/results and run again"
            ) from None
        if sha256_bytes(content) != sha256:
            raise ItemFailed(f"cache/{path} was changed; delete it and run again")
        try:
            return model.model_validate_json(content)
        except ValidationError:
            # What it says may be patient text.
            raise ItemFailed(
                f"cache/{path} is no {model.__name__} of this program, though its record says so; "
                "delete it and run again"
            ) from None

    def forget_stale(self, key: str) -> None:
        """Drop a result whose record is damaged, or whose staged file is gone or was changed.

        It is only a copy of work that can be done again: then it is.
        """
        record = self.results / key
        if not os.path.lexists(record):
            return
        ref = _staged(record)
        if ref is None or ref.path != self.artifact_path(key) or not self.holds(ref):
            self.forget(key)

    def forget_result(self, key: str) -> None:
        """Drop Prefect's record alone: the next run does the work again, this one has its file."""
        remove(self.results / key)

    def forget(self, key: str) -> None:
        """Drop a result: Prefect's record and the staged file."""
        remove(self.results / key)
        remove(self.cache / self.artifact_path(key))

    def holds(self, ref: ArtifactRef | BundleRef) -> bool:
        """Whether a staged file is there, as it was written."""
        try:
            return sha256_file(self.cache / ref.path) == ref.sha256
        except OSError:
            return False


def _staged(record: Path) -> ArtifactRef | None:
    """The reference in one of Prefect's result records; None where it can't be read."""
    try:
        content = json.loads(record.read_bytes())
        if not _RECORD_FIELDS.issubset(content["metadata"]):
            return None
        return ArtifactRef.model_validate(json.loads(content["result"])["data"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
