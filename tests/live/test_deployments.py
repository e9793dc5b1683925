from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.live.command import SECONDS, address, anamnesis, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

CHECKOUT = Path(__file__).parents[2]
PREFECT = [sys.executable, "-m", "prefect", "--no-prompt"]


class Site:
    """A server with its deployments, a worker and a sample."""

    def __init__(self, home: Path, url: str, data: Path) -> None:
        self.home = home
        self.url = url
        self.data = data

    def run(self, **parameters: object) -> subprocess.CompletedProcess[str]:
        """Run the deployment ``build-benchmark`` to its end."""
        given = [f"--param={name}={json.dumps(value)}" for name, value in parameters.items()]
        name = "build-benchmark/build-benchmark"
        return subprocess.run(
            [*PREFECT, "deployment", "run", name, "--watch", *given],
            env=environment(self.home, PREFECT_API_URL=self.url),
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )

    def post(self, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        """What the server answers to a query."""
        answer = httpx.post(f"{self.url}{path}", json=body, trust_env=False)
        return answer.raise_for_status().json()

    def last_run(self) -> dict[str, Any]:
        """The flow run that was started last."""
        return self.post("/flow_runs/filter", {"sort": "EXPECTED_START_TIME_DESC", "limit": 1})[0]

    def artifact(self, key: str) -> str:
        """The last flow run's artifact of this key."""
        run = {"flow_run_id": {"any_": [self.last_run()["id"]]}, "key": {"any_": [key]}}
        (found,) = self.post("/artifacts/filter", {"artifacts": run})
        return str(found["data"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    home = tmp_path_factory.mktemp("prefect-home")
    data = tmp_path_factory.mktemp("sample")
    sampled = anamnesis("sample", "--out", str(data), "--patients=2", "--seed=27", home=home)
    assert sampled.returncode == 0, sampled.stderr
    url = address(anamnesis("server", "start", home=home).stdout)
    for command in (["work-pool", "create", "local", "--type", "process"], ["deploy", "--all"]):
        subprocess.run(
            [*PREFECT, *command],
            env=environment(home, PREFECT_API_URL=url),
            cwd=CHECKOUT,
            check=True,
            capture_output=True,
            timeout=SECONDS,
        )
    with subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "server", "worker"],
        env=environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as worker:
        yield Site(home, url, data)
        worker.terminate()
        worker.wait(timeout=60)
    anamnesis("server", "stop", home=home)


def test_deployments_are_registered_as_described(site: Site) -> None:
    found = {str(one["name"]): one for one in site.post("/deployments/filter", {})}
    assert sorted(found) == [
        "build-benchmark",
        "build-benchmark-demo",
        "build-benchmark-nightly",
        "evaluate-benchmark",
        "evaluate-preconsultation",
        "evaluate-rubrics",
        "generate-rubrics",
    ]
    (schedule,) = found["build-benchmark-nightly"]["schedules"]
    assert (schedule["active"], schedule["schedule"]["cron"]) == (False, "0 2 * * *")
    assert found["build-benchmark"]["concurrency_options"]["collision_strategy"] == "ENQUEUE"
    assert found["build-benchmark"]["global_concurrency_limit"]["limit"] == 1


def test_run_with_parameters_completes_with_a_verified_release(site: Site, tmp_path: Path) -> None:
    ended = site.run(mimic=str(site.data), out=str(tmp_path), concurrency=2)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert site.last_run()["state_type"] == "COMPLETED"
    assert site.artifact("run-report").startswith("# Completed\n")
    verified = anamnesis("verify", str(tmp_path / "release"), home=site.home)
    assert verified.returncode == 0, verified.stdout


def test_demo_deployment_needs_no_parameters(site: Site, tmp_path: Path) -> None:
    name = "build-benchmark-demo/build-benchmark-demo"
    ended = subprocess.run(
        [*PREFECT, "deployment", "run", name, "--watch", f"--param=out={tmp_path}/demo"],
        env=environment(site.home, PREFECT_API_URL=site.url),
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    verified = anamnesis("verify", str(tmp_path / "demo" / "release"), home=site.home)
    assert verified.returncode == 0, verified.stdout


def test_run_whose_gate_fails_ends_failed_and_the_reason_stands_in_an_artifact(
    site: Site, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "hosp").symlink_to(site.data / "hosp")
    (data / "note").mkdir()
    (data / "note" / "radiology.csv").symlink_to(site.data / "note" / "radiology.csv")
    # With one note in all, no patient has two admissions to join.
    with (site.data / "note" / "discharge.csv").open(newline="") as notes:
        header, first, *_ = csv.reader(notes)
    with (data / "note" / "discharge.csv").open("w", newline="") as note:
        csv.writer(note, lineterminator="\n").writerows([header, first])
    ended = site.run(mimic=str(data), out=str(tmp_path / "out"))
    assert ended.returncode != 0
    assert site.last_run()["state_type"] == "FAILED"
    assert "**failed**" in site.artifact("run-report")
    assert not (tmp_path / "out" / "release").exists()


def test_run_without_inputs_fails_with_the_names_of_the_settings(site: Site) -> None:
    assert site.run().returncode != 0
    run = site.last_run()
    assert run["state_type"] == "FAILED"
    assert "ANAMNESIS_MIMIC" in str(run["state"])
