"""The demo's input: a small sample, the same everywhere."""

from __future__ import annotations

from pathlib import Path

from tasks.sample.writing import write_sample

FOLDER = Path("out/demo")
PATIENTS = 8
SEED = 27


def ensure_demo_data(data: Path) -> bool:
    """Write the demo's hosp/ and note/ into ``data``; False where they are there already.

    Raises SettingError where the folder holds something else.
    """
    if (data / "hosp").is_dir() and (data / "note").is_dir():
        return False
    write_sample(data, patients=PATIENTS, seed=SEED)
    return True
