"""Sessions of the model on a test server, with time that passes only when somebody sleeps."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel, Field

from tasks.adapters.llm.session import ModelSession, SessionOptions, model_session
from tasks.adapters.models import ModelSpec, WorkItem
from tasks.contracts.chat import ChatRequest

WORK = WorkItem(stage="dialogues", subject_id="10000001", item="20000001")
KEY = "sk-test-key-4711"
USED = {"prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49}


class Answer(BaseModel):
    """What the tests ask for."""

    text: str = Field(min_length=2)


class Nothing(BaseModel):
    """A payload that only the programmatic provider would read."""


@dataclass
class FakeTime:
    """A clock that sleeping moves."""

    seconds: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    def clock(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


def spec_of(base_url: str, **fields: Any) -> ModelSpec:
    """The specification of the test server's model."""
    stated: dict[str, Any] = {
        "provider": "openai",
        "model": "test-model",
        "base_url": base_url,
        "server": "openai",
        "family": "chat",
        "temperature": 0.5,
        "seed": 7,
        "context_tokens": 8192,
        "output_tokens": 512,
    }
    return ModelSpec(**{**stated, **fields})


@contextmanager
def opened(
    spec: ModelSpec, replies: Path, time: FakeTime | None = None, **options: Any
) -> Generator[ModelSession]:
    """An open session; with ``time`` nothing of it waits."""
    stated: dict[str, Any] = {"key": KEY, "random": Random(1)}
    if time is not None:
        stated |= {"clock": time.clock, "now": time.now, "sleep": time.sleep}
    stated |= options
    with model_session(spec, SessionOptions(replies=replies, **stated)) as session:
        yield session


def request(task: str = "Write.", **fields: Any) -> ChatRequest[Answer]:
    """A request for an answer."""
    return ChatRequest(lambda: ("You write.", task), Nothing(), Answer, **fields)


def completion(content: str | None, finish_reason: str = "stop", **message: Any) -> dict[str, Any]:
    """The body of a reply."""
    return {
        "id": "r-1",
        "object": "chat.completion",
        "model": "test-model-2026",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": USED,
    }
