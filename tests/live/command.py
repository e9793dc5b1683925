"""Runs commands with a Prefect home of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SECONDS = 300


def environment(home: Path, **others: str) -> dict[str, str]:
    """This process's environment with another Prefect home."""
    return {**os.environ, "PREFECT_HOME": str(home), **others}


def anamnesis(
    *arguments: str, home: Path, patience_seconds: float = SECONDS, **others: str
) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end."""
    return subprocess.run(
        [sys.executable, "-m", "flows.cli", *arguments],
        env=environment(home, **others),
        capture_output=True,
        text=True,
        timeout=patience_seconds,
    )


def address(printed: str) -> str:
    """The API's address in what ``server start`` or ``server status`` printed."""
    (line,) = [line for line in printed.splitlines() if line.startswith("PREFECT_API_URL: ")]
    return line.removeprefix("PREFECT_API_URL: ")
