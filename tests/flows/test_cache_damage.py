"""A damaged cache is made again, whatever is damaged: it is never trusted and never in the way."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.build_benchmark import build_benchmark
from tasks.adapters.files import sha256_file
from tasks.contracts.build import RunReport
from tests.factories.mimic_tree import write_mimic_tree

RECORDED = ("cohort", "dialogues", "lexicon", "timelines", "questions")
"""Kinds of results that Prefect keeps a record of."""

STAGED = (*RECORDED, "bundles", "benchmark")

pytestmark = pytest.mark.usefixtures("prefect_server")


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): sha256_file(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def build(mimic: Path, out: Path) -> RunReport:
    report = build_benchmark(mimic=str(mimic), out=str(out))
    assert isinstance(report, RunReport)
    return report


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, prefect_server: None) -> Path:
    """A folder with a source and a build of it."""
    folder = tmp_path_factory.mktemp("whole")
    write_mimic_tree(folder / "mimic")
    build(folder / "mimic", folder / "out")
    return folder


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def garble(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x55
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("spoil", [cut, garble, Path.unlink], ids=["cut", "garbled", "deleted"])
@pytest.mark.parametrize("what", ["staged", "results"])
def test_damage_is_made_good(
    whole: Path, tmp_path: Path, what: str, spoil: Callable[[Path], object]
) -> None:
    """The first file of every kind; keys are digests of contents, so that no damage hides one."""
    shutil.copytree(whole / "out", tmp_path / "out")
    cache = tmp_path / "out" / "cache"
    for kind in STAGED if what == "staged" else RECORDED:
        place = cache / kind if what == "staged" else cache / "results"
        spoil(min(place.glob(f"{kind}*" if what == "results" else "*.json")))
    report = build(whole / "mimic", tmp_path / "out")
    assert report.outcome == "completed"
    assert digests(tmp_path / "out/release") == digests(whole / "out/release")
    # Its like is not made again for it.
    assert report.stages["dialogues"].computed <= 1
    assert report.stages["questions"].computed <= 1


@pytest.mark.parametrize("name", ["results", "dialogues", "bundles"])
def test_a_deleted_part_of_the_cache_is_made_again(whole: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(whole / "out", tmp_path / "out")
    shutil.rmtree(tmp_path / "out" / "cache" / name)
    if name == "results":
        (tmp_path / "out" / "cache" / name).mkdir()
    assert build(whole / "mimic", tmp_path / "out").outcome == "completed"
    assert digests(tmp_path / "out/release") == digests(whole / "out/release")


def test_an_output_that_was_moved_goes_on_from_its_cache(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole / "out", tmp_path / "moved")
    report = build(whole / "mimic", tmp_path / "moved")
    stages = ("bundles", "dialogues", "timelines", "questions")
    assert [report.stages[stage].computed for stage in stages] == [0, 0, 0, 0]
    assert digests(tmp_path / "moved/release") == digests(whole / "out/release")
