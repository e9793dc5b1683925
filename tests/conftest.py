"""Shuts every test off from the user's Prefect, settings and network telemetry."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from flows.server_process import TUNED

# Set before anything imports Prefect, which reads its environment once.
_HOME = tempfile.mkdtemp(prefix="anamnesis-tests-")
for _name in [name for name in os.environ if name.startswith(("PREFECT_", "ANAMNESIS_"))]:
    del os.environ[_name]
os.environ.update(
    TUNED,
    PREFECT_HOME=_HOME,
    PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL="CRITICAL",
    PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS="180",
    GX_ANALYTICS_ENABLED="false",
    MPLCONFIGDIR=os.path.join(_HOME, "matplotlib"),
)


# A loaded machine is slow; that is no property of the code.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _temporary_home() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    yield
    shutil.rmtree(_HOME, ignore_errors=True)


@pytest.fixture(scope="session")
def prefect_server() -> Generator[None]:
    """A throw-away Prefect server for tests that run flows; about 12 s a session."""
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=180):
        yield
