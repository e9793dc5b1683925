"""How long reading a source takes beside ``gzip -dc``, and how much memory it needs at most.

Writes a source whose discharge.csv.gz holds the asked number of megabytes, reads it as a build does
(every byte inspected, then DuckDB's pass) and unpacks the same file with gzip in the same run.

    .venv/bin/python bench/read_source.py [--megabytes 40] [--folder DIR]
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import random
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from tasks.adapters.mimic_files import locate_source
from tasks.adapters.mimic_inspection import inspect_files
from tasks.adapters.mimic_tables import HOSP_TABLES, NOTE_TABLES
from tasks.contracts.build import CohortRequest
from tasks.ehr.cohort import open_cohort

STAYS_A_PATIENT = 4
NOTE_CHARACTERS = 10_500
WORDS = [f"{a}{b}{c}" for a in "bdfglmnprst" for b in ("a", "e", "io", "ou") for c in "ckmnrst"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure reading a source.")
    parser.add_argument("--megabytes", type=int, default=40, help="size of discharge.csv.gz")
    parser.add_argument("--folder", type=Path, default=None, help="keep the source there")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as scratch:
        folder = given.folder or Path(scratch) / "mimic"
        if not (folder / "note/discharge.csv.gz").exists():
            write_source(folder, given.megabytes << 20)
        measure(folder, Path(scratch))


def measure(folder: Path, scratch: Path) -> None:
    packed = folder / "note/discharge.csv.gz"
    begun = time.perf_counter()
    subprocess.run(["gzip", "-dc", str(packed)], stdout=subprocess.DEVNULL, check=True)
    unpacking = time.perf_counter() - begun
    begun = time.perf_counter()
    files = inspect_files(locate_source(folder))
    inspecting = time.perf_counter() - begun
    before = peak_megabytes()
    begun = time.perf_counter()
    with open_cohort(files, CohortRequest(), scratch / "work") as cohort:
        admissions = sum(len(patient.stays) for patient in cohort.patients)
    loading = time.perf_counter() - begun
    notes = next(file.records for file in files if file.file.table == "discharge")
    print(f"discharge.csv.gz {packed.stat().st_size / 1e6:.0f} MB, {notes} notes")
    print(f"gzip -dc of it         {unpacking:6.1f} s")
    print(f"inspecting every byte  {inspecting:6.1f} s  {inspecting / unpacking:.2f} x gzip")
    print(f"one pass for a cohort  {loading:6.1f} s  {loading / unpacking:.2f} x gzip")
    print(f"both                   {(inspecting + loading) / unpacking:.2f} x gzip")
    print(f"{admissions} admissions of {len(cohort.patients)} patients kept")
    print(f"peak memory {before:.0f} MB after inspecting, {peak_megabytes():.0f} MB at the end")


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def write_source(folder: Path, packed_bytes: int) -> None:
    """Invented records; only discharge notes are many, every other table is in proportion."""
    tables = {table.name: table for table in (*HOSP_TABLES, *NOTE_TABLES)}
    streams = {name: io.StringIO(newline="") for name in tables if name != "discharge"}
    writers = {name: csv.writer(stream, lineterminator="\n") for name, stream in streams.items()}
    for name, writer in writers.items():
        writer.writerow(tables[name].columns)
    writers["d_icd_diagnoses"].writerow(["0042", "9", "Invented title"])
    dice = random.Random(1)
    for table in tables.values():
        (folder / table.folder).mkdir(parents=True, exist_ok=True)
    path = folder / "note/discharge.csv.gz"
    partial = path.with_suffix(".part")
    with (
        partial.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
        io.TextIOWrapper(packed, "utf-8", newline="") as text,
    ):
        notes = csv.writer(text, lineterminator="\n")
        notes.writerow(tables["discharge"].columns)
        number = 0
        while raw.tell() < packed_bytes:
            number += 1
            subject, stay = 90_000_000 + number // STAYS_A_PATIENT, 80_000_000 + number
            day = f"{2110 + number % STAYS_A_PATIENT}-03-0"
            writers["admissions"].writerow(
                [subject, stay, f"{day}1 08:00:00", f"{day}4 16:00:00", *[""] * 11, "0"]
            )
            if number % STAYS_A_PATIENT == 0 or number == 1:
                writers["patients"].writerow([subject, "F", "60", "2110", "", ""])
            writers["diagnoses_icd"].writerow([subject, stay, "1", "0042", "9"])
            seq = number % STAYS_A_PATIENT + 1
            notes.writerow(
                [
                    f"{subject}-DS-{seq}",
                    subject,
                    stay,
                    "DS",
                    seq,
                    f"{day}4 00:00:00",
                    "",
                    note(dice),
                ]
            )
    for name, stream in streams.items():
        (folder / tables[name].folder / f"{name}.csv").write_text(stream.getvalue(), "utf-8")
    partial.rename(path)


def note(dice: random.Random) -> str:
    """Words in lines, about as long and as dense as a discharge summary."""
    length = int(dice.uniform(0.4, 1.6) * NOTE_CHARACTERS)
    words = " ".join(dice.choices(WORDS, k=length // 4))
    lines = [words[at : at + 76] for at in range(0, len(words), 76)]
    return "Brief Hospital Course:\n" + "\n".join(lines) + '\nSaid "x", and left.\n'


if __name__ == "__main__":
    main()
