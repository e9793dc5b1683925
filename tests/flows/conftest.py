from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.factories.verdicts import remembered_verdicts


@pytest.fixture(autouse=True, scope="package")
def _remembered_verdicts() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    with remembered_verdicts():
        yield
