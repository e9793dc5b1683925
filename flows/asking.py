"""How questions are asked for: after all dialogues by rules, or one after another by a model."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from prefect.futures import PrefectFuture

from flows.build_run import BuildRun
from flows.parameters import opaque
from flows.scheduling import Follower, ItemOutcome
from tasks.contracts.build import ArtifactRef, BundleRef, CohortBuild, PatientPlan
from tasks.contracts.release import PatientSources
from tasks.qa.keys import (
    ACROSS,
    across_key,
    admission_key,
    lexicon_key,
    questions_key,
    record_lexicon_key,
)
from tasks.qa.steps import (
    ask_across,
    ask_admission,
    draw_lexicon,
    draw_record_lexicon,
    write_questions,
)

FEWEST_SESSIONS = 2
"""A patient with fewer sessions is set aside (spec section 7)."""

Asked = tuple[PatientSources, str]
"""A patient and the admission asked about, or ACROSS."""


class Asking(Protocol):
    """Submits the questions about an admission or across a patient's admissions."""

    @property
    def lexicon(self) -> ArtifactRef:
        """The cohort's targets."""
        ...

    def submit(self, asked: Asked) -> PrefectFuture[ArtifactRef]:
        """The questions asked for, or the answer to an earlier submission of the same."""
        ...


class AskingAfterwards:
    """Rules draw their targets from all dialogues, so they ask once there are all of them."""

    def __init__(self, run: BuildRun, patients: Sequence[PatientSources]) -> None:
        self._run = run
        self._step = run.cached(write_questions)
        run.take_up(lexicon_key(patients))
        self._lexicon = run.cached(draw_lexicon)(opaque(tuple(patients)), run.workspace)

    @property
    def lexicon(self) -> ArtifactRef:
        """Drawn from what the dialogues state."""
        return self._lexicon

    def submit(self, asked: Asked) -> PrefectFuture[ArtifactRef]:
        """Ask now."""
        patient, about = asked
        run = self._run
        run.take_up(questions_key(patient, about, self._lexicon, run.spec))
        return self._step.submit(opaque(patient), about, self._lexicon, run.spec, run.workspace)


class AskingEarly:
    """A model draws its targets from the records, so an admission is asked about at once.

    That is as soon as its dialogue is accepted, and a patient's admissions together once all of
    them have ended. The stage "questions" takes these answers up.
    """

    def __init__(self, run: BuildRun, cohort: CohortBuild) -> None:
        self._run = run
        self._plans = {plan.subject_id: plan for plan in cohort.patients}
        self._ended: dict[str, list[ItemOutcome[BundleRef, ArtifactRef]]] = defaultdict(list)
        self._futures: dict[tuple[str, str], PrefectFuture[ArtifactRef]] = {}
        self._admission = run.cached(ask_admission)
        self._across = run.cached(ask_across)
        records = tuple(plan.bundles for plan in cohort.patients)
        run.take_up(record_lexicon_key(records))
        self._lexicon = run.cached(draw_record_lexicon)(opaque(records), run.workspace)

    @property
    def lexicon(self) -> ArtifactRef:
        """Drawn from the records."""
        return self._lexicon

    def follow(self, done: ItemOutcome[BundleRef, ArtifactRef]) -> list[Follower]:
        """What can be asked now that a dialogue has ended."""
        plan = self._plans[done.item.subject_id]
        ended = self._ended[plan.subject_id]
        ended.append(done)
        ready: list[Follower] = []
        if done.result is not None:
            ready.append(self._follower(_sources(plan, [done]), done.item.hadm_id, [done.item]))
        if len(ended) == len(plan.bundles):
            sources = _sources(plan, ended)
            if len(sources.dialogues) >= FEWEST_SESSIONS:
                ready.append(self._follower(sources, ACROSS, sources.bundles))
        return ready

    def submit(self, asked: Asked) -> PrefectFuture[ArtifactRef]:
        """What was asked during the dialogues, or ask now."""
        patient, about = asked
        future = self._futures.get((patient.subject_id, about))
        return future if future is not None else self._ask(patient, about)

    def _follower(
        self, sources: PatientSources, about: str, weighed: Sequence[BundleRef]
    ) -> Follower:
        cache = self._run.workspace.cache
        return Follower(
            weight=_SHARE_OF_A_DIALOGUE * sum(_bytes(cache / one.path) for one in weighed),
            start=lambda: self._ask(sources, about),
            settle=_nothing,
        )

    def _ask(self, patient: PatientSources, about: str) -> PrefectFuture[ArtifactRef]:
        run = self._run
        if about == ACROSS:
            run.take_up(across_key(patient, self._lexicon, run.spec))
            future = self._across.submit(opaque(patient), self._lexicon, run.spec, run.workspace)
        else:
            records = self._plans[patient.subject_id].bundles
            [dialogue] = [ref for ref in patient.dialogues if ref.hadm_id == about]
            run.take_up(admission_key(records, dialogue, self._lexicon, run.spec))
            future = self._admission.submit(
                opaque(records), dialogue, self._lexicon, run.spec, run.workspace
            )
        self._futures[patient.subject_id, about] = future
        return future


_SHARE_OF_A_DIALOGUE = 0.25
"""Questions about a stay take about a quarter of what its dialogue takes."""


def _sources(
    plan: PatientPlan, ended: Sequence[ItemOutcome[BundleRef, ArtifactRef]]
) -> PatientSources:
    done = {one.item.hadm_id: one.result for one in ended if one.result is not None}
    bundles = [bundle for bundle in plan.bundles if bundle.hadm_id in done]
    return PatientSources(
        subject_id=plan.subject_id,
        bundles=tuple(bundles),
        dialogues=tuple(done[bundle.hadm_id] for bundle in bundles),
    )


def _bytes(path: Path) -> float:
    return float(path.stat().st_size)


def _nothing(_outcome: ItemOutcome[Follower, Any]) -> None:
    """The stage "questions" counts and lists what became of it."""
