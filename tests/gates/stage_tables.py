"""Sound tables of every gate, made from the two fabricated patients."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from tasks.adapters.files import read_model
from tasks.contracts.build import Manifest
from tasks.gates.tables.release import release_tables
from tasks.release.counts import compare_counts
from tasks.release.inventory import take_inventory
from tasks.release.statistics import measure_patient, summarise_release
from tests.factories import audits
from tests.factories.released_patients import SUBJECTS, patient_sessions
from tests.factories.released_questions import patient_questions
from tests.factories.releases import stage_tables, write_release

Tables = dict[str, pl.DataFrame]


@cache
def sound_tables() -> dict[str, Tables]:
    """By stage, then table."""
    return {**stage_tables(), "audits": audits.tables(), "release": _release_tables()}


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
