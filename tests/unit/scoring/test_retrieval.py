import pytest

from tasks.contracts.evaluation import Prediction
from tasks.contracts.questions import CitedTurn
from tasks.scoring.retrieval import evidence_recall
from tests.unit.scoring.builders import question

CROSS = question("q1", cites=[("1", 2), ("3", 4), ("3", 5)]).evidence


def turns(*places: tuple[str, int]) -> tuple[CitedTurn, ...]:
    return tuple(CitedTurn(hadm_id=hadm_id, turn_number=turn) for hadm_id, turn in places)


def prediction(**ranked: object) -> Prediction:
    return Prediction.model_validate({"qa_id": "q1", "outcome": "answered", **ranked})


def test_recall_is_the_share_of_the_cited_admissions_among_the_first_k():
    score = evidence_recall(CROSS, prediction(ranked_admissions=("2", "3", "4", "1")))
    assert score is not None
    assert score.admissions_at == {1: 0, 2: 0.5, 3: 0.5, 5: 1, 10: 1}
    assert score.turns_at is None


def test_recall_of_turns_counts_cited_turns():
    ranked = turns(("3", 5), ("2", 1), ("1", 2), ("2", 2), ("2", 3), ("3", 4))
    score = evidence_recall(CROSS, prediction(ranked_admissions=("3", "1"), ranked_turns=ranked))
    assert score is not None
    assert score.admissions_at == {1: 0.5, 2: 1, 3: 1, 5: 1, 10: 1}
    third = pytest.approx(1 / 3)
    assert score.turns_at == {1: third, 5: pytest.approx(2 / 3), 10: 1, 20: 1, 50: 1}


def test_a_retriever_of_turns_ranks_admissions_by_their_best_turn():
    score = evidence_recall(CROSS, prediction(ranked_turns=turns(("2", 1), ("3", 1), ("1", 1))))
    assert score is not None
    assert score.admissions_at == {1: 0, 2: 0.5, 3: 1, 5: 1, 10: 1}
    assert score.turns_at == {1: 0, 5: 0, 10: 0, 20: 0, 50: 0}


def test_turn_ids_of_one_admission_stand_for_turns():
    evidence = question("q1", cites=[("1", 2)]).evidence.model_copy(update={"turns": ()})
    score = evidence_recall(evidence, prediction(ranked_turns=turns(("1", 2))))
    assert score is not None
    assert score.turns_at == {1: 1, 5: 1, 10: 1, 20: 1, 50: 1}


def test_a_release_without_cited_turns_has_recall_of_admissions_only():
    evidence = CROSS.model_copy(update={"turns": ()})
    score = evidence_recall(evidence, prediction(ranked_turns=turns(("1", 2))))
    assert score is not None
    assert score.turns_at is None


def test_there_is_no_recall_without_a_retriever():
    assert evidence_recall(CROSS, prediction()) is None
