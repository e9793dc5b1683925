"""Ten kills while a model is asked, then changed prompts: only what has to be is asked again."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from flows.verify_release import verify_release
from tasks.adapters.files import sha256_file
from tests.live.building import copied_checkout
from tests.live.command import SECONDS
from tests.live.modelled import KEY, SYNTHETIC, ModelledSite, is_for_a_dialogue, kept_numbers
from tests.live.site import ANAMNESIS, PLUGINS
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan
from tests.servers.recording import Recorded

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

SEED = int(os.environ.get("KILLS_SEED", "27"))
KILLS = int(os.environ.get("MODEL_KILLS", "10"))
CONCURRENCY = 8
ENVIRONMENT = {"OPENAI_API_KEY": KEY, **SYNTHETIC}
OPTIONS = (f"--concurrency={CONCURRENCY}",)
STAY = re.compile(r"The stay began .+ and ends .+\.")
FAULTS = {Fault.SHAPE_BROKEN: 0.1, Fault.TURN_GAP: 0.1}
"""Items of more than one request: a kill then falls between two of one item."""


@dataclass
class Killed:
    """A server and the builds that were killed while they asked it."""

    place: ModelledSite
    server: ChatServer
    draw: random.Random = field(default_factory=lambda: random.Random(SEED))
    kills: int = 0
    in_flight: list[int] = field(default_factory=list[int])
    """By kill: requests that the server got and of which nothing is kept."""

    @property
    def out(self) -> Path:
        return self.place.out("killed")

    @property
    def arguments(self) -> tuple[str, ...]:
        return (*self.place.arguments(self.server, "killed"), *OPTIONS)

    def kill(self, after_requests: int) -> None:
        """Start a build and kill it a moment after it sent so many requests."""
        before = len(self.server.requests)
        process = subprocess.Popen(
            [*ANAMNESIS, *self.arguments],
            env=self.place.site.environment(**ENVIRONMENT),
            cwd=self.place.site.root / "cwd",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + SECONDS
        while len(self.server.requests) < before + after_requests and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        time.sleep(self.draw.uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        while self.server.in_flight:
            time.sleep(0.02)
        self.kills += 1
        kept = set(kept_numbers(self.out))
        asked = self.server.requests[before:]
        self.in_flight.append(sum(one.number not in kept for one in asked))

    def build(self, out: str) -> Sequence[Recorded]:
        """Build to the end; what was asked for."""
        before = len(self.server.requests)
        code = self.place.build(self.server, out, *OPTIONS, **SYNTHETIC)
        assert code == 0, self.place.site.last_words()
        return self.server.requests[before:]

    def build_with(self, prompt: str, folder: Path) -> Sequence[Recorded]:
        """Build with a changed prompt; what was asked for."""
        checkout = copied_checkout(folder)
        changed = checkout / prompt
        changed.write_text(changed.read_text() + "\nKeep to simple words.\n")
        before = len(self.server.requests)
        code = self.place.site.run(
            (*ANAMNESIS, *self.arguments, "--until=questions"),
            checkout,
            {**ENVIRONMENT, "PYTHONPATH": f"{PLUGINS}{os.pathsep}{checkout}"},
        )
        assert code == 0, self.place.site.last_words()
        return self.server.requests[before:]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Generator[Killed]:
    place = ModelledSite.make(tmp_path_factory.mktemp("site"), patients=5, seed=27)
    with place.server(FaultPlan(FAULTS, seed=SEED), latency_seconds=(0.05, 0.2)) as server:
        yield Killed(place, server)
    place.site.anamnesis("server", "stop")


def test_kills_cost_at_most_the_requests_in_flight(killed: Killed) -> None:
    expected = 4 * len(killed.place.sessions("programmatic"))
    for _ in range(KILLS):
        killed.kill(killed.draw.randint(1, expected // KILLS))
    assert max(killed.in_flight) <= CONCURRENCY
    assert killed.build("killed")
    assert verify_release(killed.out / "release") == []
    kept = set(kept_numbers(killed.out))
    requests = killed.server.requests
    paid = {one.digest: one.number for one in requests if one.number in kept}
    assert len(paid) == len(kept)
    # Whatever is kept was the last time that anybody asked for it.
    assert [one.number for one in requests if one.number > paid.get(one.digest, one.number)] == []
    assert len(requests) - len(kept) == sum(killed.in_flight)


def test_release_is_that_of_a_run_with_these_replies_and_no_kill(killed: Killed) -> None:
    whole = killed.place.out("whole")
    shutil.copytree(killed.out / "cache" / "replies", whole / "cache" / "replies")
    assert killed.build("whole") == []
    assert digests(killed.out / "release") == digests(whole / "release")


def test_changed_synthesis_prompt_asks_for_every_dialogue_again(
    killed: Killed, tmp_path: Path
) -> None:
    asked = killed.build_with("tasks/dialogue/prompts/system.md", tmp_path)
    again = [one for one in asked if is_for_a_dialogue(one) and len(one.messages) == 2]
    # A stay whose repairs came to nothing is asked for anew in another message.
    stays = {found for one in again for found in STAY.findall(one.messages[1]["content"])}
    assert len(stays) == len(killed.place.sessions("programmatic"))


def test_changed_question_prompt_asks_for_no_dialogue(killed: Killed, tmp_path: Path) -> None:
    asked = killed.build_with("tasks/qa/prompts/system.md", tmp_path)
    assert len(asked) >= 2 * len(killed.place.sessions("programmatic"))
    assert not any(is_for_a_dialogue(one) for one in asked)


def test_figures(killed: Killed, capsys: pytest.CaptureFixture[str]) -> None:
    """Says what the kills above cost; ``KILLS_SEED`` draws other moments."""
    with capsys.disabled():
        print(f"\n{killed.kills} kills (seed {SEED}); in flight at each: {killed.in_flight}")
    assert killed.kills == KILLS


def digests(release: Path) -> dict[str, str]:
    return {
        path.relative_to(release).as_posix(): sha256_file(path)
        for path in sorted(release.rglob("*"))
        if path.is_file()
    }
