"""Rubrics from the command line by a model: kills, repetitions, one changed query, privacy."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tasks.adapters.files import read_model
from tasks.adapters.llm.reply_store import KeptReply
from tests.factories.leaks import find_leaks
from tests.live.building import report_of
from tests.live.command import SECONDS
from tests.live.llama_server import ALIAS, llama_server, small_model
from tests.live.modelled import KEY
from tests.live.site import ANAMNESIS, Site
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan, Message
from tests.servers.recording import Recorded
from tests.servers.requests import ModelRules
from tests.servers.rubric_writer import RubricWriter

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ASKED = "zqxasked"
"""A word of the first query."""
SAID = "zqxsaid"
"""A word of the model's own in facts, intents and answers."""
DECLINED = "zqxdeclined"
QUERIES = {
    "a": f"how to reduce bloating {ASKED}",
    "b": "User: my child has a fever Assistant: How high? User: 39 degrees",
    "c": "感冒发烧怎么办？",
}
FAULTS = (Fault.SHAPE_BROKEN, Fault.SERVER_ERROR, Fault.CUT_BODY, Fault.NO_USAGE)
UNANSWERED = (Fault.SERVER_ERROR, Fault.CUT_BODY)
REQUESTS_A_QUERY = 8
CONCURRENCY = 3
ENVIRONMENT = {
    "OPENAI_API_KEY": KEY,
    "OPENAI_LOG": "debug",
    "PREFECT_LOGGING_LEVEL": "DEBUG",
    "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "true",
}


class Courteous(RubricWriter):
    """Says a word of its own wherever a text is asked for."""

    def __call__(self, messages: Sequence[Message]) -> str:
        reply = super().__call__(messages)
        for said in ("a layperson", "Fact of", "Drink water", "Say more"):
            reply = reply.replace(said, f"{said} {SAID}")
        return reply


@dataclass
class RubricSite:
    """A place with queries, gold rubrics and answers, and the server that is asked.

    ``in_flight`` counts, by kill, requests that the server got and of which nothing is kept.
    """

    site: Site
    server: ChatServer
    in_flight: list[int] = field(default_factory=list[int])

    def write(self, queries: dict[str, str]) -> None:
        """The files; no two queries have anything in common."""

        def criterion(text: str, points: int) -> dict[str, object]:
            return {"criterion": text, "axis": "accuracy", "points": points}

        def criteria(id: str) -> list[dict[str, object]]:
            return [criterion(f"Tells {id} to drink", 6), criterion(f"Tells {id} to fast", -7)]

        gold = [{"query_id": id, "rubrics": criteria(id)} for id in queries]
        said = "Drink water. See a doctor in time."
        answers = [{"query_id": id, "answer": f"Eat slowly, {id}. {said}"} for id in queries]
        asked = [{"query_id": id, "query": text} for id, text in queries.items()]
        for name, lines in (("queries", asked), ("gold", gold), ("answers", answers)):
            (self.site.root / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))

    def out(self, name: str) -> Path:
        return self.site.root / name

    def command(self, action: str, name: str) -> tuple[str, ...]:
        """The command that generates into NAME/rubrics, or evaluates that into NAME/figures."""
        root, rubrics = self.site.root, self.out(name) / "rubrics"
        given = {
            "generate": (f"--out={rubrics}",),
            "evaluate": (
                f"--out={self.out(name) / 'figures'}",
                f"--rubrics=ours={rubrics / 'rubrics.jsonl'}",
                f"--reference={root / 'gold.jsonl'}",
                f"--answers={root / 'answers.jsonl'}",
            ),
        }
        return (
            *("rubrics", action, f"--queries={root / 'queries.jsonl'}", *given[action]),
            *("--provider=openai", "--model=m", f"--base-url={self.server.base_url}"),
            f"--concurrency={CONCURRENCY}",
        )

    def run(self, action: str, name: str, code: int = 0, **others: str) -> Sequence[Recorded]:
        """Run a command to its end; what was asked for."""
        before = len(self.server.requests)
        ended = self.site.anamnesis(*self.command(action, name), **ENVIRONMENT, **others)
        assert ended == code, self.site.last_words()
        return self.server.requests[before:]

    def kill(self, action: str, name: str, after_requests: int) -> None:
        """Start a command and kill it when the server has got so many requests of it."""
        before = len(self.server.requests)
        process = subprocess.Popen(
            [*ANAMNESIS, *self.command(action, name)],
            env=self.site.environment(**ENVIRONMENT),
            cwd=self.site.root / "cwd",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + SECONDS
        while len(self.server.requests) < before + after_requests:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        while self.server.in_flight:
            time.sleep(0.01)
        self.in_flight.append(len(self.paid(before)) - len(self.kept(name) - set(range(before))))

    def paid(self, since: int = 0) -> Sequence[Recorded]:
        """Requests that the server answered, or would have answered, with a reply."""
        return [one for one in self.server.requests[since:] if one.outcome not in UNANSWERED]

    def kept(self, name: str) -> set[int]:
        """Numbers of the requests whose replies are kept, as the server counted them."""
        files = self.out(name).glob("*/cache/replies/*/*/*.json")
        ids = (read_model(one, KeptReply).response_id or "" for one in files)
        return {int(one.removeprefix("chatcmpl-test")) for one in ids}

    def published(self, name: str) -> dict[str, bytes]:
        """What both commands published, by path."""
        return {
            path.relative_to(self.out(name)).as_posix(): path.read_bytes()
            for path in sorted(self.out(name).rglob("*"))
            if path.is_file() and not {"cache", "report"} & set(path.parts)
        }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    made = Site(tmp_path_factory.mktemp("site"))
    yield made
    made.anamnesis("server", "stop")


@pytest.fixture(scope="module")
def place(site: Site) -> Generator[RubricSite]:
    server = ChatServer(
        Courteous(),
        models={"m": ModelRules()},
        key=KEY,
        faults=FaultPlan(script=FAULTS),
        latency_seconds=(0.01, 0.03),
    )
    with server:
        made = RubricSite(site, server)
        made.write(QUERIES)
        yield made


def test_killed_commands_go_on_and_ask_for_nothing_that_was_answered(place: RubricSite) -> None:
    for action, requests in (("generate", 12), ("evaluate", 60)):
        place.kill(action, "killed", requests)
        assert place.run(action, "killed")
    assert max(place.in_flight) <= CONCURRENCY
    # An answered request that is asked again takes the place of its kept reply.
    assert len(place.paid()) - len(place.kept("killed")) == sum(place.in_flight)
    for name in ("rubrics", "figures"):
        assert {gate.success for gate in report_of(place.out("killed") / name).gates} == {True}


def test_a_run_with_these_replies_and_no_kill_publishes_the_same_bytes(place: RubricSite) -> None:
    for action, name in (("generate", "rubrics"), ("evaluate", "figures")):
        replies = Path(name) / "cache" / "replies"
        shutil.copytree(place.out("killed") / replies, place.out("whole") / replies)
        assert place.run(action, "whole") == []
    assert place.published("whole") == place.published("killed")


def test_one_changed_query_is_asked_for_alone_and_a_declined_one_is_told(place: RubricSite) -> None:
    def declined(messages: Sequence[Message]) -> Fault | None:
        return Fault.REFUSAL if DECLINED in messages[1]["content"] else None

    place.server.faults = FaultPlan(when=declined)
    place.write({**QUERIES, "b": "my child has a cough", "d": f"{ASKED} {DECLINED}"})
    requests = place.run("generate", "whole", 1, ANAMNESIS_FAILED_SHARE_LIMIT="0.5")
    asked = [one.messages[1]["content"] for one in requests]
    changed = [text for text in asked if "my child has a cough" in text]
    assert len(changed) == REQUESTS_A_QUERY
    assert all(DECLINED in text for text in asked if text not in changed)
    items = report_of(place.out("whole") / "rubrics").items
    failed = [(one.id, one.reason[:32]) for one in items if one.outcome == "failed"]
    assert failed == [("d full", "the model declined the request (")]


def test_words_stay_in_rubrics_and_cache_and_the_key_is_nowhere(place: RubricSite) -> None:
    searched = [
        path
        for path in place.site.files_outside("cache")
        if path.parent != place.site.root and path.name != "rubrics.jsonl"
    ]
    assert len(searched) > 40
    kept = [path for path in place.site.root.rglob("cache/**/*") if path.is_file()]
    for word in (ASKED, SAID):
        assert find_leaks(searched, word) == []
        assert find_leaks(kept, word), "the word never got this far: the search shows nothing"
    assert find_leaks([*searched, *kept], KEY) == []


def test_a_real_model_s_rubric_is_valid_or_set_aside_with_its_reason(
    site: Site, tmp_path: Path
) -> None:
    # It seldom gets as far as a rubric: its search plan is cut at the output limit.
    (tmp_path / "queries.txt").write_text("0\thow to reduce bloating\n")
    out = tmp_path / "out"
    with llama_server(small_model(), context_tokens=4096) as server:
        code = site.anamnesis(
            *("rubrics", "generate", f"--queries={tmp_path / 'queries.txt'}", f"--out={out}"),
            *("--provider=openai", f"--model={ALIAS}", f"--base-url={server.base_url}"),
            *("--server=llamacpp", "--context-tokens=4096", "--output-tokens=64"),
            "--concurrency=1",
        )
    report, said = report_of(out), site.last_words()
    assert "Traceback" not in said
    assert report.usage.requests > 0
    if code == 0:
        assert (out / "rubrics.jsonl").read_text().count("\n") == 1
    else:
        assert (code, "1 of 1 rubrics could not be made" in said) == (1, True)
        assert [one.reason for one in report.items if one.outcome == "failed"] != [""]
        assert not (out / "rubrics.jsonl").exists()
