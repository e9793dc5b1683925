from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.factories.releases import write_release
from tests.factories.verdicts import remembered_verdicts


@pytest.fixture(autouse=True, scope="package")
def _remembered_verdicts() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    with remembered_verdicts():
        yield


@pytest.fixture(scope="package")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of two patients, to be evaluated."""
    return write_release(tmp_path_factory.mktemp("release"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder for a run's output, not there yet."""
    return tmp_path / "out"


@pytest.fixture
def open_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is read is open data, whatever its folders say."""
    monkeypatch.setenv("ANAMNESIS_DATA_CLASS", "open")
