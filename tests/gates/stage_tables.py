"""Sound tables of every gate, made from the two fabricated patients."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from tasks.adapters.files import read_model
from tasks.contracts.build import Manifest
from tasks.gates.tables.bundles import bundle_tables
from tasks.gates.tables.cohort import cohort_tables
from tasks.gates.tables.dialogues import dialogue_tables
from tasks.gates.tables.questions import question_tables
from tasks.gates.tables.release import release_tables
from tasks.gates.tables.source import source_tables
from tasks.gates.tables.timelines import timeline_tables
from tasks.release.counts import compare_counts
from tasks.release.inventory import take_inventory
from tasks.release.statistics import measure_patient, summarise_release
from tests.factories.releases import (
    SUBJECTS,
    cohort_build,
    patient_questions,
    patient_sessions,
    source_files,
    write_release,
)

Tables = dict[str, pl.DataFrame]


@cache
def sound_tables() -> dict[str, Tables]:
    """By stage, then table."""
    sessions = [patient_sessions(one) for one in SUBJECTS]
    questions = [patient_questions(one) for one in SUBJECTS]
    dialogues = [one.dialogues for one in sessions]
    return {
        "source": source_tables(source_files()),
        "cohort": cohort_tables(cohort_build()),
        "bundles": bundle_tables([[d.bundle for d in one] for one in dialogues], died_in=()),
        "dialogues": dialogue_tables(dialogues),
        "timelines": timeline_tables(sessions),
        "questions": question_tables(zip(dialogues, questions, strict=True)),
        "release": _release_tables(),
    }


def _release_tables() -> Tables:
    with TemporaryDirectory() as name:
        folder = write_release(Path(name))
        manifest = read_model(folder / "manifest.json", Manifest)
        statistics = summarise_release(
            measure_patient(patient_sessions(one).timeline, patient_questions(one).benchmark)
            for one in SUBJECTS
        )
        return release_tables(
            take_inventory(folder, manifest), compare_counts(manifest, statistics)
        )
