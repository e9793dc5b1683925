"""One run of a pre-consultation, from its folder to its report."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, TypeVar

from flows.cache_cleaning import key_of
from flows.preconsult_access import (
    access_to_models,
    profiles_data_class,
    refuse_unusable_models,
)
from flows.preconsult_files import PAGE
from flows.preconsult_settings import PreconsultSettings
from flows.run import Run
from flows.run_lifecycle import close_run, open_output
from tasks.adapters.models import ModelSpec
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, RunReport
from tasks.contracts.errors import GateFailed
from tasks.contracts.preconsultation import (
    ComparedSet,
    DiagnosisSet,
    InterviewSet,
    OrganizedSet,
)
from tasks.preconsultation.failures import may_pass

Work = TypeVar("Work", InterviewSet, OrganizedSet, ComparedSet, DiagnosisSet)

STAGES = ("read", "interviews", "facts", "matches", "diagnoses", "scores", "report")


@dataclass(kw_only=True)
class PreconsultRun(Run[PreconsultSettings]):
    """A pre-consultation: its doctors, and who plays every other role."""

    STAGES: ClassVar[tuple[str, ...]] = STAGES
    COSTLY: ClassVar[str] = "interviews"
    ITEMS: ClassVar[str] = "chunks of profiles"

    doctors: tuple[ModelSpec, ...]
    roles: ModelSpec

    def load(self, ref: ArtifactRef, kind: type[Work]) -> Work:
        """A stage's work; where an answer only came too late, the next run does it again.

        Otherwise a dialogue would stay without scores though the server is well again.
        """
        staged = self.workspace.load(ref.path, ref.sha256, kind)
        if may_pass(staged):
            self.workspace.forget_result(key_of(ref.path))
        return staged


@contextmanager
def open_preconsultation(settings: PreconsultSettings) -> Generator[PreconsultRun]:
    """Hold the output folder for a pre-consultation, with access to its models.

    Raises SettingError before anything is written or connected.
    """
    paths = settings.preconsult_paths()
    data_class = profiles_data_class(settings)
    refuse_unusable_models(settings, data_class)

    def begin(workspace: Workspace) -> PreconsultRun:
        return PreconsultRun(
            settings=settings,
            workspace=workspace,
            data_class=data_class,
            started=datetime.now(UTC),
            doctors=settings.doctor_specs(),
            roles=settings.role_spec(),
        )

    with open_output(paths.out, settings, begin) as run, access_to_models(run):
        yield run


def close_preconsultation(run: PreconsultRun, incomplete: GateFailed | None) -> RunReport:
    """Report a pre-consultation that came to its end.

    Raises ``incomplete`` where too much is missing for figures to stand for their profiles, and
    TooManyFailed.
    """
    if incomplete is not None:
        raise GateFailed(
            f"{incomplete}\nthe figures are written, incomplete rows are listed: "
            f"{Path(run.workspace.out) / PAGE}",
            incomplete.result,
        )
    return close_run(run)
