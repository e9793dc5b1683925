"""The window of requests in flight, and the threads that wait for it."""

import threading
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.adapters.llm.limiter import LONGEST_PAUSE_SECONDS, Limiter, Permit, Window


def _started(window: Window, count: int, now: float = 0.0) -> list[Permit]:
    permits = [window.start(now) for _ in range(count)]
    return [permit for permit in permits if permit is not None]


def test_as_many_start_as_the_window_holds():
    assert len(_started(Window(4, 4), 6)) == 4


def _answer(window: Window, permit: Permit, *, overloaded: bool) -> None:
    permit.overloaded, permit.succeeded = overloaded, not overloaded
    window.finish(permit)


def test_requests_of_one_round_trip_halve_the_window_once():
    window = Window(9, 9)
    permits = _started(window, 9)
    sizes = list[int]()
    for permit in permits:
        _answer(window, permit, overloaded=True)
        sizes.append(window.size)
    assert sizes == [9, 9, 4, 4, 4, 4, 4, 4, 4]
    for permit in _started(window, 2):
        _answer(window, permit, overloaded=True)
    assert window.size == 2


def test_a_small_window_is_halved_by_one_answer_and_a_window_of_one_stays_one():
    for size, halved in ((3, 1), (2, 1), (1, 1)):
        window = Window(8, size)
        _answer(window, _started(window, 1)[0], overloaded=True)
        assert window.size == halved


@pytest.mark.parametrize(("overloads", "size"), [(0, 31), (2, 31), (3, 30), (9, 30), (10, 15)])
def test_a_window_grows_holds_or_is_halved_by_its_share_of_overloads(overloads: int, size: int):
    window = Window(64, 30)
    for number, permit in enumerate(_started(window, 30)):
        _answer(window, permit, overloaded=number < overloads)
    assert window.size == size


def test_a_window_of_successes_lets_one_more_in_up_to_the_maximum():
    window, sizes = Window(4, 2), list[int]()
    for _ in range(9):
        _answer(window, _started(window, 1)[0], overloaded=False)
        sizes.append(window.size)
    assert sizes == [2, 3, 3, 3, 4, 4, 4, 4, 4]


def test_other_failures_say_nothing_of_the_load():
    window = Window(4, 2)
    for _ in range(9):
        window.finish(_started(window, 1)[0])
    assert (window.size, window.answers) == (2, 0)


def test_retry_after_holds_up_every_start_until_then():
    window = Window(4, 4)
    window.pause(10.0, 5.0)
    window.pause(11.0, 1.0)
    assert _started(window, 1, now=14.9) == []
    assert len(_started(window, 1, now=15.0)) == 1


def test_no_retry_after_holds_up_all_for_longer_than_a_minute():
    window = Window(4, 4)
    window.pause(0.0, 3600.0)
    assert window.paused_until == LONGEST_PAUSE_SECONDS == 60.0


@given(st.integers(0, 1000))
def test_chance_refusals_leave_most_of_a_window_open(seed: int):
    random, window = Random(seed), Window(64, 64)
    for _ in range(30):
        for permit in _started(window, window.size):
            _answer(window, permit, overloaded=random.random() < 0.15)
    assert window.size >= 32


def test_a_server_that_takes_eight_at_once_is_soon_asked_no_more():
    window, refused = Window(64, 64), list[int]()
    for _ in range(20):
        permits = _started(window, window.size)
        for number, permit in enumerate(permits):
            _answer(window, permit, overloaded=number >= 8)
        refused.append(max(0, len(permits) - 8))
    assert refused[:4] == [56, 24, 8, 0]
    assert max(refused[3:]) == 1


@given(
    st.integers(1, 16),
    st.lists(st.tuples(st.sampled_from(("start", "ok", "failed", "busy")), st.floats(0, 90))),
)
def test_never_more_in_flight_than_allowed_and_never_stuck(
    maximum: int, events: list[tuple[str, float]]
):
    window, now, open_permits = Window(maximum, maximum), 0.0, list[Permit]()
    for event, seconds in events:
        now += seconds
        if event == "start":
            free = window.in_flight < window.size and now >= window.paused_until
            permit = window.start(now)
            assert (permit is not None) == free
            open_permits += [permit] if permit else []
        elif open_permits:
            permit = open_permits.pop(0)
            permit.succeeded, permit.overloaded = event == "ok", event == "busy"
            if event == "busy":
                window.pause(now, seconds)
            window.finish(permit)
        assert window.in_flight == len(open_permits) <= maximum
        assert 1 <= window.size <= maximum
        assert window.paused_until <= now + LONGEST_PAUSE_SECONDS


def test_threads_get_their_permits_in_the_order_in_which_they_asked():
    limiter, served, threads = Limiter(1, lambda: 0.0), list[int](), list[threading.Thread]()
    with limiter.permit():
        for number in range(5):
            queued = threading.Event()

            def ask(number: int = number, queued: threading.Event = queued) -> None:
                queued.set()
                with limiter.permit():
                    served.append(number)

            thread = threading.Thread(target=ask)
            thread.start()
            queued.wait()
            while len(limiter._waiting) <= number:  # pyright: ignore[reportPrivateUsage]
                pass
            threads.append(thread)
    for thread in threads:
        thread.join()
    assert served == [0, 1, 2, 3, 4]


def test_many_threads_never_exceed_the_maximum():
    limiter, lock, inside, peak = Limiter(3, lambda: 0.0), threading.Lock(), 0, 0

    def ask() -> None:
        nonlocal inside, peak
        for _ in range(20):
            with limiter.permit() as permit:
                with lock:
                    inside += 1
                    peak = max(peak, inside)
                permit.succeeded = True
                with lock:
                    inside -= 1

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inside == 0
    assert peak <= 3
