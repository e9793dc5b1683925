"""Verdicts of gates that are remembered, for tests that judge the same tables again and again."""

from __future__ import annotations

import io
from collections.abc import Generator
from contextlib import contextmanager

import polars as pl
import pytest

from tasks.contracts.build import ExpectationResult
from tasks.gates import suites
from tasks.gates.suite_files import Suite

_judge = suites._judge  # pyright: ignore[reportPrivateUsage]
_known: dict[tuple[str, bytes], list[ExpectationResult]] = {}


@contextmanager
def remembered_verdicts() -> Generator[None]:
    """Let Great Expectations judge a table once by a suite; it takes a tenth of a second each time.

    Whether it does so rightly, and again in the same process, is seen in tests/gates.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suites, "_judge", _judge_once)
        yield


def _judge_once(suite: Suite, table: pl.DataFrame) -> list[ExpectationResult]:
    stream = io.BytesIO()
    table.write_ipc(stream)
    key = (repr(suite), stream.getvalue())
    if key not in _known:
        _known[key] = _judge(suite, table)
    return list(_known[key])
