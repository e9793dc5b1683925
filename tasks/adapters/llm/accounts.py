"""The money side of a session: what requests may take, what they took, and what for."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from tasks.adapters.llm.budget import Budget, Spending
from tasks.adapters.llm.ledger import Ledger, Tokens
from tasks.adapters.llm.outcomes import Failed, Finished, Judgement, Usage
from tasks.adapters.llm.prices import PriceTable
from tasks.adapters.llm.sizes import PromptBound, SizedCall
from tasks.adapters.models import WorkItem
from tasks.adapters.tokens import count_tokens


@dataclass
class Bill:
    """One HTTP request's part of the budget: the worst case, until its answer is known."""

    worst: Spending
    actual: Spending


@dataclass(frozen=True)
class Accounts:
    """Budget, ledger and prices of one model; safe to use from threads."""

    model: str
    budget: Budget
    ledger: Ledger
    prompt_bound: PromptBound
    prices: PriceTable | None

    @contextmanager
    def bill(self, sized: SizedCall) -> Generator[Bill]:
        """Reserve the worst case of a request, and settle it however the request ends.

        Raises BudgetSpent where it doesn't fit.
        """
        worst = self._spending(
            Tokens(self.prompt_bound.of(sized), output_tokens=sized.output_limit)
        )
        self.budget.reserve(worst)
        bill = Bill(worst, actual=worst)
        try:
            yield bill
        finally:
            self.budget.settle(worst, bill.actual)

    def account(self, bill: Bill, sized: SizedCall, judgement: Judgement, work: WorkItem) -> None:
        """Count what an answer took, on its bill and in the ledger."""
        match judgement:
            case Finished():
                tokens = reply_tokens(judgement, sized)
                bill.actual = self._spending(tokens)
                self.ledger.answered(work, tokens)
                if not tokens.estimated:
                    self.prompt_bound.learn(sized, tokens.input_tokens)
            case Failed(usage=Usage() as usage):
                tokens = Tokens(usage.input_tokens, usage.cached_input_tokens, usage.output_tokens)
                bill.actual = self._spending(tokens)
                self.ledger.failed(work, tokens)
            case Failed(cause="unanswered" | "blank" | "unreadable"):
                self.ledger.failed(work)
            case _:
                bill.actual = Spending()
                self.ledger.failed(work)

    def _spending(self, tokens: Tokens) -> Spending:
        usd = 0.0
        if self.prices is not None:
            usd = self.prices.cost_usd(
                self.model, tokens.input_tokens, tokens.output_tokens, tokens.cached_input_tokens
            )
        return Spending.of(tokens.input_tokens + tokens.output_tokens, usd)


def reply_tokens(finished: Finished, sized: SizedCall) -> Tokens:
    """Tokens of a reply as the server reports them, else as they are counted here."""
    usage = finished.usage
    if usage is not None:
        return Tokens(usage.input_tokens, usage.cached_input_tokens, usage.output_tokens)
    written = sized.output_limit if finished.outcome == "truncated" else 0
    return Tokens(sized.prompt_tokens, 0, written or count_tokens(finished.content), estimated=True)
