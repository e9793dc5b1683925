import json

import pytest

from tasks.adapters.tokens import count_tokens
from tasks.contracts.evaluation import (
    BenchmarkPatient,
    ItemScore,
    JudgmentSet,
    Prediction,
    PredictionSet,
)
from tasks.contracts.questions import ABSTENTION
from tasks.scoring.items import SystemIdentity, score_timeline
from tasks.scoring.timeline import TimelineIndex
from tests.unit.scoring.builders import (
    adversarial,
    judged,
    patient,
    predicted,
    question,
    session,
)

IDENTITY = SystemIdentity(
    release="abc", system="model/bm25", model="model", strategy="bm25", judge="judge"
)
STAYS = [
    session("1", ["Furosemide is 40 mg.", "Yes."]),
    session("2", ["Furosemide is 80 mg.", "Yes."], day=30),
    session("3", ["Go home.", "Yes."], day=60),
]


def whole(*questions: object) -> BenchmarkPatient:
    asked = questions or (question("q1", cites=[("2", 1)]), adversarial("a1"))
    return BenchmarkPatient.model_validate(
        {"subject_id": "99000001", "sessions": STAYS, "questions": asked}
    )


def scored(
    answers: PredictionSet, verdicts: JudgmentSet | None, asked: BenchmarkPatient | None = None
) -> dict[str, ItemScore]:
    items = score_timeline(TimelineIndex(asked or whole()), answers, verdicts, IDENTITY)
    return {one.qa_id: one for one in items}


def test_a_right_answer_and_an_abstention():
    items = scored(predicted({"q1": "80mg", "a1": ABSTENTION}), judged({"q1": "right"}))
    right, abstention = items["q1"], items["a1"]
    assert right.overlap is not None
    assert right.overlap["clinical"].f1 == 1
    assert right.overlap["medlocomo"].f1 == 0
    assert (right.judged, right.error_kind) == ("right", None)
    assert right.abstained == {"medlocomo": False, "clinical": False}
    assert (abstention.overlap, abstention.judged) == (None, None)
    assert abstention.abstained == {"medlocomo": True, "clinical": True}
    assert (right.release, right.system, right.judge) == ("abc", "model/bm25", "judge")


def test_an_explained_abstention_counts_in_one_recipe():
    items = scored(predicted({"q1": "80 mg", "a1": "Not answerable, as no dose is given."}), None)
    assert items["a1"].abstained == {"medlocomo": False, "clinical": True}


def test_missing_answers_are_zeros():
    items = scored(predicted({"q1": "missing"}), judged({"q1": "wrong"}))
    missing = items["q1"]
    assert missing.overlap is not None
    assert [one.f1 for one in missing.overlap.values()] == [0, 0]
    assert (missing.outcome, missing.judged, missing.error_kind) == ("missing", "wrong", None)
    assert items["a1"].outcome == "missing"
    assert items["a1"].abstained == {"medlocomo": False, "clinical": False}


def test_failed_calls_are_null_and_no_zeros():
    items = scored(predicted({"q1": "failed", "a1": "failed"}), judged({}))
    for item in items.values():
        assert item.outcome == "failed"
        assert (item.overlap, item.judged, item.abstained, item.error_kind) == (None,) * 4


def test_a_wrong_answer_has_a_kind():
    items = scored(predicted({"q1": "40 mg", "a1": "80 mg"}), judged({"q1": "wrong"}))
    assert items["q1"].error_kind == "stale_value"
    assert items["a1"].error_kind is None


def test_a_judge_error_is_neither_right_nor_wrong():
    item = scored(predicted({"q1": "40 mg"}), judged({"q1": "error"}))["q1"]
    assert (item.judged, item.error_kind) == ("error", None)


def test_without_a_judge_nothing_is_judged():
    item = scored(predicted({"q1": "40 mg"}), None)["q1"]
    assert (item.judged, item.judge_agreement, item.error_kind) == (None, None, None)


@pytest.mark.parametrize(
    ("verdicts", "agreement"),
    [
        ((True,), None),
        ((True, None), None),
        ((True, True, False), pytest.approx(2 / 3)),
        ((False, False, None), 1),
        ((True, False), 0.5),
    ],
)
def test_agreement_is_the_share_of_the_majority(
    verdicts: tuple[bool | None, ...], agreement: float | None
):
    item = scored(predicted({"q1": "80 mg"}), judged({"q1": verdicts}))["q1"]
    assert item.judge_agreement == agreement


def test_where_the_evidence_lies():
    asked = whole(
        question("q1", cites=[("1", 1)]),
        question("q2", cites=[("1", 1), ("2", 1)]),
        question("q3", cites=[("1", 1), ("3", 1)]),
    )
    items = scored(predicted({}), None, asked)
    assert [items[f"q{n}"].evidence_position for n in (1, 2, 3)] == [0, 0.5, 1]
    assert [items[f"q{n}"].evidence_span_admissions for n in (1, 2, 3)] == [0, 1, 2]
    assert {item.timeline_sessions for item in items.values()} == {3}


def test_one_session_has_no_position_and_unknown_admissions_none_either():
    alone = patient(STAYS[:1], [question("q1"), question("q2", cites=[("9", 1)])])
    items = scored(predicted({}), None, alone)
    assert [item.evidence_position for item in items.values()] == [None, None]
    assert [item.evidence_span_admissions for item in items.values()] == [0, 0]


def test_the_size_of_the_timeline_is_counted_over_its_lines():
    alone = patient(STAYS[:1], [question("q1")])
    lines = (
        "1 | 2150-06-01 09:01:00 | Doctor | Furosemide is 40 mg.\n"
        "2 | 2150-06-01 09:02:00 | Patient | Yes."
    )
    assert count_tokens(lines) == 47
    assert scored(predicted({}), None, alone)["q1"].timeline_tokens == 47


def test_what_a_retriever_and_the_prompt_held_is_kept():
    given = Prediction(
        qa_id="q1",
        outcome="answered",
        answer="80 mg",
        truncated=True,
        prompt_tokens=77,
        split_documents=2,
        ranked_admissions=("1", "2"),
    )
    item = scored(predicted({"q1": given}), judged({"q1": "right"}))["q1"]
    assert (item.truncated, item.prompt_tokens, item.split_documents) == (True, 77, 2)
    assert item.retrieval is not None
    assert item.retrieval.admissions_at[1] == 0
    assert item.retrieval.admissions_at[2] == 1


def test_scores_hold_no_patient_text():
    given = predicted({"q1": "wombat fever", "a1": "wombat fever"})
    items = score_timeline(TimelineIndex(whole()), given, judged({"q1": "wrong"}), IDENTITY)
    written = "".join(item.model_dump_json() for item in items)
    assert "wombat" not in written and "80 mg" not in written and "urosemide" not in written


def test_a_score_survives_being_written_and_read():
    items = score_timeline(
        TimelineIndex(whole()), predicted({"q1": "80 mg"}), judged({"q1": "right"}), IDENTITY
    )
    for item in items:
        assert ItemScore.model_validate_json(item.model_dump_json()) == item
        assert "NaN" not in json.dumps(item.model_dump(mode="json"), allow_nan=False)
