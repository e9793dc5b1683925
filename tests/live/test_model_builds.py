"""Builds by a language model through the real command line, against a server that speaks HTTP."""

from __future__ import annotations

import json
from collections.abc import Generator

import pytest

from flows.verify_release import verify_release
from tests.live.modelled import SYNTHETIC, ModelledSite, questions_in
from tests.servers.faults import Fault, FaultPlan

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[ModelledSite]:
    made = ModelledSite.make(tmp_path_factory.mktemp("site"), patients=5, seed=3)
    yield made
    made.site.anamnesis("server", "stop")


def test_release_of_a_model_is_valid_and_a_second_run_asks_nothing(place: ModelledSite) -> None:
    with place.server() as server:
        assert place.build(server, "whole", **SYNTHETIC) == 0, place.site.last_words()
        first = len(server.requests)
        assert place.build(server, "whole", **SYNTHETIC) == 0, place.site.last_words()
        assert len(server.requests) == first
    usage = place.report("whole").usage
    assert usage.requests == 0
    assert usage.kept is not None
    assert usage.kept.requests == first
    release = place.out("whole") / "release"
    assert verify_release(release) == []
    report = place.report("whole")
    assert report.stages["dialogues"].cached == len(place.sessions("whole")) > 0
    manifest = json.loads((release / "manifest.json").read_bytes())
    assert (manifest["generator"], manifest["model"]) == ("openai", "writer")
    assert len(questions_in(release)) == 6 * len(place.sessions("whole"))


def test_estimate_asks_nothing_and_needs_no_key(place: ModelledSite) -> None:
    with place.server() as server:
        code = place.build(server, "estimate", "--estimate", OPENAI_API_KEY="", **SYNTHETIC)
    assert (code, server.connections) == (0, 0), place.site.last_words()
    estimate = place.report("estimate").estimate
    assert estimate is not None
    assert estimate.stages["dialogues"].calls == estimate.admissions > 0
    assert not (place.out("estimate") / "release").exists()


def test_usage_is_reported_by_stage_patient_and_model(place: ModelledSite) -> None:
    with place.server() as server:
        assert place.build(server, "counted", **SYNTHETIC) == 0, place.site.last_words()
    usage = place.report("counted").usage
    assert usage.requests == len(server.requests)
    assert usage.input_tokens == sum(request.input_tokens for request in server.requests)
    assert usage.output_tokens == sum(request.output_tokens for request in server.requests)
    assert set(usage.by_stage) == {"dialogues", "questions"}
    assert sum(one.requests for one in usage.by_patient.values()) == usage.requests
    assert set(usage.by_model) == {"writer"}


def test_questions_are_asked_while_dialogues_are_written(place: ModelledSite) -> None:
    with place.server(latency_seconds=(0.3, 0.4)) as server:
        assert place.build(server, "early", **SYNTHETIC) == 0, place.site.last_words()
    dialogues = [
        number
        for number, request in enumerate(server.requests)
        if any("The stay began" in message["content"] for message in request.messages)
    ]
    first_question = min(set(range(len(server.requests))) - set(dialogues))
    assert first_question < max(dialogues)


def test_credentialed_data_goes_to_no_host_that_is_not_allowed(place: ModelledSite) -> None:
    with place.server() as server:
        # Whatever leaves the machine has to pass this proxy, which is the server.
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), server.azure_endpoint)
        code = place.build(
            server, "kept", "--base-url=http://models.example/v1",
            ANAMNESIS_DATA_CLASS="credentialed", **proxies,
        )  # fmt: skip
        said = place.site.last_words()
        assert (code, server.connections) == (2, 0), said
        assert "--allow-host models.example" in said
        assert "credentialed" in said
        assert "Traceback" not in said
        assert not place.out("kept").exists()
        # The same way is open to data that anybody may see: the proxy is asked.
        deadline = ("--deadline-seconds=1", "--request-seconds=1")
        place.build(
            server, "sent", "--base-url=http://models.example/v1", *deadline, **SYNTHETIC, **proxies
        )
        assert server.connections > 0


def test_budget_ends_the_run_in_order_and_more_of_it_resumes(place: ModelledSite) -> None:
    with place.server() as server:
        code = place.build(server, "budget", "--max-tokens=60000", **SYNTHETIC)
        said = place.site.last_words()
        assert code == 3, said
        assert "--max-tokens" in said
        spent = sum(one.input_tokens + one.output_tokens for one in server.requests)
        assert 0 < spent <= 60_000
        assert not (place.out("budget") / "release").exists()
        paid = [one.digest for one in server.requests]
        assert place.build(server, "budget", **SYNTHETIC) == 0, place.site.last_words()
        asked = [one.digest for one in server.requests]
        assert len(set(asked)) == len(asked)
        assert len(asked) > len(paid)


def test_key_that_is_refused_ends_the_run_with_one_message(place: ModelledSite) -> None:
    with place.server() as server:
        code = place.build(server, "refused", **{**SYNTHETIC, "OPENAI_API_KEY": "sk-wrong-marker"})
    said = place.site.last_words()
    assert code == 3, said
    assert "OPENAI_API_KEY" in said
    assert "sk-wrong-marker" not in said
    assert "Traceback" not in said


def test_refused_admission_is_listed_and_the_others_are_released(place: ModelledSite) -> None:
    with place.server(FaultPlan(script=[Fault.REFUSAL])) as server:
        code = place.build(server, "left", ANAMNESIS_FAILED_SHARE_LIMIT="0.9", **SYNTHETIC)
    assert code == 1, place.site.last_words()
    report = place.report("left")
    failed = [item for item in report.items if item.outcome == "failed"]
    assert any("declined" in item.reason for item in failed)
    assert verify_release(place.out("left") / "release") == []
