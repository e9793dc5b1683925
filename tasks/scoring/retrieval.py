"""Evidence recall: the share of the cited evidence among a retriever's k best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from tasks.contracts.evaluation import Prediction, RetrievalScore
from tasks.contracts.questions import Evidence
from tasks.scoring.timeline import cited_turns

ADMISSIONS_AT: tuple[int, ...] = (1, 2, 3, 5, 10)
TURNS_AT: tuple[int, ...] = (1, 5, 10, 20, 50)

One = TypeVar("One")


def evidence_recall(evidence: Evidence, prediction: Prediction) -> RetrievalScore | None:
    """Recall@k of cited admissions and turns; None without a retriever or evidence.

    A retriever of turns ranks an admission by its best turn.
    """
    admissions, turns = prediction.ranked_admissions, prediction.ranked_turns
    if admissions is None and turns is not None:
        admissions = tuple(dict.fromkeys(turn.hadm_id for turn in turns))
    if admissions is None or not evidence.admissions:
        return None
    cited = set(cited_turns(evidence))
    ranked = [(turn.hadm_id, turn.turn_number) for turn in turns or ()]
    return RetrievalScore(
        admissions_at=_recall(set(evidence.admissions), admissions, ADMISSIONS_AT),
        turns_at=_recall(cited, ranked, TURNS_AT) if cited and turns is not None else None,
    )


def _recall(cited: set[One], ranked: Sequence[One], at: Iterable[int]) -> dict[int, float]:
    return {k: len(cited.intersection(ranked[:k])) / len(cited) for k in at}
