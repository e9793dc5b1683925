from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from flows.evaluate_rubrics import evaluate_rubrics
from tasks.contracts.errors import SettingError, SourceError, TooManyFailed
from tests.flows.rubric_runs import (
    MARKER,
    evaluate,
    generate,
    measures,
    serving,
    write_queries,
)
from tests.servers.fences import fenced_parts
from tests.servers.rubric_writer import RubricWriter, first_answer

pytestmark = pytest.mark.usefixtures("prefect_server", "open_data")

REFERENCE = "Eat slowly. Drink enough water. See a doctor if bloating lasts."
GOLD_CRITERIA = [
    {"criterion": "Advises to drink enough water", "axis": "completeness", "points": 6},
    {"criterion": "Recommends an operation", "axis": "accuracy", "points": -7},
]


def write_evaluated(folder: Path) -> dict[str, Any]:
    """Two queries with gold rubrics, a set that is the gold one, and reference answers."""
    gold = [{"index": number, "rubrics": GOLD_CRITERIA} for number in range(2)]
    answers = [{"index": number, "reference_response": REFERENCE} for number in range(2)]
    for name, lines in (("gold", gold), ("same", gold), ("answers", answers)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (folder / "empty.jsonl").write_text(json.dumps({"index": 0, "rubrics": []}))
    queries = write_queries(folder, {"0": f"bloating {MARKER}", "1": "fever in a child"})
    return {
        "rubrics": [f"same={folder / 'same.jsonl'}"],
        "reference": str(folder / "gold.jsonl"),
        "answers": str(folder / "answers.jsonl"),
        "queries": queries,
    }


def test_the_gold_rubric_covers_itself_and_an_empty_set_covers_nothing(
    tmp_path: Path, out: Path
) -> None:
    given = write_evaluated(tmp_path)
    given["rubrics"].append(f"none-of-it={tmp_path / 'empty.jsonl'}")
    report = evaluate(out, given)
    assert report.outcome == "completed"
    assert [gate.stage for gate in report.gates] == [
        "rubric-coverage",
        "rubric-pairs",
        "rubric-refinements",
    ]
    same, empty = measures(out)["coverage"]
    assert (same["recall"]["value"], same["precision"]["value"], same["f1"]) == (1.0, 1.0, 1.0)
    assert (empty["recall"]["value"], empty["precision"]["n"], empty["f1"]) == (0.0, 0, None)
    assert (empty["mcnemar"]["only_baseline"], empty["mcnemar"]["p_value"]) == (4, 0.125)
    names = [one["name"] for one in measures(out)["discrimination"]]
    assert names == ["same", "none-of-it", "gold", "none"]
    refined = {one["name"]: one["after"]["clip_each"] for one in measures(out)["refinement"]}
    assert refined == {"self": 0.0, "same": 1.0, "none-of-it": 0.0, "gold": 1.0}
    again = evaluate(out, given)
    stages = {name: one.computed for name, one in again.stages.items()}
    assert stages.pop("read") == stages.pop("report") == 2
    assert set(stages.values()) == {0}
    for path in [*(out / "report").iterdir(), *out.glob("report.*"), out / "measures.json"]:
        assert MARKER not in path.read_text()


@pytest.mark.parametrize("judge", ["places", "oracle"])
def test_a_judge_of_places_ties_and_an_oracle_wins(tmp_path: Path, out: Path, judge: str) -> None:
    def oracle(first: str, second: str) -> tuple[bool, bool]:
        return first == REFERENCE, second == REFERENCE

    given = write_evaluated(tmp_path)
    writer = RubricWriter(oracle if judge == "oracle" else first_answer)
    with serving(writer) as server:
        given |= {"provider": "openai", "model": "m", "base_url": server.base_url}
        evaluate(out, {**given, "measure": ["discrimination"]})
    assert writer.roles.count("pair") == 2 * 6 * 2
    assert writer.roles.count("compare") == 2 * 6
    found = {one["name"]: one for one in measures(out)["discrimination"]}
    counts = [(one["wins"], one["ties"], one["losses"]) for one in (found["same"], found["none"])]
    assert counts == [(2, 0, 0)] * 2 if judge == "oracle" else counts == [(0, 2, 0)] * 2
    assert found["same"]["auroc_by_win"] is None
    assert found["same"]["pairs"] == 2
    assert found["same"]["mean_delta"]["value"] == (13.0 if judge == "oracle" else 0.0)


def test_several_judges_are_compared(tmp_path: Path, out: Path) -> None:
    given = write_evaluated(tmp_path) | {"measure": ["discrimination"]}
    with serving(RubricWriter()) as server:
        given |= {"provider": "openai", "model": "m", "base_url": server.base_url}
        evaluate(out, {**given, "judge": ["judge", "other-judge"]})
    found = [(one["name"], one["agreement"], one["n"]) for one in measures(out)["agreement"]]
    assert found == [("same", 1.0, 2), ("gold", 1.0, 2), ("none", 1.0, 2)]


def test_a_judge_that_never_answers_validly_ends_the_run_with_errors_counted(
    tmp_path: Path, out: Path
) -> None:
    given = write_evaluated(tmp_path) | {"measure": ["discrimination"]}
    with serving(RubricWriter(None)) as server:
        given |= {"provider": "openai", "model": "m", "base_url": server.base_url}
        with pytest.raises(
            TooManyFailed, match=r"6 of 6 pairs could not be read.*First: pair: the reply"
        ):
            evaluate(out, given)
    report = json.loads((out / "report" / "run.json").read_text())
    assert report["outcome"] == "failed"
    assert (report["stages"]["pairs"]["computed"], report["stages"]["pairs"]["failed"]) == (0, 6)
    assert [one["id"] for one in report["items"]][:2] == ["0 gold m", "0 none m"]
    assert {one["reason"] for one in report["items"]} == {
        "pair: the reply breaks 1 rules after 3 repairs",
        "compare: the reply breaks 1 rules after 3 repairs",
    }
    assert not (out / "measures.json").exists()


def test_ablations_are_shown_beside_the_whole_pipeline(tmp_path: Path, out: Path) -> None:
    queries = write_queries(tmp_path)
    generate(queries, out, without=["nothing", "intent"])
    gold = [
        {
            "query_id": id,
            "rubrics": [
                {
                    "criterion": "Mentions the age",
                    "axis": "context_awareness",
                    "points": 5,
                }
            ],
        }
        for id in ("0", "1")
    ]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, gold)))
    files = [out / f"rubrics.{name}.jsonl" for name in ("full", "without-intent")]
    evaluated = tmp_path / "evaluated"
    given = {
        "rubrics": [f"{name}={path}" for name, path in zip("ab", files, strict=True)],
        "reference": str(tmp_path / "gold.jsonl"),
        "queries": queries,
        "measure": ["coverage"],
    }
    evaluate(evaluated, given)
    (row,) = measures(evaluated)["ablations"]
    # Whoever is bloated is asked about the age; the page on vaccines speaks of it anyway.
    assert (row["name"], row["queries"], row["cia"]) == ("without-intent", 2, -0.5)
    assert (row["win_rate"], row["mean_delta"]) == (None, None)
    page = (evaluated / "report.md").read_text()
    assert "| without-intent | published, HealthBench |" in page

    # A rubric that could not be generated is no effect of the ablation: query 0 is left out.
    files[1].write_text("".join(files[1].read_text().splitlines(keepends=True)[1:]))
    evaluate(evaluated, given)
    (row,) = measures(evaluated)["ablations"]
    assert (row["queries"], row["cia"]) == (1, 0.0)


def test_an_evaluation_says_what_it_lacks(tmp_path: Path, out: Path) -> None:
    given = write_evaluated(tmp_path)
    for name, told in (
        ("rubrics", "rubrics is not set"),
        ("reference", "reference is not set"),
        ("answers", "answers is not set"),
    ):
        with pytest.raises(SettingError, match=told):
            evaluate_rubrics(out=str(out), **{**given, name: None})
    checklist = {"problem": "another question", "checklist": ["说明何时就医"]}
    (tmp_path / "checklists.jsonl").write_text(f"{json.dumps(checklist)}\n" * 2)
    with pytest.raises(SourceError, match="checklists be of the same problems"):
        evaluate(out, {**given, "reference": str(tmp_path / "checklists.jsonl")})
    (tmp_path / "strange.jsonl").write_text(json.dumps({"index": 7, "rubrics": GOLD_CRITERIA}))
    with pytest.raises(SourceError, match="ours: no rubric of this set is one to a query"):
        evaluate(out, {**given, "rubrics": [f"ours={tmp_path / 'strange.jsonl'}"]})
    (tmp_path / "others.jsonl").write_text(json.dumps({"index": 7, "answer": "Rest."}))
    for name in ("answers", "base"):
        with pytest.raises(SourceError, match="no answer is one to a query"):
            evaluate(out, {**given, name: str(tmp_path / "others.jsonl")})
    assert not out.exists()


def test_a_verdict_that_was_not_answered_is_asked_for_again_and_an_unreadable_one_is_not(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Moody(RubricWriter):
        """Has no answer to the first constraint, and none that can be read to the second."""

        answers = False

        def __call__(self, messages: Sequence[Any]) -> str:
            asked = messages[1]["content"]
            if asked.startswith("Does a rubric") and not self.answers:
                constraint = fenced_parts(messages)["constraint"]
                if "water" in constraint:
                    raise LookupError
                return "perhaps"
            return super().__call__(messages)

    monkeypatch.setenv("ANAMNESIS_FAILED_SHARE_LIMIT", "1")
    given = write_evaluated(tmp_path) | {"measure": ["coverage"]}
    writer = Moody()
    with serving(writer) as server:
        given |= {"provider": "openai", "model": "m", "base_url": server.base_url}
        report = evaluate(out, given)
        assert measures(out)["coverage"][0]["errors"] == 8
        assert report.outcome == "completed_with_failures"
        assert [(one.id, one.reason.partition(": ")[0]) for one in report.items] == [
            ("0 same", "4 verdicts not read"),
            ("1 same", "4 verdicts not read"),
        ]
        writer.answers = True
        before = len(server.requests)
        evaluate(out, given)
        asked = [fenced_parts(one.messages)["constraint"] for one in server.requests[before:]]
        assert [text for text in asked if "water" not in text] == []
        # The gold constraint and the set's are one: a question is asked once.
        assert len(asked) == 2
        assert measures(out)["coverage"][0]["errors"] == 4
        before = len(server.requests)
        evaluate(out, given)
        assert len(server.requests) == before


def test_one_pair_that_can_t_be_made_is_listed_and_the_others_are_measured(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Careful(RubricWriter):
        def __call__(self, messages: Sequence[Any]) -> str:
            asked = messages[1]["content"]
            spoils = asked.startswith("Spoil") and MARKER in asked
            return "no" if spoils else super().__call__(messages)

    given = write_evaluated(tmp_path) | {"measure": ["discrimination"]}
    with serving(Careful()) as server:
        given |= {"provider": "openai", "model": "m", "base_url": server.base_url}
        with pytest.raises(TooManyFailed, match="1 of 2 near-misses failed"):
            evaluate(out, given)
        assert json.loads((out / "report" / "run.json").read_text())["outcome"] == "failed"
        monkeypatch.setenv("ANAMNESIS_FAILED_SHARE_LIMIT", "0.5")
        report = evaluate(out, given)
    assert report.outcome == "completed_with_failures"
    assert {one["pairs"] for one in measures(out)["discrimination"]} == {1}
