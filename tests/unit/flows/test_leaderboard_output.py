from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from flows.cli_output import print_leaderboard
from flows.evaluation_files import read_leaderboard, write_leaderboard
from tasks.contracts.evaluation import SystemScores
from tests.factories.evaluations import estimated, group, system_scores


def printed(folder: Path, *systems: SystemScores) -> list[str]:
    """The lines of the terminal, their blanks folded."""
    write_leaderboard(folder, "r1", systems, [])
    console = Console(file=io.StringIO(), width=200)
    print_leaderboard(console, read_leaderboard(folder))
    assert isinstance(console.file, io.StringIO)
    return [" ".join(line.split()) for line in console.file.getvalue().splitlines()]


def test_every_mean_stands_beside_its_own_n(tmp_path: Path) -> None:
    few = group().model_copy(update={"judge": estimated(0.4, 31)})
    head, row, *_ = printed(tmp_path, system_scores(overall=few))
    assert head == "system F1 n J n Acc n Score 95 % n run"
    assert row == "model/bm25 40.0 40 40.0 31 80.0 20 60.0 50.0-70.0 60 valid"


def test_the_judge_stands_beside_every_system_where_there_are_several(tmp_path: Path) -> None:
    head, first, second, *rest = printed(
        tmp_path, system_scores(judge="one"), system_scores(judge="other")
    )
    assert head.startswith("system judge F1 n")
    assert first.startswith("model/bm25 one 40.0")
    assert second.startswith("model/bm25 other 40.0")
    assert rest == ["judges: one, other"]


def test_one_patient_has_no_interval(tmp_path: Path) -> None:
    alone = estimated().model_copy(update={"patients": 1, "lower": None, "upper": None})
    overall = group().model_copy(update={"score": {"medlocomo": alone, "clinical": alone}})
    _, row, *_ = printed(tmp_path, system_scores(overall=overall))
    assert row == "model/bm25 40.0 40 40.0 40 80.0 20 50.0 n/a 40 valid"
