from __future__ import annotations

import pytest

from tasks.contracts.errors import ReplyMalformed
from tasks.rubrics.evaluation import shapes
from tasks.rubrics.evaluation.judging import score
from tests.unit.rubrics.building import query
from tests.unit.rubrics.evaluated import ANSWER, GOLD, rules, scripted


def test_a_verdict_on_a_criterion_that_does_not_exist_is_passed_over() -> None:
    def added(reply: shapes.ScoreReply) -> shapes.ScoreReply:
        more = [shapes.ScoreVerdict(number=number, met=True) for number in (4, 0)]
        return shapes.ScoreReply(verdicts=[*reply.verdicts, *more])

    model = scripted({shapes.ScoreReply: [added]})
    assert score(query(), GOLD, "Drink enough water.", model).met == (True, False, False)
    assert len(model.requests) == 1


def test_one_answer_is_scored_by_the_gold_rubric() -> None:
    found = score(query(), GOLD, "Drink enough water.", rules())
    assert found.met == (True, False, False)
    assert found.score is not None
    assert found.score.overall == pytest.approx(6 / 11)


def test_an_unreadable_judge_gives_no_score() -> None:
    error = ReplyMalformed("no", "3/5", ("verdicts: unreadable",))
    found = score(query(), GOLD, ANSWER, scripted({shapes.ScoreReply: [error]}))
    assert (found.met, found.score) == (None, None)
