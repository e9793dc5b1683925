"""Judges answers by rubrics: two side by side in six runs, or one alone."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.adapters.prompts import fenced
from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ItemFailed
from tasks.contracts.rubric_measures import RunValues
from tasks.contracts.rubric_results import JudgedPair, NearMiss, ScoredAnswer
from tasks.contracts.rubrics import NONE, Criterion, Query, Rubric
from tasks.rubrics.asking import Asked, Faults
from tasks.rubrics.evaluation.shapes import (
    CompareReply,
    CompareTask,
    PairReply,
    PairTask,
    PairVerdict,
    ScoreReply,
    ScoreTask,
    ScoreVerdict,
)
from tasks.rubrics.measures.discriminating import TRIALS, pair_result
from tasks.rubrics.measures.scoring import score_answer, value_of
from tasks.rubrics.pipeline.messages import criteria_part, query_part

_ATTEMPTS_A_RUN = 10
"""Numbers of attempts that one run may use; each trial and order has its own."""


def judge_pair(
    query: Query, pair: NearMiss, rubric: Rubric | None, name: str, judge: str, model: ChatModel
) -> JudgedPair:
    """Six runs of one pair: three trials, each in both orders; no rubric compares directly."""
    asked = Asked(model)
    runs: list[RunValues] = []
    failed: list[str] = []
    for trial in range(TRIALS):
        for reference_first in (True, False):
            try:
                runs.append(_run(query, pair, rubric, trial, reference_first, asked))
            except ItemFailed as error:
                failed.append(str(error))
    result = pair_result(query.query_id, name if rubric else NONE, judge, runs, len(failed))
    return JudgedPair(result=result, reason=failed[0] if failed else "", cost=asked.cost)


def score(query: Query, rubric: Rubric, answer: str, model: ChatModel) -> ScoredAnswer:
    """One answer by a rubric; no score where no reply could be read."""
    asked = Asked(model)
    met: tuple[bool, ...] | None = ()
    reason = ""
    if rubric.criteria:
        try:
            reply = asked.reply(
                "score",
                {
                    "query": query_part(query),
                    "rubric": criteria_part(rubric.criteria),
                    "answer": fenced(answer, "the answer"),
                },
                ScoreTask(query=query, criteria=rubric.criteria, answer=answer),
                ScoreReply,
                lambda one: _unjudged(one.verdicts, rubric.criteria),
            )
        except ItemFailed as error:
            met, reason = None, str(error)
        else:
            by_number = {one.number: one.met for one in reply.verdicts}
            met = tuple(by_number[number + 1] for number in range(len(rubric.criteria)))
    return ScoredAnswer(
        query_id=query.query_id,
        met=met,
        score=None if met is None else score_answer(rubric.criteria, met),
        reason=reason,
        cost=asked.cost,
    )


def _run(
    query: Query,
    pair: NearMiss,
    rubric: Rubric | None,
    trial: int,
    reference_first: bool,
    asked: Asked,
) -> RunValues:
    first, second = pair.reference, pair.text
    if not reference_first:
        first, second = second, first
    attempt = _ATTEMPTS_A_RUN * (2 * trial + (not reference_first))
    if rubric is None:
        values = _compared(query, first, second, attempt, asked)
    else:
        values = _valued(query, rubric, first, second, attempt, asked)
    reference, near_miss = values if reference_first else values[::-1]
    return RunValues(
        trial=trial, reference_first=reference_first, reference=reference, near_miss=near_miss
    )


def _valued(
    query: Query, rubric: Rubric, first: str, second: str, attempt: int, asked: Asked
) -> tuple[float, float]:
    """V of the first and of the second answer."""
    if not rubric.criteria:
        return 0.0, 0.0
    reply = asked.reply(
        "pair",
        {
            "query": query_part(query),
            "rubric": criteria_part(rubric.criteria),
            "first": fenced(first, "answer A"),
            "second": fenced(second, "answer B"),
        },
        PairTask(query=query, criteria=rubric.criteria, first=first, second=second),
        PairReply,
        lambda one: _unjudged(one.verdicts, rubric.criteria),
        attempt,
    )
    by_number = {one.number: one for one in reply.verdicts}
    ordered = [by_number[number + 1] for number in range(len(rubric.criteria))]
    return (
        float(value_of(rubric.criteria, [one.a_meets for one in ordered])),
        float(value_of(rubric.criteria, [one.b_meets for one in ordered])),
    )


def _compared(
    query: Query, first: str, second: str, attempt: int, asked: Asked
) -> tuple[float, float]:
    """1 for the better answer and 0 for the other; the same for both in a tie."""
    reply = asked.reply(
        "compare",
        {
            "query": query_part(query),
            "first": fenced(first, "answer A"),
            "second": fenced(second, "answer B"),
        },
        CompareTask(query=query, first=first, second=second),
        CompareReply,
        attempt=attempt,
    )
    return float(reply.better == "A"), float(reply.better == "B")


def _unjudged(
    verdicts: Sequence[PairVerdict] | Sequence[ScoreVerdict], criteria: Sequence[Criterion]
) -> Faults:
    """Criteria without one verdict; verdicts on criteria that don't exist are passed over."""
    wanted = list(range(1, len(criteria) + 1))
    numbers = sorted(one.number for one in verdicts if one.number in wanted)
    if numbers == wanted:
        return ()
    return (f"verdicts: found for criteria {numbers}, expected each of {wanted} once",)
