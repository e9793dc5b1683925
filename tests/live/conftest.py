"""What several live tests need."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.live.browser import Page, browsing
from tests.live.command import anamnesis


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """A Prefect home of the module's own; its server is stopped at the end."""
    made = tmp_path_factory.mktemp("prefect-home")
    yield made
    anamnesis("server", "stop", home=made)


@pytest.fixture
def page(tmp_path: Path) -> Generator[Page]:
    """A page of a browser of its own."""
    profile = tmp_path / "profile"
    profile.mkdir()
    with browsing(profile) as opened:
        yield opened
