"""Builds by a language model: a sample, its release, and a server that answers from it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.adapters.files import read_model
from tasks.adapters.llm.reply_store import KeptReply
from tasks.contracts.build import RunReport
from tasks.sample.writing import write_sample
from tests.factories.marked import mark_tree
from tests.live.building import report_of
from tests.live.command import SECONDS
from tests.live.site import Site
from tests.servers.chat_server import ChatServer
from tests.servers.faults import FaultPlan
from tests.servers.recording import Recorded
from tests.servers.release_writer import ReleaseWriter
from tests.servers.requests import ModelRules

KEY = "sk-c0ffee-marker-of-a-key"
MODEL = "writer"
SYNTHETIC = {"ANAMNESIS_DATA_CLASS": "synthetic"}


@dataclass
class ModelledSite:
    """A place with a sample and the release that the server answers from."""

    site: Site
    writer: ReleaseWriter

    @classmethod
    def make(
        cls,
        root: Path,
        *,
        patients: int,
        seed: int,
        marked: bool = False,
        patience_seconds: float = SECONDS,
    ) -> ModelledSite:
        """Sample and build; raises AssertionError with the command's words where that fails.

        ``marked`` plants the word of ``tests.factories.marked`` in every note.
        """
        site = Site(root, patience_seconds)
        write_sample(site.root / "data", patients=patients, seed=seed)
        if marked:
            mark_tree(site.root / "data")
        made = site.anamnesis(
            "build", "--mimic", str(site.root / "data"), "--out", str(site.root / "programmatic")
        )
        assert made == 0, site.last_words()
        return cls(site, ReleaseWriter(site.root / "programmatic" / "release"))

    def server(self, faults: FaultPlan | None = None, **others: Any) -> ChatServer:
        """A server that knows the model and the key."""
        return ChatServer(
            self.writer,
            faults=faults or FaultPlan(),
            models={MODEL: ModelRules()},
            key=KEY,
            **others,
        )

    def out(self, name: str) -> Path:
        """An output folder."""
        return self.site.root / name

    def build(self, server: ChatServer, out: str, *options: str, **environment: str) -> int:
        """Build with the model behind the server; returns the exit code."""
        return self.site.anamnesis(
            *self.arguments(server, out), *options, **{"OPENAI_API_KEY": KEY, **environment}
        )

    def arguments(self, server: ChatServer, out: str) -> tuple[str, ...]:
        """What the command line is told to build with the model behind the server."""
        return (
            "build",
            *("--mimic", str(self.site.root / "data"), "--out", str(self.out(out))),
            *("--provider=openai", f"--model={MODEL}", f"--base-url={server.base_url}"),
        )

    def report(self, out: str) -> RunReport:
        """What the last run reported."""
        return report_of(self.out(out))

    def sessions(self, out: str) -> set[str]:
        """hadm_ids in the release."""
        release = self.out(out) / "release"
        return {path.parent.name for path in release.glob("*/*/conversation.json")}


def kept_numbers(out: Path) -> list[int]:
    """Numbers of the requests whose replies a run keeps, as the server counted them."""
    replies = [read_model(path, KeptReply) for path in out.glob("cache/replies/*/*.json")]
    return sorted(int((one.response_id or "").removeprefix("chatcmpl-test")) for one in replies)


def is_for_a_dialogue(request: Recorded) -> bool:
    """Whether the dialogues ask, not the questions."""
    return any("The stay began" in message["content"] for message in request.messages)


def questions_in(release: Path) -> list[dict[str, Any]]:
    """Every question of a release."""
    return [
        question
        for file in sorted(release.glob("*/benchmark_qa.json"))
        for question in json.loads(file.read_bytes())["qas"]
    ]
