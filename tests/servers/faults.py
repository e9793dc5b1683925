"""Faults of a model server, drawn anew for each HTTP request so that a retry can succeed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

Message = Mapping[str, str]


class Fault(StrEnum):
    """What can go wrong with one request; the first group gives no reply at all."""

    RATE_LIMITED = "rate_limited"
    """429 without a hint when to come back."""
    RATE_LIMITED_WAIT = "rate_limited_wait"
    """429 with the plan's ``retry_headers``."""
    QUOTA_SPENT = "quota_spent"
    """429 with the code insufficient_quota."""
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    """503 with the plan's ``retry_headers``."""
    HANG = "hang"
    """No answer until the client goes away."""
    CUT_BODY = "cut_body"
    """The connection closes before the announced end."""
    CUT_JSON = "cut_json"
    """The response ends as announced, in the middle of its JSON."""
    NOT_JSON = "not_json"
    """A proxy's page instead of the API's JSON, with status 200."""
    CONTENT_FILTER_400 = "content_filter_400"
    """The prompt is refused by a filter, as Azure tells it."""
    CONTEXT_TOO_LONG = "context_too_long"
    CHOICES_EMPTY = "choices_empty"
    CHOICES_NULL = "choices_null"

    CONTENT_FILTER = "content_filter"
    """finish_reason content_filter."""
    REFUSAL = "refusal"
    LENGTH = "length"
    """finish_reason length, the content cut."""
    LENGTH_WHOLE = "length_whole"
    """finish_reason length, though the content happens to be whole."""
    CONTENT_NULL = "content_null"
    """Reasoning only, finish_reason stop."""
    CONTENT_EMPTY = "content_empty"
    PROMPT_CUT = "prompt_cut"
    """The usage tells that a third of the prompt was read."""
    NO_USAGE = "no_usage"
    FENCED = "fenced"
    """Reasoning, prose and a code fence around the reply: to be read."""
    LONE_SURROGATE = "lone_surrogate"
    """Half a pair of surrogates in the first text: to be read."""
    SHAPE_BROKEN = "shape_broken"
    """The last field of the reply is missing."""
    THIRD_SPEAKER = "third_speaker"
    TIME_BACK = "time_back"
    TURN_GAP = "turn_gap"


@dataclass
class FaultPlan:
    """Decides the fault of each request.

    ``when`` is asked first and sees the messages; then ``script`` goes by order of arrival; then
    each share of ``shares`` is drawn with ``seed`` and the request's number.
    """

    shares: Mapping[Fault, float] = field(default_factory=dict[Fault, float])
    script: Sequence[Fault | None] = ()
    when: Callable[[Sequence[Message]], Fault | None] | None = None
    seed: int = 0
    retry_headers: Mapping[str, str] = field(default_factory=lambda: {"retry-after": "1"})

    def draw(self, number: int, messages: Sequence[Message]) -> Fault | None:
        """The fault of the request with that number, from 0; null for none."""
        if self.when is not None and (fault := self.when(messages)) is not None:
            return fault
        if number < len(self.script):
            return self.script[number]
        drawn = random.Random(f"{self.seed}:{number}").random()
        for fault, share in self.shares.items():
            drawn -= share
            if drawn < 0:
                return fault
        return None
