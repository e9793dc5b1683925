import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tasks.adapters.side_processes import SideProcesses, computed, side_processes

PATIENCE_SECONDS = 30.0
BROKEN = os.strerror(errno.EPIPE)


def upper(given: bytes) -> bytes:
    return given.upper()


def pid(_given: bytes) -> bytes:
    return str(os.getpid()).encode()


def environment(_given: bytes) -> bytes:
    return "\n".join(sorted(os.environ)).encode()


def raising(_given: bytes) -> bytes:
    raise ValueError(f"process {os.getpid()}")


def dying(_given: bytes) -> bytes:
    if os.getpid() != int(_given):
        os.kill(os.getpid(), signal.SIGKILL)
    return b"survived"


def dying_in_mid_answer(given: bytes) -> bytes:
    if os.getpid() != int(given):
        os.write(1, (1_000).to_bytes(8, "big") + b"\0half an ans")
        os.kill(os.getpid(), signal.SIGKILL)
    return b"whole"


def passing_gate(given: bytes) -> bytes:
    """Says that it began, and ends when the gate opens."""
    began, gate = (Path(part) for part in given.decode().split("\n"))
    began.touch()
    with gate.open() as opened:
        opened.read()
    return began.name.encode()


@pytest.fixture
def ready():
    """One process, started."""
    made = SideProcesses(1)
    started = threading.Event()
    for _ in range(10_000):
        if made.call(pid, b"", 0.0) != str(os.getpid()).encode():
            started.set()
            break
        started.wait(0.005)
    assert started.is_set()
    yield made
    made.close()


def test_a_function_is_computed_in_another_process_and_gives_the_same(ready):
    assert ready.call(upper, "fièvre".encode(), 0.0) == "fièvre".encode().upper()
    assert ready.call(pid, b"", 0.0) != str(os.getpid()).encode()


def test_contents_of_any_size_pass(ready):
    for size in (0, 1, 70_000, 3_000_000):
        assert ready.call(upper, b"a" * size, 0.0) == b"A" * size


def test_an_error_is_met_again_in_the_caller(ready):
    with pytest.raises(ValueError, match=f"process {os.getpid()}"):
        ready.call(raising, b"", 0.0)
    assert ready.call(upper, b"a", 0.0) == b"A"


def test_what_a_lost_process_had_to_do_is_done_by_the_caller(ready):
    here = str(os.getpid()).encode()
    assert ready.call(dying, here, 0.0) == b"survived"
    assert ready.call(pid, b"", 0.0) == here


def test_half_an_answer_is_none(ready):
    here = str(os.getpid()).encode()
    assert ready.call(dying_in_mid_answer, here, 0.0) == b"whole"
    assert ready.call(pid, b"", 0.0) == here


def test_where_no_process_stays_callers_compute_for_themselves(monkeypatch, caplog):
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    made = SideProcesses(2)
    assert made.call(pid, b"", 0.0) == str(os.getpid()).encode()
    _wait_for(lambda: caplog.messages)
    (told,) = caplog.messages
    assert told in [
        f"no process for checks could be started ({why})" for why in ("it ended early", BROKEN)
    ]
    assert made.call(upper, b"a", 0.0) == b"A"
    made.close()


def test_nothing_of_the_environment_is_passed_on(ready, monkeypatch):
    assert set(ready.call(environment, b"", 0.0).decode().split()) <= {
        "LC_ALL",
        "LC_CTYPE",
        "PYTHONPATH",
    }


def test_the_most_urgent_caller_goes_first(ready, tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    done: list[bytes] = []

    def call(name: str, urgency: float) -> None:
        done.append(ready.call(passing_gate, f"{tmp_path / name}\n{gate}".encode(), urgency))

    with ThreadPoolExecutor(4) as pool:
        ended = [pool.submit(call, "first", 0.0)]
        _wait_for(lambda: (tmp_path / "first").exists())
        for number, urgency in enumerate((1.0, 3.0, 2.0), start=1):
            ended.append(pool.submit(call, f"urgency {urgency}", urgency))
            _wait_for(lambda number=number: len(ready._waiting) == number)
        for number in range(1, 5):
            gate.write_text("")
            _wait_for(lambda number=number: len(done) == number)
        for one in ended:
            one.result(PATIENCE_SECONDS)
    assert done == [b"first", b"urgency 3.0", b"urgency 2.0", b"urgency 1.0"]


def test_many_callers_get_each_their_own_answer(ready):
    with ThreadPoolExecutor(16) as pool:
        asked = [f"case {number}".encode() for number in range(200)]
        answers = list(pool.map(lambda one: ready.call(upper, one, 0.0), asked))
    assert answers == [one.upper() for one in asked]


def test_after_the_end_callers_compute_for_themselves(ready):
    ready.close()
    assert ready.call(pid, b"", 0.0) == str(os.getpid()).encode()


def test_without_processes_everything_is_computed_here():
    assert computed(pid, b"") == str(os.getpid()).encode()
    with side_processes(0):
        assert computed(pid, b"") == str(os.getpid()).encode()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_killed_run_leaves_no_process_behind(tmp_path):
    program = (
        "import sys\n"
        "from tests.unit.adapters.test_side_processes import pid\n"
        "from tasks.adapters.side_processes import SideProcesses\n"
        "made = SideProcesses(1)\n"
        "import os, time\n"
        "while (found := made.call(pid, b'', 0.0)) == str(os.getpid()).encode(): time.sleep(0.01)\n"
        "print(found.decode(), flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        side = int(run.stdout.readline())
        run.kill()
    _wait_for(lambda: not _is_running(side))


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def _wait_for(condition) -> None:
    waiting = threading.Event()
    for _ in range(int(PATIENCE_SECONDS / 0.005)):
        if condition():
            return
        waiting.wait(0.005)
    raise AssertionError("it never came to pass")
