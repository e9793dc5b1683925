"""A release has the same bytes on any day, in any time zone, locale, process, folder and home."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Generator

import pytest

from tasks.sample.writing import write_sample
from tests.live.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    made = Site(tmp_path_factory.mktemp("site"))
    write_sample(made.root / "data", patients=2, seed=27)
    yield made
    made.anamnesis("server", "stop")


def release(site: Site, out: str, *interpreter: str, **others: str) -> dict[str, bytes]:
    command = (sys.executable, *interpreter, "-m", "flows.cli", "build")
    folder = site.root / "cwd" / out
    folder.mkdir()
    given = ("--mimic", str(site.root / "data"), "--out", f"../{out}/out")
    assert site.run((*command, *given), folder, others) == 0, site.last_words()
    made = folder / "out" / "release"
    return {
        path.relative_to(made).as_posix(): path.read_bytes()
        for path in sorted(made.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def expected(site: Site) -> dict[str, bytes]:
    made = release(site, "expected", PYTHONHASHSEED="0", TZ="UTC", LANG="C.UTF-8")
    assert len(made) > 10
    return made


SURROUNDINGS = {
    "east, another year": (
        (),
        {
            "TZ": "Asia/Tokyo",
            "LC_ALL": "C",
            "PLUGIN_DAYS": "-400",
            "PYTHONHASHSEED": "1",
            "PYTHONUTF8": "0",
        },
    ),
    "west, optimised, Turkish": (
        ("-O",),
        {"TZ": "America/Los_Angeles", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "4242"},
    ),
}


@pytest.mark.parametrize("where", SURROUNDINGS)
def test_surroundings_do_not_change_a_byte(
    site: Site, expected: dict[str, bytes], where: str
) -> None:
    interpreter, variables = SURROUNDINGS[where]
    assert release(site, where, *interpreter, **variables) == expected


def test_no_file_names_today_or_the_place_it_was_made_at(
    site: Site, expected: dict[str, bytes]
) -> None:
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    for word in (today, str(site.root), "prefect"):
        assert [path for path, content in expected.items() if word.encode() in content] == []
