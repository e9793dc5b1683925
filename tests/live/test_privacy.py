"""Words of a patient stay in the input, release/ and cache/, however a run ends.

A real server and real commands; after each, everything else that they could have written is
searched: homes, Prefect's database, logs and artifacts in it, temporary folder, report/, consoles.
"""

from __future__ import annotations

import csv
import gzip
import os
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tasks.sample.writing import write_sample
from tests.factories.leaks import database_values, find_leaks
from tests.factories.marked import MARK, mark_tree
from tests.live.site import ANAMNESIS, Site

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ALLOWED = ("data", "release", "cache")
"""Folders that may hold patient text: the input and two of an output's three."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    made = Site(tmp_path_factory.mktemp("site"))
    write_sample(made.root / "data" / "sound", patients=3, seed=3)
    mark_tree(made.root / "data" / "sound")
    for marker in (made.root / "data").rglob("DATA_CLASS"):
        marker.unlink()
    # Prefect at its most talkative, and keeping whatever results it may.
    talkative = {"PREFECT_LOGGING_LEVEL": "DEBUG", "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "true"}
    assert build(made, "sound", "sound", **talkative) == 0, made.last_words()
    yield made
    made.anamnesis("server", "stop")


def build(site: Site, data: str, out: str, *options: str, **others: str) -> int:
    folders = ("--mimic", str(site.root / "data" / data), "--out", str(site.root / out))
    return site.anamnesis("build", *folders, *options, **others)


def assert_no_leak(site: Site) -> None:
    searched = [*site.files_outside(*ALLOWED), *strangers(site)]
    assert len(searched) > 10
    assert find_leaks(searched, MARK) == []


def strangers(site: Site) -> list[Path]:
    """Files made since the site in the folders that any program may write to."""
    since = (site.root / "cwd").stat().st_ctime
    folders = [Path(name) for name in ("/dev/shm", "/var/tmp") if Path(name).is_dir()]
    found = [path for folder in folders for path in folder.iterdir() if path.is_file()]
    mine = [path for path in found if path.stat().st_uid == os.getuid()]
    return [path for path in mine if path.stat().st_mtime >= since]


def test_a_build_keeps_patients_words_in_the_release_and_the_cache(site: Site) -> None:
    assert_no_leak(site)
    for folder in ("release", "cache"):
        files = [path for path in (site.root / "sound" / folder).rglob("*") if path.is_file()]
        assert find_leaks(files, MARK), "the words never got this far: the search shows nothing"
    tables = {table for table, _ in database_values(site.root / "prefect" / "prefect.db")}
    assert {"log", "artifact", "events", "task_run", "task_run_state", "flow_run"} <= tables


def test_whole_lines_of_notes_are_nowhere_else_either(site: Site) -> None:
    lines = {
        line.removesuffix(MARK).strip()
        for path in (site.root / "data" / "sound" / "note").glob("*.csv")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    told = b"\n".join(path.read_bytes() for path in site.files_outside(*ALLOWED))
    long = [line for line in lines if len(line) > 25]
    assert len(long) > 100
    assert [line for line in long if line.encode() in told] == []


def test_folders_with_patients_words_are_closed_to_other_users(site: Site) -> None:
    cache = site.root / "sound" / "cache"
    folders = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
    folders.append(site.root / "sound" / "release")
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}


def test_nothing_is_written_outside_the_output_but_prefects_home_and_a_font_list(
    site: Site,
) -> None:
    names = ("home", "xdg", "tmp", "cwd")
    found = [path for name in names for path in (site.root / name).rglob("*") if path.is_file()]
    assert [path.name for path in found if not path.name.startswith("fontlist")] == []


def append(name: str, content: bytes) -> Callable[[Path], None]:
    def change(data: Path) -> None:
        with (data / name).open("ab") as stream:
            stream.write(content)

    return change


def cut_gz(data: Path) -> None:
    path = data / "note" / "discharge.csv"
    packed = gzip.compress(path.read_bytes())
    path.with_name("discharge.csv.gz").write_bytes(packed[: len(packed) // 2])
    path.unlink()


def write(name: str, content: str) -> Callable[[Path], None]:
    def change(data: Path) -> None:
        (data / name).write_text(content)

    return change


def second_content(data: Path) -> None:
    path = data / "note" / "discharge.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        header, first, *_ = csv.reader(stream)
    first[header.index("text")] = TEXT.decode()
    with path.open("a", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerow(first)


NOTE = b'90000009-DS-1,90000009,80000009,DS,1,2150-01-01 00:00:00,2150-01-01 00:00:00,"%s"\n'
STAY = b"90000009,80000009,%s,2150-01-02 00:00:00,,URGENT,,,,Other,,,,,,0\n"
TEXT = f"Mrs {MARK} takes syrup".encode()

BAD_INPUT = {
    "a quote that is never closed": append("note/discharge.csv", (NOTE % TEXT)[:-2]),
    "quotes that are not doubled": append("note/discharge.csv", NOTE % (TEXT + b' "so", ')),
    "text without quotes": append(
        "note/discharge.csv", NOTE.replace(b'"', b"") % (TEXT + b", a, b, c")
    ),
    "an overlong record": append("note/discharge.csv", NOTE % ((TEXT + b" ") * 900_000)),
    "text for an id": append(
        "note/discharge.csv", (NOTE % TEXT).replace(b",80000009", b"," + TEXT)
    ),
    "text for a time": append("hosp/admissions.csv", STAY % TEXT),
    "two contents of one note": second_content,
    "a cut gz": cut_gz,
    "a data class that is text": write("note/DATA_CLASS", TEXT.decode()),
    "digests that are text": write(
        "note/SHA256SUMS.txt", f"{TEXT.decode()}\n{MARK}  discharge.csv\n"
    ),
}


@pytest.mark.parametrize("kind", BAD_INPUT)
def test_bad_input_is_refused_without_a_patients_words(site: Site, kind: str) -> None:
    data = site.root / "data" / kind
    shutil.copytree(site.root / "data" / "sound", data)
    BAD_INPUT[kind](data)
    assert build(site, kind, f"out {kind}") == 2, site.last_words()
    assert site.last_words().splitlines()[-1].startswith("error: ")
    assert not (site.root / f"out {kind}").exists()
    assert_no_leak(site)


UNFORESEEN = [
    "tasks.dialogue.synthesis:synthesise:PanicException",
    "tasks.gates.suites:run_gate:KeyError",
    "tasks.ehr.staging:stage_cohort:UnicodeError",
    "flows.local_run:run_build:RuntimeError",
]


@pytest.mark.parametrize("fault", UNFORESEEN)
def test_an_unforeseen_error_that_quotes_a_patient_is_told_by_its_type(
    site: Site, fault: str
) -> None:
    out = fault.replace(":", " ")
    assert build(site, "sound", out, PLUGIN_FAULT=f"{fault}:{TEXT.decode()}") == 1
    said = site.last_words()
    assert fault.rsplit(":", 1)[1] in said
    assert "Traceback" not in said
    assert_no_leak(site)
    for log in (site.root / "tmp").glob("anamnesis-error-*"):
        assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_changed_cache_and_a_killed_run_leave_nothing_outside(site: Site) -> None:
    out = site.root / "killed"
    folders = ("--mimic", str(site.root / "data" / "sound"), "--out", str(out))
    # The children of the run are killed with it; the server is in a session of its own.
    process = subprocess.Popen(
        [*ANAMNESIS, "build", *folders],
        env=site.environment(),
        cwd=site.root / "cwd",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not list(out.glob("cache/dialogues/*.json")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert_no_leak(site)
    spilt = out / "cache" / "scratch" / "spill" / "left behind"
    spilt.parent.mkdir(parents=True, exist_ok=True)
    spilt.write_bytes(TEXT)
    for path in out.glob("cache/*/*.json"):
        path.write_bytes(path.read_bytes()[:-1] + TEXT)
    build(site, "sound", "killed")
    assert not spilt.exists()
    assert_no_leak(site)


def with_text_for_every_string(content: bytes) -> bytes:
    return content.replace(b': "', b': "' + TEXT)


def with_a_text_changed(content: bytes) -> bytes:
    return content.replace(MARK.encode(), TEXT, 1)


def with_an_unknown_field(content: bytes) -> bytes:
    return content.replace(b"{", b'{"' + TEXT + b'": "' + TEXT + b'",', 1)


def without_an_end(content: bytes) -> bytes:
    return content[:-9] + TEXT


TAMPERED: dict[str, list[tuple[str, Callable[[bytes], bytes]]]] = {
    "files": [
        ("conversation.json", with_a_text_changed),
        ("qa.json", with_an_unknown_field),
        ("benchmark_qa.json", with_text_for_every_string),
        ("conversation.json", without_an_end),
    ],
    "manifest": [("manifest.json", with_text_for_every_string)],
}
"""File after file of one name is changed in one way each."""


@pytest.mark.parametrize("kind", TAMPERED)
def test_a_release_is_found_wrong_without_a_patients_words(
    site: Site, kind: str, tmp_path: Path
) -> None:
    release = tmp_path / "release"
    shutil.copytree(site.root / "sound" / "release", release)
    files = {name: iter(sorted(release.rglob(name))) for name, _ in TAMPERED[kind]}
    changed = [(next(files[name]), change) for name, change in TAMPERED[kind]]
    for path, change in changed:
        path.write_bytes(change(path.read_bytes()))
    assert site.anamnesis("verify", str(release)) == 1, site.last_words()
    assert all(str(path.relative_to(release)) in site.last_words() for path, _ in changed)
    assert_no_leak(site)
