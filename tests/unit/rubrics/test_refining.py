from __future__ import annotations

from tasks.contracts.errors import ModelFailed
from tasks.contracts.rubric_results import BaseAnswer
from tasks.rubrics.evaluation import shapes
from tasks.rubrics.evaluation.refining import answer, refine
from tests.unit.rubrics.building import query
from tests.unit.rubrics.evaluated import GOLD, rules, scripted


def base() -> BaseAnswer:
    return BaseAnswer(query_id="7", answer="Rest. Try herbal remedies.", generator="given")


def test_refinement_edits_by_the_plan_and_leaves_the_base_alone() -> None:
    given = base()
    found = refine(query(), given, GOLD, "gold", GOLD, rules(), rules(), rules())
    assert [(one.priority, one.action) for one in found.plan] == [
        (1, "REMOVE"),
        (2, "ADD"),
        (3, "ADD"),
    ]
    assert found.answer is not None
    assert "Advises to drink enough water" in found.answer
    assert given.answer == "Rest. Try herbal remedies."
    assert found.scored is not None
    assert found.scored.score is not None
    assert found.scored.score.overall == 1.0


def test_self_critique_sees_no_rubric() -> None:
    model = scripted({})
    refine(query(), base(), None, "self", GOLD, model, rules(), rules())
    assert "rubric" not in model.requests[0].task_message


def test_an_empty_plan_leaves_the_answer_and_asks_no_editor() -> None:
    nothing = shapes.CritiqueReply(edits=[])
    editor = scripted({})
    critic = scripted({shapes.CritiqueReply: [nothing]})
    found = refine(query(), base(), GOLD, "gold", GOLD, critic, editor, rules())
    assert found.answer == base().answer
    assert editor.requests == []


def test_a_critic_that_refuses_ends_this_refinement_alone() -> None:
    refused = ModelFailed("declined", "refused")
    critic = scripted({shapes.CritiqueReply: [refused]})
    found = refine(query(), base(), GOLD, "gold", GOLD, critic, rules(), rules())
    assert (found.answer, found.scored) == (None, None)


def test_base_answers_of_rules_repeat_the_question() -> None:
    assert answer(query("what is gout"), rules()).answer.startswith("You ask: what is gout")
