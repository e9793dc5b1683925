from __future__ import annotations

from io import StringIO

from rich.console import Console

from flows.progress import SilentProgress, current_progress
from flows.progress_console import showing_progress
from tasks.contracts.build import StageCount


def run_two_stages() -> None:
    progress = current_progress()
    progress.stage_started("source", 0)
    progress.stage_ended("source", StageCount(seconds=0.26))
    progress.stage_started("dialogues", 3)
    for _ in range(3):
        progress.item_ended("dialogues")
    progress.stage_ended("dialogues", StageCount(computed=2, failed=1, seconds=1.0))


def test_nobody_listens_by_default() -> None:
    assert isinstance(current_progress(), SilentProgress)
    run_two_stages()


def test_files_and_pipes_get_one_line_a_stage() -> None:
    written = StringIO()
    with showing_progress(Console(file=written, force_terminal=False)):
        run_two_stages()
    assert written.getvalue() == (
        "source: done in 0.3 s\ndialogues: 2 computed, 1 failed in 1.0 s\n"
    )
    assert isinstance(current_progress(), SilentProgress)


def test_terminals_get_bars() -> None:
    written = StringIO()
    with showing_progress(Console(file=written, force_terminal=True, width=80)):
        run_two_stages()
    assert "3/3" in written.getvalue()
    assert "1/1" in written.getvalue()
