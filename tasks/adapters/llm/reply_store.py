"""Finished replies on disk, so that nothing paid is asked for twice, whatever is killed when."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from tasks.adapters.files import make_private, read_model, remove, sha256_bytes, write_atomic
from tasks.contracts.base import Contract

_OWNER_ONLY = 0o600

ReplyOutcome = Literal["ok", "refused", "filtered", "truncated"]
"""ok: the model said all it wanted, which may still not be of the asked shape."""


class KeptReply(Contract):
    """A finished reply as it came. Patient text."""

    outcome: ReplyOutcome = Field(description="How the reply ended")
    content: str = Field(repr=False, description="What the model wrote; empty unless ok")
    content_sha256: str = Field(description="Digest of the content, against damage")
    model: str = Field(description="Model that the server says it ran")
    input_tokens: int = Field(description="Prompt tokens")
    cached_input_tokens: int = Field(description="Those of them that the server had cached")
    output_tokens: int = Field(description="Completion tokens")
    estimated: bool = Field(description="The server named no tokens: they were counted here")
    request_timestamp: str = Field(description="UTC time asked, ISO 8601")
    response_id: str | None = Field(description="The server's id of the reply")
    latency_ms: int = Field(description="Milliseconds from the request to the reply")

    @property
    def intact(self) -> bool:
        """Whether the content is what was written."""
        return content_digest(self.content) == self.content_sha256


def content_digest(content: str) -> str:
    """Digest of a reply's content; half a surrogate pair is a character like others here."""
    return sha256_bytes(content.encode("utf-8", "surrogatepass"))


class KeptReplies:
    """The replies of a folder, to be read: one file a reply, ``{subject_id}/{key}.json``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def holds_any(self, subject_id: str) -> bool:
        """Whether anything was kept for a patient."""
        return (self._folder / subject_id).is_dir()

    def get(self, subject_id: str, key: str) -> KeptReply | None:
        """The kept reply; None where there is none or its file is damaged."""
        try:
            reply = read_model(self._path(subject_id, key), KeptReply)
        except (OSError, ValidationError):
            return None
        return reply if reply.intact else None

    def _path(self, subject_id: str, key: str) -> Path:
        return self._folder / subject_id / f"{key}.json"


class ReplyStore(KeptReplies):
    """The same, each file for its owner alone, to be read and added to by several threads."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._lock = threading.Lock()
        self._busy: dict[str, tuple[threading.Lock, int]] = {}
        make_private(folder)

    def put(self, subject_id: str, key: str, reply: KeptReply) -> None:
        """Keep a reply; raises OSError where the disk doesn't take it."""
        path = self._path(subject_id, key)
        make_private(path.parent)
        if path.is_dir():
            remove(path)
        write_atomic(path, reply.model_dump_json().encode(), mode=_OWNER_ONLY)

    def replies(self) -> Iterator[KeptReply]:
        """Every kept reply that can be read, patient by patient."""
        for path in sorted(self._folder.glob("*/*.json")):
            reply = self.get(path.parent.name, path.stem)
            if reply is not None:
                yield reply

    @contextmanager
    def exclusively(self, key: str) -> Generator[None]:
        """Only one thread at a time asks for one reply: the others find it kept."""
        with self._lock:
            lock, users = self._busy.get(key, (threading.Lock(), 0))
            self._busy[key] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, users = self._busy.pop(key)
                if users > 1:
                    self._busy[key] = (lock, users - 1)
