"""The tables of a pre-consultation's scores gate: a row a score, and a row a doctor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from tasks.contracts.preconsultation import NOT_THE_DOCTORS, HistoryScores, ScoreLine
from tasks.gates.tables.rows import table

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class HistoryScoreRow:
    """One scored interview; ``id`` is the doctor, the turns and the pid."""

    id: str
    lines: int
    scores_misplaced: bool
    shares_out_of_bounds: int
    out_of_order: int
    diagnosis_misplaced: bool


@dataclass(frozen=True, slots=True)
class DoctorRow:
    """One doctor after one number of turns; ``id`` names both."""

    id: str
    lines_missing: int
    unscored_share: float
    undiagnosed_share: float


def history_score_tables(
    lines: Sequence[ScoreLine], pids: Mapping[tuple[str, int], Sequence[str]]
) -> dict[str, pl.DataFrame]:
    """The tables ``preconsult_scores_lines`` and ``preconsult_scores_doctors``.

    ``pids`` are the profiles that each doctor interviewed, by number of scored turns.
    """
    times = Counter((one.doctor, one.turns, one.pid) for one in lines)
    rows = [_score_row(one, times[one.doctor, one.turns, one.pid]) for one in lines]
    doctors = [
        _doctor_row(f"{doctor} {number}", asked, found)
        for (doctor, number), asked in pids.items()
        for found in ([one for one in lines if (one.doctor, one.turns) == (doctor, number)],)
    ]
    return {
        "preconsult_scores_lines": table(rows, HistoryScoreRow),
        "preconsult_scores_doctors": table(doctors, DoctorRow),
    }


def _score_row(one: ScoreLine, lines: int) -> HistoryScoreRow:
    both = [one.scores, one.scores_without_negatives]
    found = [scores for scores in both if scores is not None]
    is_clean = one.status == "clean"
    return HistoryScoreRow(
        id=f"{one.doctor} {one.turns} {one.pid}",
        lines=lines,
        scores_misplaced=len(found) != (2 if is_clean else 0),
        shares_out_of_bounds=sum(
            not 0 <= share <= 1
            for scores in found
            for share in (scores.coverage, scores.weighted_coverage)
        ),
        out_of_order=sum(not _in_order(scores) for scores in found),
        diagnosis_misplaced=one.top_1 is not None and not is_clean,
    )


def _in_order(one: HistoryScores) -> bool:
    """Whether the variants lie around the unweighted score as their definitions have it."""
    repeated = one.unweighted - one.penalty
    return (
        0 <= one.unweighted <= one.weighted <= 2 * one.unweighted
        and repeated >= 0
        and abs(one.reward - one.unweighted - repeated) < _ROUNDING
    )


def _doctor_row(name: str, asked: Sequence[str], lines: Sequence[ScoreLine]) -> DoctorRow:
    unscored = sum(one.status in NOT_THE_DOCTORS for one in lines)
    undiagnosed = sum(one.status == "clean" and one.top_1 is None for one in lines)
    return DoctorRow(
        id=name,
        lines_missing=len(set(asked) - {one.pid for one in lines}),
        unscored_share=unscored / max(1, len(asked)),
        undiagnosed_share=undiagnosed / max(1, sum(one.status == "clean" for one in lines)),
    )
