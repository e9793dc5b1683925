"""What a whole evaluation takes beside the models: 100 patients, 17,800 questions, every stage.

A release of the published size is written in the published layout, and the flow evaluates bm25 and
the three baselines on it, with a model that reads its messages and answers at once, judged by the
rules: reading, prompts, gates, scores, statistics, report and Prefect are all in it. A second run,
which finds everything in the cache, is measured too.

    .venv/bin/python -m bench.evaluation_flow [--patients 100]

Starts or reuses this Prefect home's background server, as a local evaluation does.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

from bench.evaluation import MOST_GIGABYTES, MOST_SECONDS, InstantModel, made_patient
from flows.local_flow import hush_prefect
from tasks.contracts.build import RunReport
from tasks.contracts.evaluation import BenchmarkPatient


def main() -> None:
    """Measure, print, and fail where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=100)
    given = parser.parse_args()
    hush_prefect()
    from flows.prefect_server import ensure_server

    ensure_server(print)
    with tempfile.TemporaryDirectory() as folder:
        release, out = Path(folder) / "release", Path(folder) / "out"
        for number in range(given.patients):
            publish(made_patient(number), release)
        first, report = _evaluate(release, out)
        second, _ = _evaluate(release, out)
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    for name, count in report.stages.items():
        print(f"  {name}: {count.computed} items, {count.seconds:.1f} s")
    print(
        f"{given.patients} patients, bm25 and three baselines: {first:.1f} s outside the model "
        f"(limit {MOST_SECONDS:.0f}), again from the cache {second:.1f} s, peak {gigabytes:.2f} GB "
        f"(limit {MOST_GIGABYTES:.0f})"
    )
    if first > MOST_SECONDS or gigabytes > MOST_GIGABYTES:
        raise SystemExit(1)


def _evaluate(release: Path, out: Path) -> tuple[float, RunReport]:
    from flows.evaluate_benchmark import evaluate_benchmark
    from tasks.answering import steps

    steps.open_model = lambda *_given: InstantModel()  # pyright: ignore[reportAttributeAccessIssue]
    began = time.perf_counter()
    report = evaluate_benchmark(release=str(release), out=str(out), strategy=["bm25"])
    assert isinstance(report, RunReport)
    return time.perf_counter() - began, report


def publish(patient: BenchmarkPatient, release: Path) -> None:
    """Write a patient in the published layout."""
    folder = release / patient.subject_id
    folder.mkdir(parents=True)
    plain = patient.model_dump(mode="json")
    sessions = [{**one, "conversation_lines": one.pop("lines")} for one in plain["sessions"]]
    timeline = {"subject_id": patient.subject_id, "admissions": sessions}
    (folder / "combined_conversation.json").write_text(json.dumps(timeline))
    (folder / "benchmark_qa.json").write_text(json.dumps({"qas": plain["questions"]}))


if __name__ == "__main__":
    main()
