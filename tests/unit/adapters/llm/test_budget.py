"""What a run may spend."""

import threading
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.adapters.llm.budget import Budget, Spending
from tasks.contracts.errors import BudgetSpent


def test_a_request_whose_worst_case_fits_is_let_through():
    budget = Budget(max_usd=1.0, max_tokens=1000)
    budget.reserve(Spending.of(1000, 1.0))
    budget.settle(Spending.of(1000, 1.0), Spending.of(300, 0.25))
    assert budget.spent == Spending(tokens=300, nano_usd=250_000_000)


def test_one_whose_worst_case_does_not_fit_is_stopped_with_the_figures():
    budget = Budget(max_tokens=1000)
    budget.reserve(Spending(600))
    budget.settle(Spending(600), Spending(600))
    with pytest.raises(BudgetSpent) as stopped:
        budget.reserve(Spending(401))
    assert str(stopped.value) == (
        "the budget of this run is spent: 600 of --max-tokens 1000 are spent, 400 are left, the "
        "next request may take 401. Finished work is kept: raise --max-usd or --max-tokens, the "
        "same command resumes"
    )
    assert stopped.value.exit_code == 3


def test_money_is_counted_without_drift():
    budget = Budget(max_usd=0.3)
    for _ in range(3):
        budget.reserve(Spending.of(0, 0.1))
        budget.settle(Spending.of(0, 0.1), Spending.of(0, 0.1))
    assert budget.spent.nano_usd == 300_000_000
    with pytest.raises(BudgetSpent, match=r"0\.3000 of --max-usd 0\.3000 USD are spent"):
        budget.reserve(Spending.of(0, 0.000001))


@given(st.integers(0, 10**12))
def test_an_amount_is_taken_as_it_is_written(nano_usd: int):
    usd = float(f"{nano_usd}e-9")
    assert Spending.of(0, usd).nano_usd == nano_usd
    budget, all_of_it = Budget(max_usd=usd), Spending(0, nano_usd)
    budget.reserve(all_of_it)
    budget.settle(all_of_it, all_of_it)
    with pytest.raises(BudgetSpent):
        budget.reserve(Spending(0, 1))


def test_one_that_may_fit_once_others_are_settled_waits_for_them():
    budget, order = Budget(max_tokens=100), list[str]()
    budget.reserve(Spending(80))

    def ask() -> None:
        budget.reserve(Spending(50))
        order.append("let through")

    thread = threading.Thread(target=ask)
    thread.start()
    order.append("settled")
    budget.settle(Spending(80), Spending(50))
    thread.join()
    assert order == ["settled", "let through"]


def test_one_that_never_fits_does_not_wait():
    budget = Budget(max_tokens=100)
    budget.reserve(Spending(80))
    with pytest.raises(BudgetSpent, match="the next request may take 101"):
        budget.reserve(Spending(101))


@settings(max_examples=25)
@given(
    limit=st.integers(0, 500),
    requests=st.lists(st.tuples(st.integers(1, 120), st.floats(0, 1)), max_size=40),
    seed=st.integers(0, 1000),
)
def test_what_is_spent_never_exceeds_the_limit_however_threads_interleave(
    limit: int, requests: list[tuple[int, float]], seed: int
):
    budget, stopped = Budget(max_usd=limit / 1e9, max_tokens=limit), list[int]()
    jobs = [Spending(worst, worst) for worst, _ in requests]
    shares = [share for _, share in requests]
    Random(seed).shuffle(shares)

    def work(first: int) -> None:
        for worst, share in list(zip(jobs, shares, strict=True))[first::4]:
            try:
                budget.reserve(worst)
            except BudgetSpent:
                stopped.append(worst.tokens)
                continue
            took = int(worst.tokens * share)
            budget.settle(worst, Spending(took, took))

    threads = [threading.Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.spent.tokens <= limit
    # Nobody is turned away who would have fitted at the end.
    assert all(budget.spent.tokens + tokens > limit for tokens in stopped)
