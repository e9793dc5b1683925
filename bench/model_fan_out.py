"""How close dialogues by a language model come to the speed that its server allows.

A hundred patients with chains of 3 to 64 stays, 64 requests at once, a server process that takes
0.5 to 1.5 seconds a reply. The stage "dialogues" of a build writes them: real requests, checks,
Prefect tasks. The baseline does the same work patient by patient: a slot takes the next patient and
keeps to that patient's stays until they end. The ideal is max(total work / slots, longest chain) of
the latencies that the server really took, by its log.

    .venv/bin/python bench/model_fan_out.py [--patients 100] [--slots 64] [--skewed]

Chains are drawn as long as the published benchmark's, 30 stays in the mean; ``--skewed`` draws
mostly short ones, 12 to 14 in the mean. Both have chains of 3 and of 64.

Starts or reuses this Prefect home's background server, as a local build does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flows.build_run import BuildRun
    from tasks.contracts.build import CohortBuild, StageCount

    Way = Callable[[BuildRun, CohortBuild], object]

SEED = 3
LATENCY_SECONDS = (0.5, 1.5)
MODEL = "test-model"
HISTORY_SECONDS = 300.0
BUSY_SHARE = 0.8
"""A process that computes for more of the wall time than this holds its own threads up."""


@dataclass(frozen=True)
class Latencies:
    """What the server took, in seconds: all replies, and those of the longest chain."""

    requests: int
    total_seconds: float
    longest_seconds: float


@dataclass
class StageClock:
    """Listens to a run: wall and CPU seconds of its stage, without the gate behind it."""

    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    computed: int = 0
    _begun: float = field(default=0.0, init=False)

    def stage_started(self, stage: str, total: int) -> None:
        """The CPU clock starts with the stage."""
        self._begun = time.process_time()

    def item_ended(self, stage: str) -> None:
        """Nothing to note."""

    def stage_ended(self, stage: str, count: StageCount) -> None:
        """The stage is over."""
        self.cpu_seconds = time.process_time() - self._begun
        self.wall_seconds, self.computed = count.seconds, count.computed


def main() -> None:
    """Measure both ways of working; ``--serve`` is the server process of the same run."""
    parser = argparse.ArgumentParser(description="Measure dialogues by a language model.")
    parser.add_argument("--patients", type=int, default=100)
    parser.add_argument("--slots", type=int, default=64)
    parser.add_argument("--skewed", action="store_true", help="mostly short chains")
    parser.add_argument("--without-baseline", action="store_true", help="only the build's way")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve)
        return
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as scratch:
        compare(
            Path(scratch),
            given.patients,
            given.slots,
            skewed=given.skewed,
            baseline=not given.without_baseline,
        )


def compare(folder: Path, patients: int, slots: int, *, skewed: bool, baseline: bool) -> None:
    """Write the same cohort's dialogues in both ways."""
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    from bench.shifted_stays import chain_lengths, short_stay, stage_chains
    from flows.conversing import synthesise_dialogues
    from flows.prefect_server import ensure_server

    ensure_server(print)
    lengths = chain_lengths(patients, SEED, skewed=skewed)
    record = short_stay(folder)
    (folder / "record.json").write_text(record.model_dump_json())
    print(
        f"{patients} patients, {sum(lengths)} dialogues, chains {min(lengths)} to {max(lengths)} "
        f"({'skewed' if skewed else 'triangular'}, mean {sum(lengths) / patients:.1f}), "
        f"{slots} slots, {os.cpu_count()} cores"
    )
    ways: tuple[tuple[str, Way], ...] = (
        ("longest remaining chain first, as a build does", synthesise_dialogues),
        ("baseline: patient by patient, in the order in which they came", by_patient),
    )
    for number, (name, way) in enumerate(ways if baseline else ways[:1]):
        out = folder / f"out{number}"
        clock, latencies = measure(way, out, stage_chains(record, lengths, out), slots)
        show(name, clock, latencies, slots)


def show(name: str, clock: StageClock, took: Latencies, slots: int) -> None:
    """Print what was measured beside the ideal."""
    ideal = max(took.total_seconds / slots, took.longest_seconds)
    each = 1000 * clock.cpu_seconds / clock.computed
    print(name)
    print(f"    {clock.computed} dialogues by {took.requests} requests")
    print(f"    server's latencies: total / slots  {took.total_seconds / slots:7.2f} s")
    print(f"    server's latencies: longest chain  {took.longest_seconds:7.2f} s")
    print(f"    wall {clock.wall_seconds:.2f} s: {clock.wall_seconds / ideal:.3f} x the larger one")
    print(f"    CPU of this process {clock.cpu_seconds:.2f} s: {each:.1f} ms a dialogue")
    if clock.cpu_seconds > BUSY_SHARE * clock.wall_seconds:
        print("    it computed nearly all the time: the CPU was the limit, not the server")


def by_patient(run: BuildRun, cohort: CohortBuild) -> None:
    """The same tasks in the order of a worker for each slot that takes patient after patient."""
    from flows.parameters import opaque
    from tasks.dialogue.steps import (
        collect_record_terms,
        dialogue_key,
        record_terms_key,
        synthesise_dialogue,
    )

    stays = tuple(bundle for plan in cohort.patients for bundle in plan.bundles)
    run.take_up(record_terms_key(stays))
    terms = run.cached(collect_record_terms)(opaque(stays), run.workspace)
    step = run.cached(synthesise_dialogue)
    # Only a chain's end weighs: a patient who came earlier outweighs a later one at every stay.
    left = len(cohort.patients)
    ends = {plan.bundles[-1].hadm_id: left - n for n, plan in enumerate(cohort.patients)}

    def submit(bundle: Any, previous: Any) -> Any:
        run.take_up(dialogue_key(bundle, previous, run.spec, terms))
        return step.submit(
            bundle, previous, run.spec, run.workspace, terms, ends.get(bundle.hadm_id, 0)
        )

    run.fan_out(
        "dialogues",
        [plan.bundles for plan in cohort.patients],
        submit,
        identify=lambda bundle: (bundle.hadm_id, bundle.subject_id),
        weight=lambda bundle: float(ends.get(bundle.hadm_id, 0)),
    )


def measure(way: Way, out: Path, cohort: CohortBuild, slots: int) -> tuple[StageClock, Latencies]:
    """Run one way of working in a flow of its own, until its history is recorded."""
    from prefect import flow
    from prefect.runtime import flow_run

    from flows.history import drain_history
    from flows.progress import listening
    from flows.run_lifecycle import open_run
    from flows.settings import load_settings

    with served(out.parent) as (base_url, log):
        settings = load_settings(
            mimic=out.parent / "mimic",
            out=out,
            concurrency=slots,
            provider="openai",
            model=MODEL,
            base_url=base_url,
            until="dialogues",
        )

        @flow(name="model-fan-out", persist_result=False)
        def dialogues() -> str:
            with open_run(settings) as run:
                way(run, cohort)
            return flow_run.get_id() or ""

        clock = StageClock()
        with listening(clock):
            run_id = dialogues()
        # What is still on its way to Prefect's server would slow the next way down.
        drain_history(run_id, timeout_seconds=HISTORY_SECONDS)
        return clock, latencies_of(out, log)


def latencies_of(out: Path, log: Path) -> Latencies:
    """Reads the server's log; the replies kept by the run say whose they were."""
    took: dict[str, float] = {}
    for line in log.read_text().splitlines():
        request = json.loads(line)
        seconds = request["answered_seconds"] - request["received_seconds"]
        took[f"chatcmpl-test{request['number']:08d}"] = seconds
    chains: defaultdict[str, float] = defaultdict(float)
    for file in (out / "cache" / "replies").glob("*/*.json"):
        chains[file.parent.name] += took[json.loads(file.read_bytes())["response_id"]]
    return Latencies(len(took), sum(took.values()), max(chains.values()))


@contextmanager
def served(folder: Path) -> Generator[tuple[str, Path]]:
    """A server process; gives its address and its log."""
    log = folder / "server.jsonl"
    log.unlink(missing_ok=True)
    command = [sys.executable, __file__, "--serve", str(folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            yield process.stdout.readline().strip(), log
        finally:
            process.stdin.close()


def serve(folder: Path) -> None:
    """Answer until the parent closes this process's input."""
    from bench.shifted_stays import ShiftingWriter
    from tasks.contracts.records import AdmissionRecord
    from tests.servers.chat_server import ChatServer
    from tests.servers.completions import estimated_tokens
    from tests.servers.requests import ModelRules

    record = AdmissionRecord.model_validate_json((folder / "record.json").read_bytes())
    with ChatServer(
        ShiftingWriter(record),
        models={MODEL: ModelRules()},
        latency_seconds=LATENCY_SECONDS,
        count=estimated_tokens,
        keep_bodies=False,
        log=folder / "server.jsonl",
    ) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
