"""Counts what requests took, by stage, patient and model."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from tasks.adapters.llm.prices import PriceTable
from tasks.adapters.models import WorkItem
from tasks.contracts.usage import UsageCounts, UsageReport


@dataclass(frozen=True)
class Tokens:
    """Tokens of one answer; ``estimated`` where they were counted here, not by the server."""

    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False


@dataclass
class _Tally:
    requests: int = 0
    replayed: int = 0
    failed_attempts: int = 0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    estimated: int = 0

    def take(self, tokens: Tokens) -> None:
        self.input_tokens += tokens.input_tokens
        self.cached_input_tokens += tokens.cached_input_tokens
        self.output_tokens += tokens.output_tokens
        self.estimated += tokens.estimated


@dataclass
class Ledger:
    """The tallies of one model's session; safe to use from threads."""

    model: str
    prices: PriceTable | None = None
    _tallies: dict[tuple[str, str], _Tally] = field(
        default_factory=lambda: defaultdict[tuple[str, str], _Tally](_Tally)
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answered(self, work: WorkItem, tokens: Tokens) -> None:
        """The server answered a request, in whatever way."""
        with self._lock:
            self._tally(work).requests += 1
            self._tally(work).take(tokens)

    def replayed(self, work: WorkItem) -> None:
        """A request was answered by a kept reply."""
        with self._lock:
            self._tally(work).replayed += 1

    def failed(self, work: WorkItem, tokens: Tokens | None = None) -> None:
        """An HTTP request had no usable answer; ``tokens`` are what it took all the same."""
        with self._lock:
            self._tally(work).failed_attempts += 1
            self._tally(work).take(tokens or Tokens())

    def report(self) -> UsageReport:
        """What was counted so far."""
        with self._lock:
            tallies = dict(self._tallies)
            total = self._counts(tallies.values())
            return UsageReport(
                total=total,
                by_stage=self._by([(stage, one) for (stage, _), one in tallies.items()]),
                by_patient=self._by([(patient, one) for (_, patient), one in tallies.items()]),
                by_model={self.model: total} if tallies else {},
            )

    def _by(self, tallies: Iterable[tuple[str, _Tally]]) -> dict[str, UsageCounts]:
        groups: defaultdict[str, list[_Tally]] = defaultdict(list)
        for name, tally in tallies:
            groups[name].append(tally)
        return {name: self._counts(groups[name]) for name in sorted(groups)}

    def _counts(self, tallies: Iterable[_Tally]) -> UsageCounts:
        total = _Tally()
        for tally in tallies:
            for name, count in asdict(tally).items():
                setattr(total, name, getattr(total, name) + count)
        usd = None
        if self.prices is not None:
            usd = self.prices.cost_usd(
                self.model, total.input_tokens, total.output_tokens, total.cached_input_tokens
            )
        return UsageCounts(usd=usd, **asdict(total))

    def _tally(self, work: WorkItem) -> _Tally:
        return self._tallies[work.stage, work.subject_id]
