from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.rubric_generating import release_queries
from tasks.contracts.errors import ReleaseError
from tests.factories.published import publish
from tests.factories.releases import write_release


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_release(tmp_path_factory.mktemp("ours"))


def renamed(ours: Path, folder: Path, ids: list[str]) -> Path:
    """A published release whose patients have one question each of these ids."""
    release = publish(ours, folder)
    for path, id in zip(sorted(release.glob("*/benchmark_qa.json")), ids, strict=True):
        question = json.loads(path.read_text())["qas"][0]
        path.write_text(json.dumps({"qas": [{**question, "qa_id": id}]}))
    return release


def test_a_question_keeps_its_id_unless_another_patient_has_it_too(
    ours: Path, tmp_path: Path
) -> None:
    patients = sorted(one.name for one in ours.iterdir() if one.is_dir())
    apart = renamed(ours, tmp_path / "apart", ["q1", "q2"])
    assert [one.query_id for one in release_queries(apart)] == ["q1", "q2"]
    alike = renamed(ours, tmp_path / "alike", ["q1", "q1"])
    assert [one.query_id for one in release_queries(alike)] == [f"{one}_q1" for one in patients]


def test_an_id_that_can_t_name_a_file_is_refused(ours: Path, tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="qa_id 'a/b' is no plain id"):
        release_queries(renamed(ours, tmp_path / "odd", ["a/b", "q2"]))
