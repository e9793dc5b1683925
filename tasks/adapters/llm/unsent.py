"""A language model that is sent nothing: says what would be sent, and what that may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from tasks.adapters.llm.calls import Call
from tasks.adapters.llm.dialects import Dialect
from tasks.adapters.llm.handle import AskedModel
from tasks.adapters.llm.reply_store import KeptReplies, KeptReply
from tasks.adapters.llm.servers import family_named, server_named
from tasks.adapters.llm.sizes import SizedCall, largest_call, size_call
from tasks.adapters.models import ModelSpec, WorkItem
from tasks.adapters.programmatic import ProgrammaticModel, Rules
from tasks.contracts.chat import ChatReply, ChatRequest, Reply

_STAND_IN = "stand-in"


@dataclass
class Unsent:
    """Requests that weren't made.

    ``prompt_tokens`` are those of the messages, ``overhead_tokens`` what a server may count beside
    them at most, ``output_tokens`` the limits of the replies. ``kept`` counts the requests that
    replies of earlier runs answer.
    """

    requests: int = 0
    kept: int = 0
    prompt_tokens: int = 0
    overhead_tokens: int = 0
    output_tokens: int = 0

    def add(self, other: Unsent) -> None:
        """Count the requests of another count too."""
        self.requests += other.requests
        self.kept += other.kept
        self.prompt_tokens += other.prompt_tokens
        self.overhead_tokens += other.overhead_tokens
        self.output_tokens += other.output_tokens

    def take(self, sized: SizedCall) -> None:
        """Count one request."""
        self.requests += 1
        self.prompt_tokens += sized.prompt_tokens
        self.overhead_tokens += sized.overhead_tokens
        self.output_tokens += sized.output_limit


@dataclass
class UnsentSession:
    """Stands where a model's session does: its handles answer from kept replies, and by stand-in
    ``rules`` where there are none. ``requests`` counts the latter.

    Connects to nothing and writes nothing. A request is counted once: the reply to the same one
    would be kept. With ``bound`` prompts hold stand-ins that are as long as what they stand for may
    be: one that no context takes is counted as the longest that does, not refused.
    """

    spec: ModelSpec
    kept: KeptReplies
    rules: Mapping[type[BaseModel], Rules] = field(repr=False)
    bound: bool = False
    requests: Unsent = field(default_factory=Unsent)
    known: set[str] = field(default_factory=set[str], repr=False)

    def handle(self, work: WorkItem) -> UnsentModel:
        """The model, for one item of work."""
        return UnsentModel(self, work)


class UnsentModel(AskedModel):
    """The model of such a session, for one item of work."""

    def __init__(self, session: UnsentSession, work: WorkItem) -> None:
        spec = session.spec
        super().__init__(spec, Dialect(server_named(spec.server), family_named(spec.family)))
        self._session = session
        self._work = work
        self._stand_in = ProgrammaticModel(session.rules, _STAND_IN)

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        """The kept reply where there is one, else the stand-in; raises as a language model does."""
        try:
            return super().complete(request)
        except _NotKept:
            return self._stand_in.complete(request)

    def _reply(self, call: Call) -> KeptReply:
        session = self._session
        key = call.key(self._work, self._dialect)
        kept = session.kept.get(self._work.subject_id, key)
        if kept is not None:
            session.requests.kept += 1
            return kept
        if key not in session.known:
            size = largest_call if session.bound else size_call
            session.requests.take(size(call, self._dialect))
            session.known.add(key)
        raise _NotKept


class _NotKept(Exception):
    """There is no reply yet."""
