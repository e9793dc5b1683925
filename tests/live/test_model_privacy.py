"""Words of patients, what a model writes of them and its key, however a build with it ends."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from tests.factories.leaks import find_leaks
from tests.factories.marked import MARK
from tests.live.modelled import KEY, SYNTHETIC, ModelledSite
from tests.servers.chat_app import Writer
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan, Message

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SAID = "zqxsaid"
"""A word of the server's own in every dialogue."""

TALKATIVE = {
    **SYNTHETIC,
    "ANAMNESIS_FAILED_SHARE_LIMIT": "1",
    "OPENAI_LOG": "debug",
    "PREFECT_LOGGING_LEVEL": "DEBUG",
    "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "true",
}
FAULTS = (
    Fault.SHAPE_BROKEN,
    Fault.THIRD_SPEAKER,
    Fault.TIME_BACK,
    Fault.LENGTH,
    Fault.NOT_JSON,
    Fault.CUT_BODY,
    Fault.SERVER_ERROR,
)


@dataclass(frozen=True)
class Courteous:
    """Lets the patient end a turn of every dialogue with words that no record holds."""

    writer: Writer

    def __call__(self, messages: Sequence[Message]) -> str:
        answer = self.writer(messages)
        reply = json.loads(answer) if isinstance(answer, str) else answer
        spoken = [one for one in reply.get("conversation_lines", ()) if one["speaker"] == "Patient"]
        for line in spoken[-1:]:
            line["text"] += f" Thank you, {SAID}."
        return json.dumps(reply, ensure_ascii=False)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[ModelledSite]:
    # Two of these patients have several stays: audits may name words that three patients share.
    made = ModelledSite.make(tmp_path_factory.mktemp("site"), patients=4, seed=3, marked=True)
    yield made
    made.site.anamnesis("server", "stop")


def server_of(place: ModelledSite, faults: FaultPlan | None = None) -> ChatServer:
    server = place.server(faults)
    server.writer = Courteous(place.writer)
    return server


def assert_no_leak(place: ModelledSite) -> None:
    searched = list(place.site.files_outside("data", "release", "cache"))
    assert len(searched) > 10
    for word in (MARK, SAID, KEY):
        assert find_leaks(searched, word) == []


def test_words_stay_in_release_and_cache_and_the_key_is_nowhere(place: ModelledSite) -> None:
    with server_of(place, FaultPlan(script=FAULTS)) as server:
        assert place.build(server, "whole", **TALKATIVE) == 0, place.site.last_words()
    assert {fault.value for fault in FAULTS} <= server.outcomes().keys()
    assert_no_leak(place)
    for folder in ("release", "cache"):
        kept = [path for path in place.out("whole").glob(f"{folder}/**/*") if path.is_file()]
        for word in (MARK, SAID):
            assert find_leaks(kept, word), "the words never got this far: the search shows nothing"
        assert find_leaks(kept, KEY) == []


def test_a_refused_admission_is_told_without_words(place: ModelledSite) -> None:
    script = [Fault.REFUSAL, Fault.CONTENT_FILTER, *[Fault.THIRD_SPEAKER] * 12]
    with server_of(place, FaultPlan(script=script)) as server:
        assert place.build(server, "declined", **TALKATIVE) == 1, place.site.last_words()
    assert place.report("declined").items
    assert_no_leak(place)


def test_runs_that_end_early_leave_no_words(place: ModelledSite) -> None:
    with server_of(place) as server:
        assert place.build(server, "spent", "--max-tokens=60000", **TALKATIVE) == 3
        assert "--max-tokens" in place.site.last_words()
        server.key = "another"
        assert place.build(server, "stopped", **TALKATIVE) == 3
        assert "OPENAI_API_KEY" in place.site.last_words()
    assert build_on_a_server_that_goes_away(place) == 3
    assert "no connection" in place.site.last_words()
    assert_no_leak(place)


def build_on_a_server_that_goes_away(place: ModelledSite) -> int:
    with ThreadPoolExecutor(1) as pool:
        with server_of(place) as server:
            building = pool.submit(place.build, server, "lost", "--deadline-seconds=3", **TALKATIVE)
            while not building.done() and len(server.requests) < 10:
                time.sleep(0.02)
        return building.result()
