from __future__ import annotations

import csv
import json
import stat
from pathlib import Path

import pytest

from tasks.contracts.questions import ABSTENTION
from tests.factories.published import QUESTIONS, TIMELINE, change, publish
from tests.factories.released_patients import SUBJECTS
from tests.factories.releases import write_release
from tests.flows.evaluating import (
    MODEL,
    evaluate,
    evaluate_by_rules,
    everything_prefect_keeps,
    read_answers,
    rows,
    scores,
    serving,
)
from tests.servers.answer_writer import gold_answers

pytestmark = pytest.mark.usefixtures("prefect_server")

BASELINES = {"always-abstain", "question-only", "extractive"}
MARKER = "zyxwordofapatient"


def test_an_oracle_is_right_throughout_and_a_second_run_asks_nothing(
    release: Path, out: Path
) -> None:
    gold = gold_answers(release)
    with serving(gold.__getitem__) as (server, writer):
        report = evaluate(release, out, server)
        first = {path.name: path.read_bytes() for path in out.glob("*.*") if path.is_file()}
        asked = len(server.requests)
        again = evaluate(release, out, server)
    assert len(server.requests) == asked
    assert report.outcome == again.outcome == "completed"
    assert {name: count.computed for name, count in again.stages.items()} == {
        "read": 0, "answers": 0, "judgments": 0, "scores": 0, "report": 4,
    }  # fmt: skip
    assert {path.name: path.read_bytes() for path in out.glob("*.*") if path.is_file()} == first
    assert [gate.stage for gate in report.gates] == ["predictions", "judgments", "scores"]

    found = rows(out)
    assert found.keys() == {f"{MODEL}/full-context", *BASELINES}
    oracle = found[f"{MODEL}/full-context"]
    assert (oracle["j"], oracle["acc_medlocomo"], oracle["acc_clinical"]) == ("1", "1", "1")
    assert (oracle["f1_medlocomo"], oracle["score_medlocomo"]) == ("1", "1")
    assert (oracle["judge"], oracle["valid"]) == ("judge", "yes")
    questions = 2 * 12
    assert oracle["questions"] == oracle["answered"] == str(questions)
    assert int(oracle["j_n"]) + int(oracle["acc_medlocomo_n"]) == questions
    assert sorted(set(writer.asked)) == sorted(gold)
    assert len(scores(out)) == 4 * questions


def test_one_that_always_abstains_is_right_on_adversarial_questions_alone(
    release: Path, out: Path
) -> None:
    with serving(lambda _: ABSTENTION) as (server, writer):
        evaluate(release, out, server)
    found = rows(out)[f"{MODEL}/full-context"]
    assert (found["j"], found["acc_medlocomo"], found["f1_medlocomo"]) == ("0", "1", "0")
    share = int(found["acc_medlocomo_n"]) / int(found["questions"])
    assert float(found["score_medlocomo"]) == pytest.approx(share, abs=1e-6)
    abstaining = {**rows(out)["always-abstain"]}
    for name in ("j", "acc_medlocomo", "score_medlocomo", "f1_clinical"):
        assert abstaining[name] == found[name]
    # Nothing was said that a judge could be asked about, but by the readers by rule.
    assert writer.judged == sum(
        row["judged"] is not None and not row["abstained"]["clinical"] for row in scores(out)
    )


def test_the_published_layout_evaluates_unchanged(release: Path, out: Path, tmp_path: Path) -> None:
    published = publish(release, tmp_path / "published")
    gold = gold_answers(release)
    with serving(gold.__getitem__) as (server, _):
        report = evaluate(published, out, server)
    oracle = rows(out)[f"{MODEL}/full-context"]
    assert report.outcome == "completed"
    assert (oracle["j"], oracle["acc_medlocomo"], oracle["score_clinical"]) == ("1", "1", "1")


def test_questions_of_two_patients_may_have_one_id(
    release: Path, out: Path, tmp_path: Path
) -> None:
    numbered = publish(release, tmp_path / "numbered")
    for path in numbered.glob(f"*/{QUESTIONS}"):
        asked = json.loads(path.read_text())["qas"]
        for place, one in enumerate(asked, start=1):
            one["qa_id"] = f"q{place:02}"
        path.write_text(json.dumps({"qas": asked}))
    gold = gold_answers(release)
    with serving(gold.__getitem__) as (server, _):
        report = evaluate(numbered, out, server)
    assert report.outcome == "completed"
    oracle = rows(out)[f"{MODEL}/full-context"]
    assert (oracle["questions"], oracle["score_medlocomo"]) == ("24", "1")
    assert len({(one["subject_id"], one["qa_id"]) for one in scores(out)}) == 24


def test_a_release_of_adversarial_questions_alone_has_no_j(
    release: Path, out: Path, tmp_path: Path
) -> None:
    unanswerable = publish(release, tmp_path / "unanswerable")
    for path in unanswerable.glob(f"*/{QUESTIONS}"):
        asked = json.loads(path.read_text())["qas"]
        kept = [one for one in asked if one["question_type"] == "adversarial"]
        path.write_text(json.dumps({"qas": kept}))
    report = evaluate_by_rules(unanswerable, out)
    assert report.outcome == "completed"
    row = rows(out)["always-abstain"]
    assert (row["j"], row["j_n"], row["f1_medlocomo"], row["f1_medlocomo_n"]) == ("", "0", "", "0")
    assert (row["acc_medlocomo"], row["score_medlocomo"]) == ("1", "1")
    assert row["acc_medlocomo_n"] == row["score_medlocomo_n"] == row["questions"]


def test_evidence_of_unknown_admissions_is_counted_in_the_report(
    release: Path, out: Path, tmp_path: Path
) -> None:
    odd = publish(release, tmp_path / "odd")
    change(odd / SUBJECTS[0] / QUESTIONS, evidence={"admissions": [7], "turn_ids": [1]})
    report = evaluate_by_rules(odd, out)
    assert [(one.table, one.oddity, one.count) for one in report.oddities] == [
        (QUESTIONS, "evidence_of_unknown_admission", 1)
    ]
    assert "evidence_of_unknown_admission" in (out / "report" / "index.html").read_text()


def test_another_model_is_asked_alone_and_the_earlier_one_keeps_its_row(
    release: Path, out: Path
) -> None:
    gold = gold_answers(release)
    with serving(gold.__getitem__) as (server, _):
        evaluate(release, out, server)
        before, asked = rows(out), len(server.requests)
        evaluate(release, out, server, model=["other-model"])
        new = {request.body["model"] for request in server.requests[asked:]}
    assert new == {"other-model", "judge"}
    after = rows(out)
    assert after.keys() == {*before, "other-model/full-context"}
    for system, row in before.items():
        assert after[system] == row
    html = (out / "report.html").read_text(encoding="utf-8")
    assert f"{MODEL}/full-context" in html
    assert "other-model/full-context" in html


def test_rows_of_another_release_stay(release: Path, out: Path, tmp_path: Path) -> None:
    other = write_release(tmp_path / "other", [SUBJECTS[0]])
    first = evaluate_by_rules(release, out)
    second = evaluate_by_rules(other, out)
    assert (first.outcome, second.outcome) == ("completed", "completed")
    with (out / "leaderboard.csv").open(encoding="utf-8", newline="") as stream:
        found = [(row["release"], row["system"]) for row in csv.DictReader(stream)]
    assert len({release for release, _ in found}) == 2
    assert len(found) == len(set(found)) == 2 * 4
    assert len(scores(out)) == 4 * (24 + 12)


def test_no_text_of_a_patient_leaves_the_cache(release: Path, out: Path, tmp_path: Path) -> None:
    marked = publish(release, tmp_path / "marked")
    for folder in marked.iterdir():
        timeline = json.loads((folder / TIMELINE).read_text())
        timeline["admissions"][0]["conversation_lines"][0]["text"] += f" {MARKER}"
        (folder / TIMELINE).write_text(json.dumps(timeline))
        change(folder / QUESTIONS, question=f"What is {MARKER}?", answer=MARKER)
    with serving(lambda _: MARKER) as (server, _):
        evaluate(marked, out, server, strategy=["bm25", "dense-turns"])
    evaluate_by_rules(marked, out, strategy=["mem0"])
    outside = [
        path
        for path in out.rglob("*")
        if path.is_file() and "cache" not in path.relative_to(out).parts
    ]
    assert {path.name for path in outside} >= {"leaderboard.csv", "report.html", "run.json"}
    assert [path for path in outside if MARKER.encode() in path.read_bytes()] == []
    assert MARKER in "".join(line["answer"] for line in read_answers(out, "test-model_bm25"))
    for folder in (out / "cache", *(out / "cache").glob("*/")):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    kept = everything_prefect_keeps()
    assert f"read {marked / SUBJECTS[0]}" in kept
    assert "evaluation-comparisons" in kept
    assert MARKER not in kept


@pytest.mark.parametrize(
    ("until", "stages", "files"),
    [
        ("answers", ["read", "answers"], set()),
        ("judgments", ["read", "answers", "judgments"], set()),
        ("scores", ["read", "answers", "judgments", "scores"], {"scores.jsonl", "leaderboard.csv"}),
    ],
)
def test_a_stage_can_be_the_last_one(
    release: Path, out: Path, until: str, stages: list[str], files: set[str]
) -> None:
    report = evaluate_by_rules(release, out, until=until)
    assert list(report.stages) == stages
    assert {path.name for path in out.glob("*.*") if not path.name.startswith(".")} == files
    assert len(list((out / "cache" / "predictions").glob("*.jsonl"))) == 4


def test_repeated_verdicts_are_asked_for_one_by_one_and_their_agreement_is_reported(
    release: Path, out: Path
) -> None:
    gold = gold_answers(release)
    with serving(gold.__getitem__) as (server, writer):
        evaluate(release, out, server, judge_repeats=3)
        asked = writer.judged
        evaluate(release, out, server, judge_repeats=3)
    assert writer.judged == asked
    judged = [one for one in scores(out) if one["system"] == f"{MODEL}/full-context"]
    agreements = [one["judge_agreement"] for one in judged if one["judged"] is not None]
    assert set(agreements) == {1.0}
    assert f"<td>{MODEL}/full-context</td><td>judge</td>" in (out / "report.html").read_text()


def test_the_judge_can_be_served_elsewhere(release: Path, out: Path) -> None:
    gold = gold_answers(release)
    with (
        serving(gold.__getitem__) as (server, answers),
        serving(gold.__getitem__) as (other, verdicts),
    ):
        evaluate(release, out, server, judge_base_url=other.base_url)
    assert (answers.judged, len(verdicts.asked)) == (0, 0)
    assert verdicts.judged > 0
    assert len(answers.asked) == 24


def test_embeddings_of_an_endpoint_are_asked_for_once(release: Path, out: Path) -> None:
    gold = gold_answers(release)
    with serving(gold.__getitem__) as (server, _):
        settings = {"strategy": ["dense"], "embeddings_model": "embedder"}
        report = evaluate(release, out, server, **settings)
        asked = len(server.requests)
        again = evaluate(release, out, server, **settings)
    assert len(server.requests) == asked
    assert report.usage.by_stage["embeddings"].requests > 0
    assert again.usage.requests == 0


def test_every_strategy_runs_without_a_server(release: Path, out: Path) -> None:
    report = evaluate_by_rules(release, out, strategy=["all"])
    assert report.outcome == "completed"
    assert len(rows(out)) == 8 + 3
    assert (report.stages["memories"].computed, report.usage.requests) == (3 * 2, 0)
