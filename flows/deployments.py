"""Registers and runs the deployments of prefect.yaml with Prefect's own commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tasks.contracts.errors import SettingError

POOL = "local"

_CHECKOUT = Path(__file__).resolve().parent.parent


def deploy() -> int:
    """Write the demo's data, make the work pool, register every deployment; the exit code.

    Raises SettingError outside a checkout, where there is no prefect.yaml.
    """
    if not (_CHECKOUT / "prefect.yaml").is_file():
        raise SettingError(
            f"no prefect.yaml in {_CHECKOUT}: deployments are registered from a checkout, "
            "installed with `make install`"
        )
    from flows.demo_data import FOLDER, ensure_demo_data

    ensure_demo_data(_CHECKOUT / FOLDER / "data")
    created = _prefect("work-pool", "create", POOL, "--type", "process", "--overwrite")
    return created or _prefect("deploy", "--all")


def work() -> int:
    """Run a worker on the pool until it is stopped; returns the exit code."""
    return _prefect("worker", "start", "--pool", POOL)


def _prefect(*arguments: str) -> int:
    command = [sys.executable, "-m", "prefect", "--no-prompt", *arguments]
    return subprocess.run(command, cwd=_CHECKOUT, check=False).returncode
