"""A model's server that fails in every way at once.

``CHAOS_ADMISSIONS`` sets how many admissions are built at least, and ``CHAOS_REPORT`` names a file
that gets the figures as JSON.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from flows.verify_release import verify_release
from tasks.contracts.build import RunReport, SkippedItem
from tests.live.modelled import SYNTHETIC, ModelledSite, kept_numbers
from tests.servers.faults import Fault, FaultPlan
from tests.servers.recording import Recorded

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

ADMISSIONS = int(os.environ.get("CHAOS_ADMISSIONS", "200"))
SEED = 11
TRANSIENT = {
    Fault.RATE_LIMITED: 0.075,
    Fault.RATE_LIMITED_WAIT: 0.075,
    Fault.SERVER_ERROR: 0.025,
    Fault.OVERLOADED: 0.025,
    Fault.HANG: 0.03,
    Fault.CUT_BODY: 0.025,
    Fault.CUT_JSON: 0.025,
}
ANSWERED = {
    Fault.SHAPE_BROKEN: 0.05,
    Fault.THIRD_SPEAKER: 0.02,
    Fault.TIME_BACK: 0.015,
    Fault.TURN_GAP: 0.015,
    Fault.REFUSAL: 0.02,
}
"""Faults of replies that came in whole, and are paid."""

OPTIONS = ("--request-seconds=5",)
ENVIRONMENT = {**SYNTHETIC, "ANAMNESIS_FAILED_SHARE_LIMIT": "1"}
REFUSED = "the model declined the request"
FOLLOWED = ("predecessor_failed", "fewer_than_two_sessions", "questions_failed")
DOUBTED = re.compile(r"breaks \d rules after 3 attempts: (copied_turn|unsupported_claim)")
"""The server has one text for each stay, written by rules; a model's is now and then doubted."""


@dataclass(frozen=True)
class Chaos:
    """What became of a build, and of the same command again."""

    codes: tuple[int, int]
    requests: list[Recorded]
    requested_again: int
    seconds: float
    report: RunReport
    words: str

    @property
    def answered(self) -> list[Recorded]:
        """Requests whose reply came in whole, whatever it said."""
        whole = ("ok", *ANSWERED)
        return [request for request in self.requests if request.outcome in whole]

    def figures(self) -> dict[str, Any]:
        """What a run through all these faults takes."""
        outcomes = [request.outcome for request in self.requests]
        return {
            "requests": len(outcomes),
            "extra_requests": len(outcomes) - len(self.tasks()),
            "wall_seconds": round(self.seconds, 1),
            "outcomes": {name: outcomes.count(name) for name in sorted(set(outcomes))},
            "listed": len(self.report.items),
        }

    def tasks(self) -> set[str]:
        """What was asked for, apart from repairs, new attempts and retries."""
        return {request.messages[1]["content"] for request in self.requests}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[ModelledSite]:
    made = ModelledSite.make(
        tmp_path_factory.mktemp("site"),
        patients=ADMISSIONS // 4 + 1,
        seed=3,
        patience_seconds=1800,
    )
    yield made
    made.site.anamnesis("server", "stop")


@pytest.fixture(scope="module")
def chaos(place: ModelledSite) -> Chaos:
    plan = FaultPlan({**TRANSIENT, **ANSWERED}, seed=SEED)
    with place.server(plan) as server:
        begun = time.monotonic()
        code = place.build(server, "chaos", *OPTIONS, **ENVIRONMENT)
        seconds = time.monotonic() - begun
        words, report = place.site.last_words(), place.report("chaos")
        requests = list(server.requests)
        again = place.build(server, "chaos", *OPTIONS, **ENVIRONMENT)
    requested_again = len(server.requests) - len(requests)
    return Chaos((code, again), requests, requested_again, seconds, report, words)


def listed(items: Sequence[SkippedItem]) -> set[str]:
    return {item.id for item in items if item.reason}


def test_every_admission_is_released_or_listed(place: ModelledSite, chaos: Chaos) -> None:
    cohort = {
        path.parent.name: path.parents[1].name
        for path in place.out("programmatic").glob("release/*/*/conversation.json")
    }
    assert len(cohort) >= ADMISSIONS
    released, named = place.sessions("chaos"), listed(chaos.report.items)
    assert released, chaos.words
    lost = [
        stay
        for stay, subject in cohort.items()
        if stay not in released and not {stay, subject} & named
    ]
    assert lost == []
    assert not released & named
    assert verify_release(place.out("chaos") / "release") == []


def test_what_can_be_asked_again_leaves_nothing_out(chaos: Chaos) -> None:
    reasons = [item.reason for item in chaos.report.items]
    refused = [one for one in reasons if one.startswith(REFUSED)]
    assert len(refused) == sum(one.outcome == Fault.REFUSAL for one in chaos.requests)
    others = {one for one in reasons if one not in (*refused, *FOLLOWED)}
    assert [one for one in others if not DOUBTED.search(one)] == []


def test_exit_code_says_whether_anything_failed(chaos: Chaos) -> None:
    assert chaos.codes == ((1, 1) if chaos.report.items else (0, 0)), chaos.words


def test_no_finished_reply_is_paid_twice(place: ModelledSite, chaos: Chaos) -> None:
    paid = [request.digest for request in chaos.answered]
    assert len(set(paid)) == len(paid)
    assert kept_numbers(place.out("chaos")) == [request.number for request in chaos.answered]
    usage = chaos.report.usage
    assert usage.requests == len(paid)
    assert usage.failed_attempts == len(chaos.requests) - len(paid)


def test_second_run_asks_nothing(place: ModelledSite, chaos: Chaos) -> None:
    assert chaos.requested_again == 0
    assert place.report("chaos").items == chaos.report.items


def test_figures(place: ModelledSite, chaos: Chaos, capsys: pytest.CaptureFixture[str]) -> None:
    figures = {"released": len(place.sessions("chaos")), **chaos.figures()}
    assert {fault.value for fault in TRANSIENT} <= figures["outcomes"].keys()
    with capsys.disabled():
        print(f"\nmodel chaos (seed {SEED}): {json.dumps(figures)}")
    if report := os.environ.get("CHAOS_REPORT"):
        Path(report).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
