"""What the estimate of a whole evaluation takes: 100 patients, 17,800 questions, nothing asked.

The release of ``bench/evaluation_flow.py`` is reckoned for full context and bm25 with a judge, as
``anamnesis evaluate --estimate`` does it before the first request.

    .venv/bin/python -m bench.evaluation_estimate [--patients 100] [--strategy full-context bm25]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

from bench.evaluation import MOST_GIGABYTES, MOST_SECONDS, made_patient
from bench.evaluation_flow import publish
from flows.evaluation_estimating import estimate_evaluation
from flows.evaluation_settings import load_evaluation_settings


def main() -> None:
    """Measure, print, and fail where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=100)
    parser.add_argument("--strategy", nargs="+", default=["full-context", "bm25"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        release, out = Path(folder) / "release", Path(folder) / "out"
        for number in range(given.patients):
            publish(made_patient(number), release)
        settings = load_evaluation_settings(
            release=release,
            out=out,
            provider="openai",
            model=["model"],
            judge_model="judge",
            strategy=given.strategy,
        )
        began = time.perf_counter()
        total = estimate_evaluation(settings).stages["in all"]
        seconds = time.perf_counter() - began
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{given.patients} patients, {', '.join(given.strategy)}: {total.calls:,} requests, "
        f"{total.input_tokens:,} prompt tokens reckoned in {seconds:.1f} s "
        f"(limit {MOST_SECONDS:.0f}), peak {gigabytes:.2f} GB (limit {MOST_GIGABYTES:.0f})"
    )
    if seconds > MOST_SECONDS or gigabytes > MOST_GIGABYTES:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
