"""Pre-consultations from the command line: faults, a kill, patients' words, a terminal, a model."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.factories.leaks import find_leaks
from tests.factories.marked import MARK
from tests.factories.profiles import raw_profile, write_guidelines
from tests.live.building import report_of
from tests.live.command import SECONDS
from tests.live.llama_server import ALIAS, llama_server, small_model
from tests.live.modelled import KEY
from tests.live.site import ANAMNESIS, Site
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan, Message
from tests.servers.requests import ModelRules

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PATIENTS = 4
TURNS = 3
DOCTORS = ("able", "careless")
FAULTS = {Fault.SERVER_ERROR: 0.1, Fault.CUT_JSON: 0.05, Fault.FENCED: 0.2}
ENVIRONMENT = {"OPENAI_API_KEY": KEY, "PREFECT_LOGGING_LEVEL": "DEBUG"}
WRITTEN = ("scores.jsonl", "summary.csv", "report.html", "report.md")
ASKED_BEFORE_THE_KILL = 20
SAID = "zqxsaid"
"""A word of the patient's model."""

ROLES: dict[str, dict[str, Any]] = {
    "You are the patient": {"reply": f"Answer: Cough, {SAID}"},
    "You take apart one turn": {
        "units": [
            {"statement": "cough", "is_negative": False},
            {"statement": "no wheezing", "is_negative": True},
        ]
    },
    "You compare": {"matches": ["Cough", "Wheezing"]},
    "You are an experienced physician": {"diseases": ["Asthma"]},
    "You judge": {"right": [True]},
}


class Server(ChatServer):
    """Two doctors, of whom the second one breaks the form in each second turn, and every role."""

    def __init__(self, **others: Any) -> None:
        names = (*DOCTORS, "roles")
        super().__init__(self._say, models={one: ModelRules() for one in names}, key=KEY, **others)

    def _say(self, messages: Sequence[Message]) -> dict[str, Any]:
        system, task = (str(messages[place]["content"]) for place in (0, 1))
        if not system.startswith("You are a doctor"):
            return next(reply for begins, reply in ROLES.items() if system.startswith(begins))
        turn = 1 + task.count("Patient: Answer:")
        # The server writes the reply before it takes the next request.
        if self.requests[-1].body["model"] == "careless" and turn % 2 == 0:
            return {"reply": "Tell me more."}
        return {"reply": f"Question: Number {turn}?\nOptions:\n- Cough\n- Wheezing"}


@dataclass(frozen=True)
class Place:
    """A site with marked patients and guidelines."""

    site: Site

    def out(self, name: str) -> Path:
        return self.site.root / name

    def arguments(self, out: str, *options: str, turns: int = TURNS) -> tuple[str, ...]:
        data = self.site.root / "data"
        return (
            "preconsult",
            *("--profiles", str(data / "profiles.json"), "--turns", str(turns)),
            *("--guidelines", str(data / "guidelines.csv"), "--out", str(self.out(out))),
            *options,
        )

    def models(self, server: ChatServer) -> tuple[str, ...]:
        asked = ("--provider=openai", "--model=roles", f"--base-url={server.base_url}")
        return (*asked, "--concurrency=2", "--doctor-model", *DOCTORS)

    def evaluate(self, server: ChatServer, out: str, *options: str) -> int:
        given = self.arguments(out, *options, *self.models(server))
        return self.site.anamnesis(*given, **ENVIRONMENT)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    site = Site(tmp_path_factory.mktemp("site"))
    data = site.root / "data"
    data.mkdir()
    details = raw_profile()["details"]
    profiles = [
        raw_profile(pid=f"{number}", details=details | {"social_history": [f"{number} {MARK}"]})
        for number in range(PATIENTS)
    ]
    (data / "profiles.json").write_text(json.dumps(profiles))
    write_guidelines(data / "guidelines.csv")
    yield Place(site)
    site.anamnesis("server", "stop")


@pytest.fixture(scope="module")
def evaluated(place: Place) -> Generator[Server]:
    """The server of an evaluation that met faults and ended, still up."""
    with Server(faults=FaultPlan(shares=FAULTS, seed=3)) as server:
        assert place.evaluate(server, "whole") == 0, place.site.last_words()
        yield server


def test_models_are_evaluated_in_spite_of_faults(place: Place, evaluated: Server) -> None:
    assert {fault.value for fault in FAULTS} <= evaluated.outcomes().keys()
    report = report_of(place.out("whole"))
    assert [gate.success for gate in report.gates] == [True] * 6
    lines = (place.out("whole") / "scores.jsonl").read_text().splitlines()
    found = [
        (one["doctor"], one["status"]) for one in map(json.loads, lines) if one["turns"] == TURNS
    ]
    assert found == [("able", "clean")] * PATIENTS + [("careless", "early_stop")] * PATIENTS
    assert "able" in place.site.last_words()


def test_nothing_is_asked_twice_and_fewer_turns_ask_for_diagnoses_alone(
    place: Place, evaluated: Server
) -> None:
    before = len(evaluated.requests)
    assert place.evaluate(evaluated, "whole") == 0, place.site.last_words()
    assert len(evaluated.requests) == before
    assert place.evaluate(evaluated, "whole", "--cut-turns", "1", "2") == 0
    roles = [one.messages[0]["content"] for one in evaluated.requests[before:]]
    assert roles
    assert all(one.startswith(("You are an experienced physician", "You judge")) for one in roles)
    report = report_of(place.out("whole"))
    for stage in ("interviews", "facts", "matches"):
        assert (report.stages[stage].computed, report.stages[stage].cached) == (0, 2 * PATIENTS)


def test_a_killed_evaluation_goes_on_where_it_stopped(place: Place) -> None:
    with Server(latency_seconds=(0.02, 0.05)) as server:
        given = (*ANAMNESIS, *place.arguments("killed", *place.models(server)))
        log = place.site.root / "told" / "killed.log"
        with (
            log.open("wb") as told,
            subprocess.Popen(
                given,
                env=place.site.environment(**ENVIRONMENT),
                cwd=place.site.root / "cwd",
                stdout=told,
                stderr=told,
            ) as process,
        ):
            ends = time.monotonic() + SECONDS
            while len(server.requests) < ASKED_BEFORE_THE_KILL and time.monotonic() < ends:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
        asked = len(server.requests)
        kept = len(list(place.out("killed").glob("cache/replies/**/*.json")))
        assert kept >= ASKED_BEFORE_THE_KILL // 2
        assert not (place.out("killed") / "scores.jsonl").exists()
        assert place.evaluate(server, "killed") == 0, place.site.last_words()
        resumed = len(server.requests) - asked
        assert place.evaluate(server, "unkilled") == 0, place.site.last_words()
        assert resumed + kept == len(server.requests) - asked - resumed
    for name in WRITTEN:
        assert (place.out("killed") / name).read_bytes() == (
            place.out("unkilled") / name
        ).read_bytes()


def test_words_of_patients_stay_in_input_and_cache_and_the_key_is_nowhere(
    place: Place, evaluated: Server
) -> None:
    asked = "".join(one.messages[1]["content"] for one in evaluated.requests)
    assert MARK in asked, "the words never got this far: the search shows nothing"
    searched = list(place.site.files_outside("data", "cache"))
    assert len(searched) > 10
    for word in (MARK, SAID, KEY):
        assert find_leaks(searched, word) == []
    kept = [path for path in place.out("whole").glob("cache/**/*") if path.is_file()]
    assert find_leaks(kept, MARK)
    assert find_leaks(kept, SAID)
    assert find_leaks(kept, KEY) == []


def test_ctrl_c_ends_a_persons_interview_with_one_message(place: Place) -> None:
    arguments = place.arguments("terminal")
    given = (*ANAMNESIS, arguments[0], "interview", *arguments[1:])
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(place.site.root / "cwd")
        os.execve(given[0], given, place.site.environment())
    shown = _shown_until(terminal, b"empty to end): ")
    os.write(terminal, b"\x03")
    shown += _shown_until(terminal, b"")
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGINT
    lines = shown.decode().splitlines()
    assert lines[0] == "Patient 1 of 1"
    assert lines[-1] == "error: interrupted; finished work is kept, the same command resumes"
    assert not list(place.out("terminal").glob("cache/**/*.json"))


def _shown_until(terminal: int, awaited: bytes) -> bytes:
    """What a terminal shows up to the awaited text, or to its end where none is awaited."""
    shown = b""
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends and not (awaited and shown.endswith(awaited)):
        ready, _, _ = select.select([terminal], [], [], 0.2)
        try:
            part = os.read(terminal, 1 << 16) if ready else b""
        except OSError:
            # Linux tells so that the other side is closed.
            break
        if ready and not part:
            break
        shown += part
    return shown


def test_a_small_model_interviews_and_the_run_ends_cleanly(place: Place) -> None:
    options = (
        f"--doctor-model={ALIAS}",
        "--server=llamacpp",
        "--context-tokens=4096",
        "--output-tokens=96",
        "--concurrency=1",
    )
    site = place.site
    data = site.root / "data" / "one"
    data.mkdir()
    (data / "profiles.json").write_text(json.dumps([raw_profile()]))
    with llama_server(small_model(), context_tokens=4096) as server:
        given = (
            *place.arguments("small", *options, f"--base-url={server.base_url}", turns=2),
            f"--profiles={data / 'profiles.json'}",
        )
        ended = site.anamnesis(*given, **ENVIRONMENT)
    # Whatever it writes is a dialogue, clean or spoilt by it: that is no failure of the run.
    assert ended == 0, site.last_words()
    assert report_of(place.out("small")).usage.requests > 0
    (line,) = (place.out("small") / "scores.jsonl").read_text().splitlines()
    assert json.loads(line)["status"] in ("clean", "early_stop", "qa_format_error")
