"""Answers dialogue and question requests from a release of the same data."""

from __future__ import annotations

from pathlib import Path

from tests.servers.dialogue_writer import DialogueWriter
from tests.servers.question_writer import QuestionWriter
from tests.servers.writers import FirstOf


class ReleaseWriter(FirstOf):
    """Knows all answers of a release by the programmatic provider."""

    def __init__(self, release: Path) -> None:
        super().__init__([DialogueWriter(release), QuestionWriter(release)])
