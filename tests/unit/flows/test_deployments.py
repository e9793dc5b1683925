from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from flows import deployments
from tasks.contracts.errors import SettingError

PREFECT = [sys.executable, "-m", "prefect", "--no-prompt"]


class Commands:
    """Notes commands instead of running them; ``codes`` are their exit codes in turn."""

    def __init__(self, *codes: int) -> None:
        self.codes = list(codes)
        self.run: list[list[str]] = []

    def __call__(self, command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        self.run.append(command)
        return subprocess.CompletedProcess(command, self.codes.pop(0))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("hosp", "note"):
        (tmp_path / "out" / "demo" / "data" / folder).mkdir(parents=True)
    (tmp_path / "prefect.yaml").write_text("")
    monkeypatch.setattr(deployments, "_CHECKOUT", tmp_path)
    return tmp_path


@pytest.mark.usefixtures("checkout")
def test_pool_is_made_before_the_deployments(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = Commands(1, 0, 0)
    monkeypatch.setattr("subprocess.run", commands)
    assert deployments.deploy() == 0
    assert commands.run == [
        [*PREFECT, "work-pool", "inspect", "local"],
        [*PREFECT, "work-pool", "create", "local", "--type", "process"],
        [*PREFECT, "deploy", "--all"],
    ]


@pytest.mark.usefixtures("checkout")
def test_an_existing_pool_keeps_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = Commands(0, 0)
    monkeypatch.setattr("subprocess.run", commands)
    assert deployments.deploy() == 0
    assert commands.run == [
        [*PREFECT, "work-pool", "inspect", "local"],
        [*PREFECT, "deploy", "--all"],
    ]


@pytest.mark.usefixtures("checkout")
def test_nothing_is_deployed_without_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = Commands(1, 1)
    monkeypatch.setattr("subprocess.run", commands)
    assert deployments.deploy() == 1
    assert len(commands.run) == 2


def test_outside_a_checkout_the_remedy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deployments, "_CHECKOUT", tmp_path)
    with pytest.raises(SettingError, match=r"no prefect\.yaml in .*from a checkout"):
        deployments.deploy()


def test_worker_takes_this_processs_place_in_the_checkout(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    became: list[list[str]] = []
    monkeypatch.chdir(Path.cwd())

    def become(_: str, command: list[str]) -> None:
        became.append([os.getcwd(), *command])

    monkeypatch.setattr("os.execv", become)
    deployments.work()
    assert became == [[str(checkout), *PREFECT, "worker", "start", "--pool", "local"]]
