"""Files that people edit, in every state an editor can leave them in: read, or refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from flows.data_classes import stated_data_class
from flows.evaluation_files import read_leaderboard
from flows.preconsult_files import read_interviews
from flows.preconsult_human import read_human
from flows.preconsult_marks import read_human_scores
from flows.score_lines import read_scores
from tasks.adapters.llm.prices import read_prices
from tasks.adapters.recipe import suites_recipe
from tasks.adapters.workspace import Workspace
from tasks.audit.published import QUESTIONS, TIMELINE
from tasks.audit.reading import read_patient
from tasks.benchmark.reading import read_benchmark_patient
from tasks.contracts.errors import UserError
from tasks.contracts.evaluation import ItemScore
from tasks.contracts.preconsultation import ScoreLine
from tasks.gates.suite_files import load_suites
from tasks.preconsultation.reading import read_aliases, read_guidelines, read_profiles
from tasks.release.loading import load_release
from tasks.rubrics.reading.json_text import ReadingLog
from tasks.rubrics.reading.queries import read_queries

STATES = {
    "empty": b"",
    "not UTF-8": b'{"a": "\xe9"}',
    "UTF-16": "{}".encode("utf-16"),
    "zeros": b"\0" * 9,
    "lists without end": b"[" * 100_000,
    "objects without end": b'{"a":' * 100_000,
    "deep": b"[" * 900 + b"]" * 900,
    "a long number": b"1" * 5_000,
    "no number": b"NaN",
    "half a character": b'"\\ud800"',
    "half a character as a key": b'{"\\ud800": 1}',
    "another value": b"null",
    "an empty list": b"[]",
    "an empty object": b"{}",
}

READERS: dict[str, Callable[[Path], object]] = {
    "manifest.json": lambda path: stated_data_class(path.parent),
    "DATA_CLASS": lambda path: stated_data_class(path.parent),
    "bundles.json": lambda path: load_suites("bundles", path.parent),
    "prices.json": read_prices,
    "leaderboard.csv": lambda path: read_leaderboard(path.parent),
    "scores.jsonl": lambda path: read_scores(path.parent, ItemScore),
    "./scores.jsonl": lambda path: read_scores(path.parent, ScoreLine),
    "interviews.jsonl": lambda path: read_interviews(path.parent),
    "ann.en.json": read_human,
    "guidelines.csv": lambda path: read_guidelines(path, "en"),
    "aliases.csv": read_aliases,
    "human.csv": read_human_scores,
    "profiles.json": lambda path: read_profiles(path, "en", ()),
    "queries.json": lambda path: read_queries(path, ReadingLog(path.name)),
    "queries.jsonl": lambda path: read_queries(path, ReadingLog(path.name)),
    "queries.txt": lambda path: read_queries(path, ReadingLog(path.name)),
    TIMELINE: lambda path: read_patient(path.parent),
    QUESTIONS: lambda path: read_benchmark_patient(path.parent),
    "./manifest.json": lambda path: load_release(path.parent),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", READERS)
def test_an_edited_file_is_read_or_refused_in_words(name: str, state: str, tmp_path: Path):
    path = tmp_path / name
    for beside in (TIMELINE, QUESTIONS):
        (tmp_path / beside).write_text('{"admissions": [], "qas": []}')
    path.write_bytes(STATES[state])
    try:
        READERS[name](path)
    except UserError as error:
        assert str(error).encode()


@pytest.mark.parametrize("name", [one for one in READERS if one != "DATA_CLASS"])
def test_a_folder_in_the_place_of_a_file_is_refused_in_words(name: str, tmp_path: Path):
    for beside in (TIMELINE, QUESTIONS):
        if beside != name:
            (tmp_path / beside).write_text('{"admissions": [], "qas": []}')
    (tmp_path / name).mkdir()
    try:
        READERS[name](tmp_path / name)
    except UserError as error:
        assert str(error).encode()


@pytest.mark.parametrize("state", STATES)
def test_a_damaged_record_of_a_result_is_dropped(state: str, tmp_path: Path):
    workspace = Workspace(out=str(tmp_path))
    workspace.results.mkdir(parents=True)
    record = workspace.results / "questions.1.abc"
    record.write_bytes(STATES[state])
    workspace.forget_stale(record.name)
    assert not record.exists()


def test_a_damaged_suite_of_another_stage_does_not_stop_a_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "rubrics.json").write_bytes(STATES["not UTF-8"])
    monkeypatch.setattr("tasks.adapters.recipe.resource_folder", lambda _name: tmp_path)
    assert suites_recipe.__wrapped__() != ""
