"""A build of the paper's size, cold and again: 100 patients of about 30 admissions.

Writes the sample, builds it with a fresh Prefect home and server, builds it again, and prints for
both: wall time, the client's peak memory, what was computed, where the client's CPU time went, and
the cold build's time beside that of the same admissions through the plain functions, without
Prefect, gates or files (measured on the first patients, in the same run).

    .venv/bin/python bench/paper_scale.py [--patients 100] [--scale 8.4] [--folder DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

SEED = 5
BASELINE_PATIENTS = 5
GATE_FAILED = 1
MEGABYTE = 1024


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a build of the paper's size.")
    parser.add_argument("--patients", type=int, default=100)
    parser.add_argument("--scale", type=float, default=8.4, help="8.4 gives 30 admissions each")
    parser.add_argument("--folder", type=Path, default=None, help="keep sample and output there")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure_build(*given.measure)
        return
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as scratch:
        compare(given.folder or Path(scratch), given.patients, given.scale)


def compare(folder: Path, patients: int, scale: float) -> None:
    from tasks.sample.writing import write_sample

    mimic, out = folder / "mimic", folder / "out"
    report = write_sample(mimic, patients=patients, seed=SEED, scale=scale)
    admissions = next(file.rows for file in report.files if file.name.endswith("admissions.csv"))
    print(f"{patients} patients, {admissions} admissions, {os.cpu_count()} cores")
    environment = {**os.environ, "PREFECT_HOME": str(folder / "prefect")}
    environment.pop("PREFECT_API_URL", None)
    try:
        for name in ("cold", "again"):
            command = [sys.executable, __file__, "--measure", str(mimic), str(out)]
            ended = subprocess.run(command, env=environment, check=False).returncode
            # A gate's verdict on what was built changes nothing in what it cost.
            if ended not in (0, GATE_FAILED):
                sys.exit(ended)
            show(name, json.loads((out / "measured.json").read_text()))
    finally:
        stop = [sys.executable, "-m", "flows.cli", "server", "stop"]
        subprocess.run(stop, env=environment, check=False, stdout=subprocess.DEVNULL)
    stages = json.loads((out / "report" / "run.json").read_text())["stages"]
    print(f"again, computed: { {name: stages[name]['computed'] for name in CACHED} }")
    seconds, done = plain_functions(out)
    whole = seconds / done * admissions
    print(
        f"the plain functions alone: {seconds:.1f} s for {done} admissions, {whole:.0f} s for all"
    )


CACHED = ("bundles", "dialogues", "timelines", "questions")


def show(name: str, measured: Mapping[str, float]) -> None:
    shares = {key[4:]: value for key, value in measured.items() if key.startswith("cpu ")}
    total = sum(shares.values())
    print(f"{name}: {measured['seconds']:.0f} s, client at most {measured['megabytes']:.0f} MB")
    for part, seconds in sorted(shares.items(), key=lambda one: -one[1]):
        print(f"    {part:24s} {seconds:6.1f} s CPU {seconds / total:6.0%}")


def measure_build(mimic: str, out: str) -> None:
    from bench.cpu_shares import CpuShares
    from flows.cli import main as anamnesis

    shares = CpuShares()
    shares.start()
    begun = time.perf_counter()
    code = anamnesis(["build", "--mimic", mimic, "--out", out])
    seconds = time.perf_counter() - begun
    shares.stop()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    measured = {"seconds": seconds, "megabytes": peak}
    measured |= {f"cpu {part}": spent for part, spent in shares.seconds.items()}
    (Path(out) / "measured.json").write_text(json.dumps(measured))
    if code:
        sys.exit(code)


def plain_functions(out: Path) -> tuple[float, int]:
    """Dialogues and questions of the first patients, from the records a build has staged."""
    from tasks.adapters.models import ModelSpec, open_model
    from tasks.contracts.build import CohortBuild
    from tasks.contracts.questions import (
        AdmissionQuestionsInput,
        ChartAdmission,
        CrossQuestionsInput,
        Lexicon,
        PatientChart,
    )
    from tasks.contracts.records import AdmissionRecord
    from tasks.dialogue.steps import RULES as DIALOGUE_RULES
    from tasks.dialogue.synthesis import synthesise
    from tasks.qa.writing import RULES, ask_admission_questions, ask_cross_questions

    cache = out / "cache"
    cohort = CohortBuild.model_validate_json(next((cache / "cohort").glob("*.json")).read_bytes())
    lexicon = Lexicon.model_validate_json(next((cache / "lexicon").glob("*.json")).read_bytes())
    spec = ModelSpec(provider="programmatic")
    writer, asker = open_model(spec, DIALOGUE_RULES), open_model(spec, RULES)
    seconds, done = 0.0, 0
    for plan in cohort.patients[len(cohort.patients) // 2 :][:BASELINE_PATIENTS]:
        records = [
            AdmissionRecord.model_validate_json((cache / ref.path).read_bytes())
            for ref in plan.bundles
        ]
        begun = time.perf_counter()
        admissions: list[ChartAdmission] = []
        previous = None
        for record in records:
            made = synthesise(record, previous, writer)
            previous = made.summary
            admissions.append(
                ChartAdmission(bundle=made.bundle, facts=record.facts, lines=made.lines)
            )
        chart = PatientChart(subject_id=plan.subject_id, admissions=tuple(admissions))
        ask_cross_questions(CrossQuestionsInput(chart=chart, lexicon=lexicon), asker)
        for one in admissions:
            ask_admission_questions(
                AdmissionQuestionsInput(chart=chart, hadm_id=one.bundle.hadm_id, lexicon=lexicon),
                asker,
            )
        seconds += time.perf_counter() - begun
        done += len(records)
    return seconds, done


if __name__ == "__main__":
    main()
