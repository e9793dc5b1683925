"""What an evaluation says it would ask, against what it then asks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from flows import cli
from flows.evaluate_benchmark import evaluate_benchmark
from flows.evaluation_estimating import estimate_evaluation
from flows.evaluation_settings import load_evaluation_settings
from tasks.adapters.tokens import count_tokens
from tasks.answering.estimating import TOKENS_OF_THE_UNKNOWN
from tasks.contracts.errors import ReleaseError, SettingError
from tasks.contracts.usage import Estimate, StageEstimate
from tests.factories.published import QUESTIONS, TIMELINE, publish
from tests.factories.released_patients import SUBJECTS
from tests.flows.evaluating import MODEL, evaluate, serving
from tests.servers.answer_writer import gold_answers
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Message
from tests.servers.fences import fenced_parts
from tests.servers.recording import Recorded
from tests.servers.requests import ModelRules

pytestmark = pytest.mark.usefixtures("prefect_server", "open_data")

JUDGE = "judge judge"
SMALL: dict[str, Any] = {"context_tokens": 2048, "output_tokens": 256}
LONG = " ".join(["word"] * 60)
"""With two numbers before it at most as many tokens as a memory is reckoned to have."""
SUMMARY = "so " * 400


def estimated(release: Path, out: Path, server: ChatServer, **given: Any) -> Estimate:
    settings = {"strategy": ["full-context"], "model": [MODEL], "judge_model": "judge", **given}
    return estimate_evaluation(
        load_evaluation_settings(
            release=release, out=out, provider="openai", base_url=server.base_url, **settings
        )
    )


def received(server: ChatServer, *fences: str) -> list[Recorded]:
    """The requests with one of these fences in their task."""
    chats = [one for one in server.requests if "messages" in one.body]
    return [one for one in chats if set(fences) & fenced_parts(one.messages).keys()]


def prompt_tokens(requests: Iterable[Recorded]) -> int:
    return sum(count_tokens(said["content"]) for one in requests for said in one.messages)


def output_limit(request: Recorded) -> int:
    found = request.body.get("max_tokens") or request.body["max_completion_tokens"]
    assert 0 < found <= 4096
    return found


def assert_exact(expected: StageEstimate, requests: Sequence[Recorded]) -> None:
    assert expected.certainty == "exact"
    assert (expected.calls, expected.input_tokens) == (len(requests), prompt_tokens(requests))


def assert_bound(expected: StageEstimate, requests: Sequence[Recorded]) -> None:
    assert expected.certainty == "at most"
    assert 0 < len(requests) <= expected.calls
    assert prompt_tokens(requests) <= expected.input_tokens
    assert sum(one.output_tokens for one in requests) <= expected.output_tokens


@pytest.mark.parametrize(
    ("strategy", "sizes", "calls"),
    [
        # Two patients with twelve questions each, ten a call where all are shown the same.
        pytest.param("full-context", {}, 4, marks=pytest.mark.slow),
        ("full-context", SMALL, 4),
        ("bm25", SMALL, 24),
        pytest.param("dense", SMALL, 24, marks=pytest.mark.slow),
        pytest.param("bm25-turns", SMALL, 24, marks=pytest.mark.slow),
        ("dense-turns", {}, 24),
    ],
)
def test_what_is_known_before_is_asked_exactly(
    strategy: str, sizes: dict[str, Any], calls: int, release: Path, out: Path
) -> None:
    gold = gold_answers(release)
    with serving(gold.__getitem__) as (server, _):
        expected = estimated(release, out, server, strategy=[strategy], **sizes)
        assert server.requests == []
        assert not out.exists()
        evaluate(release, out, server, strategy=[strategy], **sizes)
        answers = received(server, "questions")
        verdicts = received(server, "the answer to judge")
    system = expected.stages[f"{MODEL}/{strategy}"]
    assert (system.calls, system.kept) == (calls, 0)
    # What the context leaves, at most the limit that is set.
    assert system.output_tokens == sum(output_limit(one) for one in answers)
    assert_exact(system, answers)
    assert_bound(expected.stages[JUDGE], verdicts)
    # The baselines' answers are judged too; those of the one that always abstains aren't.
    assert list(expected.stages) == [f"{MODEL}/{strategy}", JUDGE, "in all"]
    total = expected.stages["in all"]
    assert total.calls == calls + expected.stages[JUDGE].calls
    assert total.certainty == "at most"


def test_replies_already_there_are_counted_as_kept_and_their_verdicts_are_known(
    release: Path, out: Path
) -> None:
    gold = gold_answers(release)
    given: dict[str, Any] = {"strategy": ["bm25"]}
    with serving(gold.__getitem__) as (server, _):
        evaluate(release, out, server, until="answers", **given)
        asked = len(server.requests)
        half = estimated(release, out, server, **given)
        more = estimated(
            release, out, server, strategy=["bm25", "full-context"], model=[MODEL, "other-model"]
        )
        files = sorted(out.rglob("*"))
        assert len(server.requests) == asked == 24
        evaluate(release, out, server, **given)
        verdicts = received(server, "the answer to judge")
        whole = estimated(release, out, server, **given)
        assert len(server.requests) == asked + len(verdicts)
    kept = half.stages[f"{MODEL}/bm25"]
    assert (kept.calls, kept.kept, kept.input_tokens, kept.output_tokens) == (0, 24, 0, 0)
    judge = half.stages[JUDGE]
    assert judge.calls >= len(verdicts)
    assert {name: (one.calls, one.kept) for name, one in more.stages.items() if "/" in name} == {
        f"{MODEL}/bm25": (0, 24),
        f"{MODEL}/full-context": (4, 0),
        "other-model/bm25": (24, 0),
        "other-model/full-context": (4, 0),
    }
    assert [path for path in files if path.name.endswith(".tmp")] == []
    done = whole.stages["in all"]
    assert (done.calls, done.input_tokens, done.kept) == (0, 0, 24 + len(verdicts))
    assert done.certainty == "exact"


def longest_memories(messages: Sequence[Message]) -> str:
    """A model that makes as much of everything as it may, and never says the same twice."""
    task = messages[-1]["content"]
    number = count_tokens(task)
    if "Write down what is worth remembering" in task:
        kind = {"kind": "episodic"} if "episodic" in task else {}
        texts = [f"{number} {place} {LONG}" for place in range(32)]
        return json.dumps({"candidates": [{"time": "", "text": one, **kind} for one in texts]})
    if "Decide for" in task:
        return json.dumps({"decisions": []})
    if "Write the summary anew" in task:
        return json.dumps({"summary": SUMMARY})
    if "the answer to judge" in task:
        return json.dumps({"correct": True})
    numbers = range(1, 1 + int(task.rpartition("from 1 to ")[2].partition(".")[0]))
    return json.dumps({"answers": [{"number": n, "answer": f"{n} {LONG}"} for n in numbers]})


@pytest.mark.parametrize(
    "strategy",
    ["mem0", *(pytest.param(one, marks=pytest.mark.slow) for one in ("mem0-star", "mem-alpha"))],
)
def test_prompts_that_hold_what_a_model_says_stay_below_the_bound_and_are_exact_once_it_is_said(
    strategy: str, release: Path, out: Path
) -> None:
    assert count_tokens(f"9999 31 {LONG}") == TOKENS_OF_THE_UNKNOWN
    models = {name: ModelRules() for name in (MODEL, "judge")}
    system, memories = f"{MODEL}/{strategy}", f"{MODEL}/{strategy}, memories"
    with ChatServer(longest_memories, models=models) as server:
        expected = estimated(release, out, server, strategy=[strategy])
        assert server.requests == []
        evaluate(release, out, server, strategy=[strategy], until="answers")
        remembered = received(server, "conversations", "new observations", "observations")
        remembered = [one for one in remembered if "questions" not in fenced_parts(one.messages)]
        answers = received(server, "questions")
        between = estimated(release, out, server, strategy=[strategy], model=[MODEL])
        again = estimated(release, out, server, strategy=[strategy], output_tokens=4000)
        evaluate(release, out, server, strategy=[strategy])
        verdicts = received(server, "the answer to judge")
    assert_bound(expected.stages[memories], remembered)
    assert_bound(expected.stages[system], answers)
    assert_bound(expected.stages[JUDGE], verdicts)
    assert between.stages[memories].kept == len(remembered)
    assert (between.stages[memories].calls, between.stages[system].calls) == (0, 0)
    assert between.stages[system].certainty == "exact"
    # Another limit is another request.
    assert again.stages[memories].calls == expected.stages[memories].calls


def test_an_endpoints_embeddings_are_counted_and_what_they_find_is_bounded(
    release: Path, out: Path
) -> None:
    gold = gold_answers(release)
    given: dict[str, Any] = {"strategy": ["dense-turns"], "embeddings_model": "embedder", **SMALL}
    with serving(gold.__getitem__) as (server, _):
        expected = estimated(release, out, server, **given)
        assert server.requests == []
        evaluate(release, out, server, **given)
        embedded = [one.body["input"] for one in server.requests if "input" in one.body]
        answers = received(server, "questions")
        again = estimated(release, out, server, **given)
    vectors = expected.stages["embeddings embedder"]
    assert vectors.certainty == "exact"
    assert (vectors.calls, vectors.input_tokens, vectors.output_tokens) == (
        len(embedded),
        sum(count_tokens(text) for texts in embedded for text in texts),
        0,
    )
    assert_bound(expected.stages[f"{MODEL}/dense-turns"], answers)
    assert again.stages["in all"].calls == 0
    assert again.stages["embeddings embedder"].kept == len(embedded)


def test_the_same_question_twice_is_asked_once(release: Path, out: Path, tmp_path: Path) -> None:
    doubled = publish(release, tmp_path / "doubled")
    for path in doubled.glob(f"*/{QUESTIONS}"):
        asked = json.loads(path.read_text())["qas"][:3]
        copies = [{**one, "qa_id": f"{one['qa_id']}b"} for one in asked]
        path.write_text(json.dumps({"qas": asked + copies}))
    gold = gold_answers(release)
    with serving(gold.__getitem__) as (server, _):
        expected = estimated(doubled, out, server, strategy=["bm25"])
        evaluate(doubled, out, server, strategy=["bm25"])
        answers = received(server, "questions")
    assert len(answers) == 2 * 3
    assert_exact(expected.stages[f"{MODEL}/bm25"], answers)


def test_no_judge_is_reckoned_where_none_is_asked(release: Path, out: Path) -> None:
    with serving(lambda _: None) as (server, _):
        rules = estimated(release, out, server, judge_model=None)
        until = estimated(release, out, server, until="answers")
        twice = estimated(release, out, server, judge_repeats=3)
        once = estimated(release, out, server)
    assert list(rules.stages) == list(until.stages) == [f"{MODEL}/full-context", "in all"]
    assert twice.stages[JUDGE].calls == 3 * once.stages[JUDGE].calls
    assert twice.stages[JUDGE].input_tokens == 3 * once.stages[JUDGE].input_tokens
    assert rules.stages["in all"].certainty == "exact"


def test_cost_by_the_price_table(release: Path, out: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    free, dear = {"input_usd_per_million_tokens": 0}, {"input_usd_per_million_tokens": 1_000_000}
    table = {MODEL: {**free, "output_usd_per_million_tokens": 10.0}}
    table["judge"] = {**dear, "output_usd_per_million_tokens": 0}
    prices.write_text(json.dumps(table))
    with serving(lambda _: None) as (server, _):
        stages = estimated(release, out, server, prices=prices, **SMALL).stages
        with pytest.raises(SettingError, match="no price for the model 'other-model'"):
            estimated(release, out, server, prices=prices, model=["other-model"])
    # Four requests whose replies have room for 256 tokens: 1,024 x 10 dollars a million.
    assert (stages[f"{MODEL}/full-context"].usd, stages[f"{MODEL}/full-context"].input_usd) == (
        0.0102,
        0.0,
    )
    judge = stages[JUDGE]
    # A dollar a token, with what a server may count beside the messages.
    assert judge.usd == judge.input_usd
    assert judge.usd is not None
    assert judge.input_tokens < judge.usd < 2 * judge.input_tokens
    assert stages["in all"].usd == pytest.approx(judge.usd + 0.0102)


def test_the_command_needs_neither_key_nor_prices_nor_an_allowed_host(
    release: Path,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("ANAMNESIS_DATA_CLASS", "credentialed")
    command = ["evaluate", "--release", str(release), "--out", str(out), "--provider", "openai"]
    assert cli.main([*command, "--model", "m", "--strategy", "bm25", "mem0", "--estimate"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if line.startswith("m/bm25 0 24 ")]
    assert all(line.endswith("no prices no prices") for line in lines if line.startswith("m/"))
    assert lines[-1] == (
        "estimate: 2 patients, 4 admissions, 24 questions, m; prompts counted with o200k_base, "
        "replies at their limit, new tries left out; nothing was asked"
    )
    assert not out.exists()


def test_the_flow_publishes_the_estimate_and_asks_nothing(release: Path, out: Path) -> None:
    with serving(lambda _: None) as (server, _):
        report = evaluate_benchmark(
            release=str(release),
            out=str(out),
            provider="openai",
            base_url=server.base_url,
            model=[MODEL],
            judge_model="judge",
            estimate=True,
        )
        assert report.estimate == estimated(release, out, server)
        assert server.requests == []
    assert report.outcome == "completed"
    assert not out.exists()


@pytest.mark.parametrize("until", [None, "answers"])
def test_bad_input_is_refused_as_by_an_evaluation(
    until: str | None, release: Path, out: Path, tmp_path: Path
) -> None:
    copied = publish(release, tmp_path / "twice")
    other = copied / "copy"
    other.mkdir()
    for name in (TIMELINE, QUESTIONS):
        (other / name).write_bytes((copied / SUBJECTS[0] / name).read_bytes())
    with serving(lambda _: None) as (server, _):
        with pytest.raises(ReleaseError, match="two folders hold the patient"):
            estimated(copied, out, server, until=until)
        with pytest.raises(ReleaseError, match="no release at"):
            estimated(tmp_path / "nowhere", out, server)
    with pytest.raises(SettingError, match="estimate: nothing is asked of a server"):
        load_evaluation_settings(release=release, out=out, estimate=True)
