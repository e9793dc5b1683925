"""A release's bytes depend on the records, the request and the recipe, on nothing else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from flows.build_benchmark import build_benchmark
from tasks.sample.writing import write_sample
from tests.factories.shuffled import shuffle_tree

pytestmark = pytest.mark.usefixtures("prefect_server")

# Fewer patients than are eligible, so that ranking decides too.
PATIENTS = 2
MANIFEST = "manifest.json"

Release = dict[str, bytes]


def build(mimic: Path, out: Path, **parameters: Any) -> Release:
    build_benchmark(mimic=str(mimic), out=str(out), patients=PATIENTS, **parameters)
    return contents(out / "release")


def contents(folder: Path) -> Release:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def mimic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mimic")
    write_sample(folder, patients=4, seed=3, quirks=True)
    return folder


@pytest.fixture(scope="module")
def built(prefect_server: None, mimic: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("out")
    build(mimic, folder, concurrency=2)
    return folder


@pytest.fixture(scope="module")
def expected(built: Path) -> Release:
    made = contents(built / "release")
    assert len([path for path in made if path.endswith("conversation.json")]) >= 2 * PATIENTS
    return made


@pytest.mark.parametrize("concurrency", [1, 8])
def test_any_concurrency_gives_the_same_bytes(
    mimic: Path, expected: Release, tmp_path: Path, concurrency: int
) -> None:
    assert build(mimic, tmp_path / "out", concurrency=concurrency) == expected


def without_inputs(release: Release) -> Mapping[str, object]:
    """A release with its manifest read, less what that says of the input files."""
    manifest = json.loads(release[MANIFEST])
    for told in manifest["inputs"].values():
        # The files are others; how many records they hold must not change.
        del told["name"], told["bytes"], told["sha256"]
    return {**release, MANIFEST: manifest}


def test_any_order_of_rows_gives_the_same_bytes(
    mimic: Path, expected: Release, tmp_path: Path
) -> None:
    other = shuffle_tree(mimic, tmp_path / "mimic", seed=5)
    assert build(other, tmp_path / "out") == expected


def test_any_order_of_columns_packed_or_not_gives_the_same_bytes(
    mimic: Path, expected: Release, tmp_path: Path
) -> None:
    other = shuffle_tree(mimic, tmp_path / "mimic", seed=5, columns=True, packed=True)
    made = build(other, tmp_path / "out")
    assert without_inputs(made) == without_inputs(expected)
    changed = [path for path in expected if made[path] != expected[path]]
    assert changed == [MANIFEST]


def test_a_long_relative_path_with_blanks_through_a_link_gives_the_same_bytes(
    mimic: Path, expected: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("a long näme, with blanks " * 6).strip() / "it's [out] {x}"
    folder.mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "link to data").symlink_to(mimic)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert build(Path("../link to data"), Path("../here/../link/out")) == expected


def test_a_moved_output_that_lacks_every_second_cached_file_gives_the_same_bytes(
    mimic: Path, built: Path, expected: Release, tmp_path: Path
) -> None:
    shutil.copytree(built / "cache", tmp_path / "out" / "cache")
    staged = sorted((tmp_path / "out/cache").glob("*/*.json"))
    for path in staged[::2]:
        path.unlink()
    assert build(mimic, tmp_path / "out") == expected
