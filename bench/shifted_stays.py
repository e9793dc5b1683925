"""A cohort of any size from one short stay: every further stay is the same one on later days.

Making thousands of different stays takes longer than the fan-out that they are made for. Stay k of
patient p is the first stay, ``p + 128 k`` days later: all of a patient's stays but the first have
the same dialogue, shifted like them, and no two stays of the cohort begin on the same day.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random

from tasks.adapters.files import sha256_bytes
from tasks.adapters.mimic_files import locate_source
from tasks.adapters.mimic_inspection import inspect_files
from tasks.adapters.models import ModelSpec, open_model
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import BundleRef, CohortBuild, CohortRequest, PatientPlan
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.synthesis import RULES, synthesise
from tasks.ehr.staging import stage_cohort
from tasks.sample.writing import write_sample
from tests.servers.faults import Message

SHORTEST, LONGEST, USUAL = 3, 64, 22
"""Chain lengths are drawn from a triangle whose mean of 30 is that of the published benchmark."""

MORE_THAN_SHORTEST = 9.0
"""Mean of what skewed chains have beyond the shortest: most are short, as in a hospital."""

_DAYS_APART = 128
_SAMPLE_PATIENTS, _SAMPLE_SEED = 6, 5
_A_DAY = timedelta(days=1)
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_BEGAN = re.compile(r"The stay began (\d{4}-\d{2}-\d{2})")


def chain_lengths(patients: int, seed: int, *, skewed: bool = False) -> list[int]:
    """Stays of each patient in the order in which they came; shortest and longest are there."""
    random = Random(seed)
    drawn = [
        min(LONGEST, SHORTEST + round(random.expovariate(1 / MORE_THAN_SHORTEST)))
        if skewed
        else round(random.triangular(SHORTEST, LONGEST, USUAL))
        for _ in range(patients - 2)
    ]
    lengths = [SHORTEST, LONGEST, *drawn]
    random.shuffle(lengths)
    return lengths


def shifted(text: str, days: int) -> str:
    """A text with every date in it some days later."""
    return _DATE.sub(
        lambda found: (date.fromisoformat(found[0]) + timedelta(days=days)).isoformat(), text
    )


def short_stay(folder: Path) -> AdmissionRecord:
    """The first stay of less than a day in a small sample, which is written into ``folder``."""
    mimic, workspace = folder / "mimic", Workspace(out=str(folder / "sample"))
    write_sample(mimic, patients=_SAMPLE_PATIENTS, seed=_SAMPLE_SEED)
    workspace.prepare()
    inputs = tuple(file.info() for file in inspect_files(locate_source(mimic, mimic / "note")))
    request = CohortRequest(patients=_SAMPLE_PATIENTS, subject_ids=())
    cohort = stage_cohort(mimic, mimic / "note", inputs, request, workspace)
    for ref in (ref for plan in cohort.patients for ref in plan.bundles):
        record = workspace.load(ref.path, ref.sha256, AdmissionRecord)
        stay = record.bundle.admission_end - record.bundle.admission_start
        if stay < _A_DAY and not record.patient.died_in_hospital:
            return record
    raise LookupError("the sample holds no stay of less than a day")


def stage_chains(record: AdmissionRecord, lengths: Sequence[int], out: Path) -> CohortBuild:
    """Write the records of a cohort's stays into an output's cache."""
    workspace = Workspace(out=str(out))
    workspace.prepare()
    (workspace.cache / "bundles").mkdir(mode=0o700)
    text = record.model_dump_json()
    patients = tuple(
        _plan(record, text, number, length, workspace) for number, length in enumerate(lengths)
    )
    stays = sum(lengths)
    return CohortBuild(
        patients=patients,
        skipped=(),
        skip_counts=(),
        files=(),
        eligible_patients=len(patients),
        eligible_admissions=stays,
    )


def _plan(
    record: AdmissionRecord, text: str, number: int, length: int, workspace: Workspace
) -> PatientPlan:
    subject_id = str(10_000_000 + number)
    refs: list[BundleRef] = []
    for stay in range(length):
        hadm_id, days = str(20_000_000 + 100 * number + stay), number + _DAYS_APART * stay
        renamed = text.replace(record.bundle.hadm_id, hadm_id)
        content = shifted(renamed.replace(record.bundle.subject_id, subject_id), days).encode()
        path = f"bundles/bundles.{hadm_id}.json"
        (workspace.cache / path).write_bytes(content)
        refs.append(
            BundleRef(
                subject_id=subject_id,
                hadm_id=hadm_id,
                admission_start=record.bundle.admission_start + timedelta(days=days),
                path=path,
                sha256=sha256_bytes(content),
            )
        )
    return PatientPlan(subject_id=subject_id, eligible_admissions=length, bundles=tuple(refs))


class ShiftingWriter:
    """Answers for any stay of the cohort with the dialogue that the rules compose for it."""

    def __init__(self, record: AdmissionRecord) -> None:
        model = open_model(ModelSpec(provider="programmatic"), RULES)
        first = synthesise(record, None, model)
        later = _later(record, _DAYS_APART)
        second = synthesise(later, first.summary, model)
        self._begins = record.bundle.admission_start.date()
        self._first, self._second = _reply(first), _reply(second)

    def __call__(self, messages: Sequence[Message]) -> str:
        """The reply to a request for a whole dialogue; LookupError for any other."""
        began = _BEGAN.search(messages[-1]["content"])
        if began is None or len(messages) > 2:
            raise LookupError("the request is not for a whole dialogue")
        days = (date.fromisoformat(began[1]) - self._begins).days
        if days < _DAYS_APART:
            return shifted(self._first, days)
        return shifted(self._second, days - _DAYS_APART)


def _later(record: AdmissionRecord, days: int) -> AdmissionRecord:
    return AdmissionRecord.model_validate_json(shifted(record.model_dump_json(), days))


def _reply(dialogue: AdmissionDialogue) -> str:
    lines = [
        line.model_dump(mode="json", include={"turn_number", "time", "speaker", "text"})
        for line in dialogue.lines
    ]
    summary = dialogue.summary.model_dump(mode="json")
    return json.dumps({"conversation_lines": lines, "summary": summary}, ensure_ascii=False)
