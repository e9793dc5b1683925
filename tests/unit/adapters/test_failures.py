from __future__ import annotations

import asyncio
import errno
import logging
import stat
from pathlib import Path

import pytest

from tasks.adapters.failures import describe, guarded, keep_traceback
from tasks.contracts.errors import ItemFailed, SettingError, SourceError

SECRET = "Mrs Made-up takes syrup"


class PanicException(BaseException):
    """Like the one that Polars raises for its own faults."""


@guarded
def stumble(error: BaseException) -> None:
    try:
        raise LookupError(SECRET)
    except LookupError:
        raise error  # noqa: B904 - the first error stays behind as context


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


UNFORESEEN = [
    ValueError(SECRET),
    KeyError(SECRET),
    UnicodeDecodeError("utf-8", SECRET.encode(), 0, 1, SECRET),
    ExceptionGroup(SECRET, [ValueError(SECRET)]),
    PanicException(SECRET),
    OSError(SECRET),
    MemoryError(SECRET),
]


@pytest.mark.parametrize("error", UNFORESEEN, ids=lambda error: type(error).__name__)
def test_an_unforeseen_error_leaves_by_its_type_alone(
    error: BaseException, temporary: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(ItemFailed) as caught:
        stumble(error)
    assert str(caught.value) == f"unexpected {type(error).__name__}"
    assert caught.value.__suppress_context__
    assert caught.value.__cause__ is None
    assert SECRET not in caplog.text
    (log,) = temporary.iterdir()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    written = log.read_text()
    assert type(error).__name__ in written
    assert "test_failures.py" in written
    assert SECRET not in written


def test_a_fault_of_the_machine_leaves_in_the_systems_words() -> None:
    with pytest.raises(OSError, match=r"^\[Errno 28\] No space left on device$") as caught:
        stumble(OSError(errno.ENOSPC, SECRET, SECRET))
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.__suppress_context__


def test_our_own_errors_leave_without_what_led_to_them() -> None:
    for error in (SourceError("hosp/patients.csv: …"), SettingError("out: …"), ItemFailed("…")):
        with pytest.raises(type(error)) as caught:
            stumble(error)
        assert caught.value is error
        assert caught.value.__suppress_context__


@pytest.mark.parametrize("signal", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_an_order_to_end_is_obeyed(signal: type[BaseException], temporary: Path) -> None:
    with pytest.raises(signal):
        stumble(signal())
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.EACCES, SECRET, SECRET), "Permission denied"),
        (OSError(SECRET), "unexpected OSError"),
        (ValueError(SECRET), "unexpected ValueError"),
        (ItemFailed("admission 80000101: nothing to ask"), "admission 80000101: nothing to ask"),
    ],
)
def test_an_error_is_described_without_data(error: Exception, words: str) -> None:
    assert describe(error) == words


def test_causes_notes_and_groups_are_outlined_without_their_words() -> None:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            error.add_note(SECRET)
            raise ExceptionGroup(SECRET, [TypeError(SECRET)]) from error
    except ExceptionGroup:
        written = Path(keep_traceback()).read_text()
    for name in ("builtins.KeyError", "builtins.ExceptionGroup", "builtins.TypeError"):
        assert name in written
    assert "which led to:" in written
    assert SECRET not in written
