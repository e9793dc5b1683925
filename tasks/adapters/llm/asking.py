"""Asks a server for one reply, and again while that may help: the only place with retries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from tasks.adapters.llm.accounts import Accounts, reply_tokens
from tasks.adapters.llm.calls import Call
from tasks.adapters.llm.dialects import Dialects
from tasks.adapters.llm.health import Health
from tasks.adapters.llm.limiter import Limiter, Permit
from tasks.adapters.llm.outcomes import Failed, Finished, Judgement, Rejected, Unsupported, judge
from tasks.adapters.llm.rejections import (
    Asked,
    left_blank,
    refused_parameter,
    rejection,
    unlike_others,
    unreachable,
)
from tasks.adapters.llm.reply_store import KeptReply, content_digest
from tasks.adapters.llm.sizes import SizedCall, refuse_cut_prompt, size_call
from tasks.adapters.llm.transport import NoResponse, Transport
from tasks.adapters.llm.waiting import Patience
from tasks.adapters.models import WorkItem

MOST_BLANKS = 3
"""Answers without a reply before a request is given up: each may be billed."""

MOST_UNREADABLE = 6
"""Answers of success that are no JSON before a request is given up: each may be billed too, but a
bad line cuts some by chance."""

LONG_WAIT_SECONDS = 20.0
"""How long a request may be asked again before the log says why."""

NEVER_REACHED_SECONDS = 10.0
"""How long a server that was never reached is waited for: its address is wrong, or nobody started
it. One that answered before may come back within the deadline."""


@dataclass(frozen=True)
class Clocks:
    """Time and chance."""

    monotonic: Callable[[], float]
    now: Callable[[], datetime]
    sleep: Callable[[float], None]
    random: Random


@dataclass(frozen=True)
class Limits:
    """How long a request may take in all, and one HTTP request of it."""

    deadline_seconds: float
    timeout_seconds: float


@dataclass
class Trial:
    """One request on its way to a reply."""

    work: WorkItem
    patience: Patience
    blanks: int = 0
    unreadable: int = 0


@dataclass(frozen=True)
class _Answer:
    judgement: Judgement
    asked_at: datetime
    seconds: float


@dataclass(frozen=True)
class Asker:
    """Asks one server for replies; safe to use from threads."""

    transport: Transport
    dialects: Dialects
    asked: Asked
    limiter: Limiter
    accounts: Accounts
    health: Health
    clocks: Clocks
    limits: Limits

    def ask(self, call: Call, work: WorkItem) -> KeptReply:
        """A finished reply, however it ended.

        Raises ModelFailed for a request that is not answered, and ProviderUnavailable for a
        provider that answers nobody or a budget that is spent.
        """
        patience = Patience(self.limits.deadline_seconds, self.clocks.random)
        trial = Trial(work, patience)
        sized = size_call(call, self.dialects.current)
        while True:
            answer = self._attempt(sized, trial)
            match answer.judgement:
                case Finished() as finished:
                    return _kept(finished, sized, answer)
                case Unsupported(parameter):
                    if not self.dialects.refused(sized.dialect, parameter):
                        raise refused_parameter(parameter, self.asked)
                    sized = size_call(call, self.dialects.current)
                case Rejected() as rejected:
                    raise rejection(rejected, self.asked, self.health)
                case Failed() as failed:
                    self.wait(trial, failed)

    def _attempt(self, sized: SizedCall, trial: Trial) -> _Answer:
        with self.limiter.permit() as permit:
            self.health.check()
            with self.accounts.bill(sized) as bill:
                answer = self._send(sized, trial)
                self.accounts.account(bill, sized, answer.judgement, trial.work)
            self.judge_load(permit, answer.judgement)
        return answer

    def judge_load(self, permit: Permit, judgement: Judgement) -> None:
        """Let the limiter and the provider's health know how a request ended."""
        if isinstance(judgement, Finished):
            permit.succeeded = True
            self.health.answered()
        elif isinstance(judgement, Failed) and judgement.cause == "overloaded":
            permit.overloaded = True
            self.limiter.pause(judgement.retry_after_seconds or 0.0)

    def _send(self, sized: SizedCall, trial: Trial) -> _Answer:
        asked_at, began = self.clocks.now(), self.clocks.monotonic()
        timeout = min(self.limits.timeout_seconds, trial.patience.left_seconds)
        try:
            response = self.transport.send(sized.body(), timeout)
            judgement = judge(response, sized.dialect.changeable, self.clocks.now())
        except NoResponse as lost:
            judgement = Failed(lost.kind, lost.what)
        seconds = self.clocks.monotonic() - began
        trial.patience.used_seconds += seconds
        return _Answer(judgement, asked_at, seconds)

    def wait(self, trial: Trial, failed: Failed) -> None:
        """Sleep until the next attempt of a request; raises where there is none."""
        trial.blanks += failed.cause == "blank"
        if trial.blanks >= MOST_BLANKS:
            raise left_blank(self.asked, trial.blanks)
        trial.unreadable += failed.cause == "unreadable"
        delay = trial.patience.next_delay_seconds(failed.retry_after_seconds)
        if delay is None or self._is_hopeless(trial, failed, delay):
            seconds = trial.patience.used_seconds
            if self.health.answered_within(self.limits.deadline_seconds / 2):
                raise unlike_others(failed, self.asked, seconds)
            raise unreachable(failed, self.asked, seconds, self.health)
        if trial.patience.used_seconds + delay >= LONG_WAIT_SECONDS:
            self.health.troubled(failed.what, trial.patience.deadline_seconds)
        self.clocks.sleep(delay)
        trial.patience.used_seconds += delay

    def _is_hopeless(self, trial: Trial, failed: Failed, delay: float) -> bool:
        """Whether waiting on won't help: nothing to read came often, or nobody is there."""
        return trial.unreadable >= MOST_UNREADABLE or (
            failed.cause == "unreachable"
            and self.health.never_answered
            and trial.patience.used_seconds + delay >= NEVER_REACHED_SECONDS
        )


def _kept(finished: Finished, sized: SizedCall, answer: _Answer) -> KeptReply:
    """The reply as it is kept; raises ModelFailed where only a part of the prompt was read."""
    tokens = reply_tokens(finished, sized)
    if finished.usage is not None and finished.usage.input_tokens:
        refuse_cut_prompt(sized, tokens.input_tokens)
    return KeptReply(
        outcome=finished.outcome,
        content=finished.content,
        content_sha256=content_digest(finished.content),
        model=finished.model or sized.call.spec.model,
        input_tokens=tokens.input_tokens,
        cached_input_tokens=tokens.cached_input_tokens,
        output_tokens=tokens.output_tokens,
        estimated=tokens.estimated,
        request_timestamp=answer.asked_at.astimezone(UTC).isoformat(timespec="seconds"),
        response_id=finished.response_id,
        latency_ms=round(answer.seconds * 1000),
    )
