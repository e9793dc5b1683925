"""Backoff inside a deadline."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tasks.adapters.llm.waiting import LONGEST_DELAY_SECONDS, Patience


class _Highest(Random):
    def uniform(self, a: float, b: float) -> float:
        return b


def test_delays_double_up_to_a_minute():
    patience = Patience(1e6, _Highest())
    delays = [patience.next_delay_seconds(None) for _ in range(9)]
    assert delays == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


def test_the_servers_word_is_a_minimum():
    assert Patience(600, Random(1)).next_delay_seconds(45.0) == 45.0


def test_no_delay_passes_the_deadline():
    patience = Patience(600, Random(1), used_seconds=570)
    assert patience.next_delay_seconds(30.0) is None
    assert patience.next_delay_seconds(29.0) == 29.0


@given(st.integers(0, 2**32), st.floats(1, 1000), st.lists(st.none() | st.floats(0, 200)))
def test_all_delays_together_stay_inside_the_deadline(
    seed: int, deadline: float, asked: list[float | None]
):
    patience = Patience(deadline, Random(seed))
    for retry_after in asked:
        delay = patience.next_delay_seconds(retry_after)
        if delay is None:
            break
        assert (retry_after or 0) <= delay <= max(LONGEST_DELAY_SECONDS, retry_after or 0)
        patience.used_seconds += delay
    assert patience.used_seconds <= deadline
