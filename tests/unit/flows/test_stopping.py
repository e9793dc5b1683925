from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from flows.stopping import Stopped, stoppable

PROGRAM = """
import os, signal, sys, threading, time
from concurrent.futures import Future
from flows.scheduling import run_chains
from flows.stopping import Stopped, stoppable

# A test run may ignore hang-ups (nohup), and what it starts does too.
signal.signal(signal.SIGHUP, signal.SIG_DFL)

def wait():
    while True:
        time.sleep(0.01)

class Slow:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):
            pass

def plain():
    os.kill(os.getpid(), int(sys.argv[2]))
    wait()

def in_del():
    Slow()
    wait()

def twice():
    try:
        plain()
    finally:
        os.kill(os.getpid(), signal.SIGINT)
        wait()

def soon(number):
    threading.Timer(0.1, os.kill, (os.getpid(), number)).start()

def restarted():
    # What asyncio does to signals, and servers that use it.
    signal.siginterrupt(int(sys.argv[2]), False)
    soon(int(sys.argv[2]))
    run_chains([[1]], lambda *_: Future(), concurrency=1, weight=lambda _: 1.0)

def joined():
    try:
        restarted()
    finally:
        soon(int(sys.argv[2]))
        threading.Thread(target=wait).start()
        threading.enumerate()[-1].join()

try:
    with stoppable():
        globals()[sys.argv[1]]()
except Stopped as end:
    print(end)
    sys.exit(end.exit_code)
"""


def run(what: str, number: int = signal.SIGTERM) -> tuple[int, str, str]:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, what, str(int(number))],
        capture_output=True,
        text=True,
        timeout=60,
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(
    ("number", "code", "words"),
    [
        (signal.SIGINT, 130, "interrupted\n"),
        (signal.SIGTERM, 143, "ended by SIGTERM\n"),
        (signal.SIGHUP, 129, "ended by SIGHUP\n"),
    ],
)
def test_a_signal_ends_in_order_with_the_shells_code(number: int, code: int, words: str) -> None:
    assert run("plain", number) == (code, words, "")


def test_a_signal_that_arrives_while_an_object_is_cleared_up_is_not_lost() -> None:
    assert run("in_del") == (143, "ended by SIGTERM\n", "")


def test_a_second_signal_ends_at_once() -> None:
    assert run("twice") == (130, "", "")


def test_handlers_are_given_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with stoppable():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_another_thread_than_the_main_one_handles_no_signals() -> None:
    found: list[object] = []

    def body() -> None:
        with stoppable():
            found.append(signal.getsignal(signal.SIGTERM))

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert found == [before]


def test_stopped_is_an_interrupt() -> None:
    assert isinstance(Stopped(signal.SIGINT), KeyboardInterrupt)


def test_ctrl_c_is_heard_while_items_run_and_libraries_restart_system_calls() -> None:
    assert run("restarted", signal.SIGINT) == (130, "interrupted\n", "")


def test_a_second_ctrl_c_ends_the_wait_for_threads() -> None:
    assert run("joined", signal.SIGINT)[0] == 130
