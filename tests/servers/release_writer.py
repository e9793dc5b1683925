"""Answers dialogue and question requests from a release of the same data."""

from __future__ import annotations

from pathlib import Path

from tests.servers.chat_app import Writer
from tests.servers.dialogue_writer import DialogueWriter
from tests.servers.question_writer import QuestionWriter
from tests.servers.writers import FirstOf


def release_writer(release: Path) -> Writer:
    """A writer that knows all answers of a release by the programmatic provider."""
    return FirstOf([DialogueWriter(release), QuestionWriter(release)])
