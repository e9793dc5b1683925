"""Registers and runs the deployments of prefect.yaml with Prefect's own commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from tasks.contracts.errors import SettingError

POOL = "local"

_CHECKOUT = Path(__file__).resolve().parent.parent


def deploy() -> int:
    """Make the work pool and register every deployment; the exit code.

    Raises SettingError outside a checkout, where there is no prefect.yaml.
    """
    if not (_CHECKOUT / "prefect.yaml").is_file():
        raise SettingError(
            f"no prefect.yaml in {_CHECKOUT}: deployments are registered from a checkout, "
            "installed with `make install`"
        )
    # An existing pool keeps the limit and the pause that somebody gave it.
    known = _run("work-pool", "inspect", POOL, quiet=True) == 0
    created = 0 if known else _run("work-pool", "create", POOL, "--type", "process")
    return created or _run("deploy", "--all")


def work() -> NoReturn:
    """Become a worker of the pool, until it is stopped."""
    # In this process's place, so that Ctrl-C and kill reach Prefect's own orderly end.
    os.chdir(_CHECKOUT)
    os.execv(sys.executable, _prefect("worker", "start", "--pool", POOL))


def _run(*arguments: str, quiet: bool = False) -> int:
    output = subprocess.DEVNULL if quiet else None
    return subprocess.run(
        _prefect(*arguments), cwd=_CHECKOUT, check=False, stdout=output, stderr=output
    ).returncode


def _prefect(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "prefect", "--no-prompt", *arguments]
