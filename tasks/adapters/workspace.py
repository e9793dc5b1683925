"""The folders of one output: release/, cache/ and report/."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field

from tasks.adapters.files import canonical_json, make_private, sha256_bytes, write_atomic
from tasks.contracts.base import Contract
from tasks.contracts.build import ArtifactRef
from tasks.contracts.errors import ItemFailed, SettingError

Model = TypeVar("Model", bound=BaseModel)


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
    def staging(self) -> Path:
        """The release being assembled, on the release's own file system."""
        return self.cache / "staging"

    @property
    def scratch(self) -> Path:
        """DuckDB's spill files; emptied after use."""
        return self.cache / "scratch"

    def prepare(self) -> None:
        """Make the folders; the cache is readable by its owner only."""
        make_private(self.cache)
        make_private(self.results)

    def refuse_foreign(self) -> None:
        """Raise SettingError where release/ or cache/ hold something that no build made."""
        for folder, mark in ((self.release, "manifest.json"), (self.cache, "results")):
            if folder.is_dir() and any(folder.iterdir()) and not (folder / mark).exists():
                raise SettingError(
                    f"{folder} holds other data (no {mark}) and would be replaced: "
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
        digest = write_atomic(self.cache / path, canonical_json(value))
        return ArtifactRef(subject_id=subject_id, hadm_id=hadm_id, path=path, sha256=digest)

    def load(self, path: str, sha256: str, model: type[Model]) -> Model:
        """Read a staged file; raises ItemFailed if it is gone or was changed since."""
        try:
            content = (self.cache / path).read_bytes()
        except OSError as error:
            raise ItemFailed(
                f"cache/{path} can't be read ({error.strerror}); delete cache/results and run again"
            ) from None
        if sha256_bytes(content) != sha256:
            raise ItemFailed(f"cache/{path} was changed; delete it and run again")
        return model.model_validate_json(content)

    def forget_stale(self, key: str) -> None:
        """Drop Prefect's record of a result whose staged file is gone, so that it is made again."""
        if not (self.cache / self.artifact_path(key)).is_file():
            (self.results / key).unlink(missing_ok=True)
