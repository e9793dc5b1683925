"""Runs the test server as a process: ``python -m tests.servers --release DIR``."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Sequence
from pathlib import Path

from tests.servers.chat_server import ChatServer
from tests.servers.completions import estimated_tokens, tokens_of
from tests.servers.faults import Fault, FaultPlan
from tests.servers.release_writer import ReleaseWriter
from tests.servers.requests import ModelRules


def _arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.servers", description=__doc__)
    parser.add_argument("--release", type=Path, required=True, help="whose texts it answers with")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--model", default="test-model")
    parser.add_argument("--key", help="what clients have to show")
    parser.add_argument("--latency", type=float, nargs=2, default=(0.0, 0.0), metavar="SECONDS")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME=SHARE")
    parser.add_argument("--seed", type=int, default=0, help="of the faults")
    parser.add_argument("--most-in-flight", type=int)
    parser.add_argument("--cheap-usage", action="store_true", help="estimate tokens")
    parser.add_argument("--log", type=Path, help="gets a JSON line for each request")
    return parser.parse_args(given)


def main() -> None:
    """Serve until told to stop; the first line printed is the address."""
    options = _arguments()
    shares = (fault.split("=") for fault in options.fault)
    server = ChatServer(
        ReleaseWriter(options.release),
        faults=FaultPlan({Fault(name): float(share) for name, share in shares}, seed=options.seed),
        models={options.model: ModelRules()},
        key=options.key,
        latency_seconds=tuple(options.latency),
        most_in_flight=options.most_in_flight,
        count=estimated_tokens if options.cheap_usage else tokens_of,
        keep_bodies=False,
        log=options.log,
        port=options.port,
    )
    # Blocked before the server's thread starts, or a signal would end the process at once.
    ends = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    with server:
        print(server.base_url, flush=True)
        signal.sigwait(ends)
    print(server.outcomes(), flush=True)


if __name__ == "__main__":
    main()
