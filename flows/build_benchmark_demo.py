"""Flow `build-benchmark-demo`: synthetic data → verified release, with nothing to set."""

from __future__ import annotations

from pathlib import Path

from prefect import flow

from flows.build_benchmark import build_benchmark
from flows.demo_data import FOLDER, PATIENTS, ensure_demo_data
from tasks.contracts.build import RunReport


@flow(name="build-benchmark-demo", persist_result=False)
def build_benchmark_demo(out: str = str(FOLDER)) -> RunReport:
    """Write the demo's sample below ``out`` where it is missing, and build a benchmark from it."""
    data = Path(out) / "data"
    ensure_demo_data(data)
    report = build_benchmark(mimic=str(data), out=out, patients=PATIENTS)
    assert isinstance(report, RunReport)
    return report
