from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flows.evaluate_benchmark import evaluate_benchmark
from tasks.answering import steps as answer_steps
from tasks.contracts.build import RunReport
from tasks.contracts.errors import (
    GateFailed,
    ItemFailed,
    ProviderUnavailable,
    ReleaseError,
    SettingError,
    TooManyFailed,
)
from tasks.contracts.questions import ABSTENTION
from tests.factories.published import QUESTIONS, change, publish
from tests.factories.released_patients import SUBJECTS
from tests.flows.evaluating import (
    MODEL,
    evaluate,
    evaluate_by_rules,
    read_answers,
    rows,
    scores,
    serving,
)
from tests.servers.answer_writer import gold_answers
from tests.servers.faults import Fault, FaultPlan

pytestmark = pytest.mark.usefixtures("prefect_server")


def test_a_cut_reply_is_flagged_and_makes_the_run_invalid(release: Path, out: Path) -> None:
    cut = FaultPlan(shares={Fault.LENGTH: 1.0})
    with serving(lambda _: "words", faults=cut) as (server, _), pytest.raises(GateFailed) as caught:
        evaluate(release, out, server, judge_model=None)
    message = str(caught.value)
    assert "the scores gate failed, 1 of" in message
    assert f"1 rows, {MODEL}/full-context" in message
    assert f"the figures are written, those of invalid runs marked: {out}/report.html" in message
    found = rows(out)[f"{MODEL}/full-context"]
    assert (found["valid"], found["failed"], found["answered"]) == ("no", "24", "0")
    assert (found["j"], found["score_medlocomo"]) == ("", "")
    assert "Invalid runs, too many errors: test-model/full-context" in (
        out / "report.html"
    ).read_text(encoding="utf-8")
    lines = read_answers(out, "test-model_full-context")
    assert {line["outcome"] for line in lines} == {"failed"}
    assert all("cut at its output limit" in line["reason"] for line in lines)


def test_an_invalid_run_that_stops_at_its_scores_names_the_file_that_it_wrote(
    release: Path, out: Path
) -> None:
    cut = FaultPlan(shares={Fault.LENGTH: 1.0})
    with serving(lambda _: "words", faults=cut) as (server, _), pytest.raises(GateFailed) as caught:
        evaluate(release, out, server, judge_model=None, until="scores")
    assert str(caught.value).endswith(f"those of invalid runs marked: {out}/leaderboard.csv")
    assert rows(out)[f"{MODEL}/full-context"]["valid"] == "no"
    assert not (out / "report.html").exists()


def test_missing_answers_are_asked_for_once_more_and_then_count_as_missing(
    release: Path, out: Path
) -> None:
    gold = gold_answers(release)
    lost = next(one for one, answer in gold.items() if answer != ABSTENTION)
    with serving(lambda one: None if one == lost else gold[one]) as (server, writer):
        evaluate(release, out, server, judge_model=None)
    patients = sum(lost in path.read_text() for path in release.glob(f"*/{QUESTIONS}"))
    assert writer.asked.count(lost) == 2 * patients
    assert all(writer.asked.count(one) <= 2 for one in gold if one != lost)
    found = rows(out)[f"{MODEL}/full-context"]
    assert (found["missing"], found["failed"], found["valid"]) == (str(patients), "0", "yes")
    missing = [one for one in scores(out) if one["outcome"] == "missing"]
    assert {one["judged"] for one in missing} == {"wrong"}
    assert {one["overlap"]["medlocomo"]["f1"] for one in missing} == {0.0}


def test_a_release_that_cant_be_read_leaves_nothing_behind(
    release: Path, out: Path, tmp_path: Path
) -> None:
    broken = publish(release, tmp_path / "broken")
    change(broken / SUBJECTS[0] / QUESTIONS, question_type="medical_reasoning", answer=None)
    with pytest.raises(ReleaseError, match="no answer, though the question is not adversarial"):
        evaluate_by_rules(broken, out)
    assert not out.exists()


def test_credentialed_text_is_not_sent_away(release: Path, out: Path, tmp_path: Path) -> None:
    unmarked = publish(release, tmp_path / "unmarked")
    with pytest.raises(SettingError, match="the data is credentialed"):
        evaluate_benchmark(
            release=str(unmarked),
            out=str(out),
            provider="openai",
            model=[MODEL],
            base_url="https://models.example.org/v1",
        )
    assert not out.exists()


@pytest.mark.parametrize("setting", ["judge_base_url", "embeddings_url"])
def test_a_refused_address_is_named_by_its_own_setting(
    release: Path, out: Path, tmp_path: Path, setting: str
) -> None:
    unmarked = publish(release, tmp_path / "unmarked")
    given: dict[str, Any] = {"judge_model": "judge", "embeddings_model": "embedder"}
    given[setting] = "https://models.example.org/v1"
    with pytest.raises(SettingError, match=f"^{setting}: models.example.org is not on this"):
        evaluate_benchmark(
            release=str(unmarked),
            out=str(out),
            provider="openai",
            model=[MODEL],
            base_url="http://127.0.0.1:9/v1",
            strategy=["dense"],
            **given,
        )
    assert not out.exists()


def test_a_chunk_whose_task_failed_is_failed_and_asked_again_by_the_next_run(
    release: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = answer_steps.answer_unread

    def fail_once(patient: Any, system: Any, asked: Any) -> Any:
        if patient.subject_id == SUBJECTS[0] and system.strategy == "question-only":
            raise ItemFailed("lost by the test")
        return whole(patient, system, asked)

    monkeypatch.setattr(answer_steps, "answer_unread", fail_once)
    with pytest.raises(TooManyFailed, match=r"First: 99000001 question-only 0, lost by the test"):
        evaluate_by_rules(release, out)
    monkeypatch.setenv("ANAMNESIS_FAILED_SHARE_LIMIT", "0.5")
    with pytest.raises(GateFailed, match="1 rows, question-only"):
        evaluate_by_rules(release, out)
    lost = rows(out)["question-only"]
    assert (lost["questions"], lost["failed"], lost["valid"]) == ("24", "12", "no")
    run = RunReport.model_validate_json((out / "report" / "run.json").read_bytes())
    assert (run.stages["answers"].failed, run.stages["answers"].cached) == (1, 7)
    assert [(one.id, one.reason) for one in run.items] == [
        (f"{SUBJECTS[0]} question-only 0", "lost by the test")
    ]

    monkeypatch.setattr(answer_steps, "answer_unread", whole)
    report = evaluate_by_rules(release, out)
    assert (report.outcome, report.stages["answers"].computed) == ("completed", 1)
    assert rows(out)["question-only"]["failed"] == "0"


def test_a_model_that_cant_be_reached_ends_the_run_and_the_next_one_goes_on(
    release: Path, out: Path
) -> None:
    gold = gold_answers(release)
    spent = FaultPlan(script=[None, Fault.QUOTA_SPENT, *([None] * 100)])
    with serving(gold.__getitem__, faults=spent) as (server, writer):
        with pytest.raises(ProviderUnavailable):
            evaluate(release, out, server, concurrency=1)
        assert not (out / "leaderboard.csv").exists()
        asked = len(writer.asked)
        evaluate(release, out, server, concurrency=1)
    assert 0 < asked < len(writer.asked)
    assert rows(out)[f"{MODEL}/full-context"]["j"] == "1"
    assert len(writer.asked) == 24


def test_a_judge_that_says_nothing_readable_makes_the_run_invalid(release: Path, out: Path) -> None:
    gold = gold_answers(release)
    with serving(gold.__getitem__) as (server, writer):
        writer.undecided = True
        with pytest.raises(GateFailed, match="the scores gate failed"):
            evaluate(release, out, server)
    found = rows(out)[f"{MODEL}/full-context"]
    assert (found["valid"], found["j"], found["acc_medlocomo"]) == ("no", "", "1")
    assert int(found["judge_errors"]) == 24 - int(found["acc_medlocomo_n"])
