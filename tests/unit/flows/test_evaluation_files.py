from __future__ import annotations

import csv
import json
import stat
from pathlib import Path

import pytest

from flows.evaluation_files import (
    earlier_usage,
    file_name,
    newest_rows,
    read_leaderboard,
    with_scores,
    write_leaderboard,
    write_predictions,
)
from tasks.contracts.evaluation import ItemScore
from tests.factories.evaluations import baseline_scores, system_scores
from tests.gates.evaluation_tables import PATIENTS, judgments, predictions, scores


def line(release: str = "r1", system: str = "a", judge: str = "j", qa_id: str = "q") -> ItemScore:
    first = scores("x", PATIENTS[0])[0]
    changes = {"release": release, "system": system, "judge": judge, "qa_id": qa_id}
    return first.model_copy(update=changes)


def test_new_lines_replace_those_of_their_system_and_judge_alone() -> None:
    earlier = [line(qa_id="old"), line(judge="k"), line(system="b"), line(release="r0")]
    kept = with_scores(earlier, [line(qa_id="q2"), line(qa_id="q1")])
    assert [(one.release, one.system, one.judge, one.qa_id) for one in kept] == [
        ("r0", "a", "j", "q"),
        ("r1", "a", "j", "q1"),
        ("r1", "a", "j", "q2"),
        ("r1", "a", "k", "q"),
        ("r1", "b", "j", "q"),
    ]


def test_a_leaderboard_keeps_other_releases_and_puts_the_newest_last(tmp_path: Path) -> None:
    write_leaderboard(tmp_path, "r1", [system_scores("a/bm25")], [])
    write_leaderboard(
        tmp_path, "r0", [system_scores("b/bm25"), baseline_scores()], read_leaderboard(tmp_path)
    )
    rows = read_leaderboard(tmp_path)
    assert [(row["release"], row["system"]) for row in rows] == [
        ("r1", "a/bm25"), ("r0", "b/bm25"), ("r0", "always-abstain"),
    ]  # fmt: skip
    assert newest_rows(tmp_path) == rows[1:]
    write_leaderboard(tmp_path, "r0", [system_scores("c/bm25")], rows)
    assert [row["system"] for row in read_leaderboard(tmp_path)] == ["a/bm25", "c/bm25"]


def test_a_row_states_every_mean_as_a_share_with_its_n(tmp_path: Path) -> None:
    write_leaderboard(tmp_path, "r1", [system_scores(usd=None)], [])
    with (tmp_path / "leaderboard.csv").open(newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["model"], row["strategy"], row["judge"], row["valid"]) == (
        "model", "bm25", "judge", "yes",
    )  # fmt: skip
    assert (row["recipe_medlocomo"], row["recipe_clinical"]) == ("1", "1.2.2")
    assert (row["j"], row["j_lower"], row["j_upper"], row["j_n"]) == (
        "0.4", "0.3", "0.5", "40",
    )  # fmt: skip
    assert (row["acc_clinical"], row["acc_clinical_n"]) == ("0.8", "20")
    assert (row["score_medlocomo"], row["score_medlocomo_n"], row["patients"]) == ("0.6", "60", "4")
    assert (row["f1_medlocomo_n"], row["f1_clinical_n"], row["score_clinical_n"]) == (
        "40", "40", "60",
    )  # fmt: skip
    assert (row["missing"], row["failed"], row["truncated"]) == ("2", "1", "5")
    assert (row["requests"], row["input_tokens"], row["usd"]) == ("60", "9000", "")


@pytest.mark.parametrize(
    ("usd", "cell"), [(1234567.891, "1234567.891"), (0.00001, "0.00001"), (20.0, "20"), (0, "0")]
)
def test_numbers_are_written_out_whole(tmp_path: Path, usd: float, cell: str) -> None:
    write_leaderboard(tmp_path, "r1", [system_scores(usd=usd)], [])
    assert read_leaderboard(tmp_path)[0]["usd"] == cell


def test_what_earlier_systems_took_is_read_from_their_rows(tmp_path: Path) -> None:
    write_leaderboard(tmp_path, "r1", [system_scores("a/bm25"), baseline_scores()], [])
    used = earlier_usage(read_leaderboard(tmp_path), "r1")
    assert used["a/bm25"].model_dump() == {
        "requests": 60, "input_tokens": 9000, "output_tokens": 600, "usd": 0.25,
    }  # fmt: skip
    assert used["always-abstain"].usd is None
    assert earlier_usage(read_leaderboard(tmp_path), "r2") == {}


@pytest.mark.parametrize("odd", ["0,25", "n/a", "nan", "-", "²"])
def test_a_number_that_somebody_changed_counts_as_not_stated(odd: str) -> None:
    row = {"release": "r1", "system": "a/bm25", "requests": odd, "usd": odd}
    used = earlier_usage([row], "r1")["a/bm25"]
    assert (used.requests, used.usd) == (0, None)


def test_a_leaderboard_that_is_none_counts_as_missing(tmp_path: Path) -> None:
    (tmp_path / "leaderboard.csv").write_bytes(b"\xff\xfe,\n\x00")
    assert read_leaderboard(tmp_path) == []


def test_answers_stand_beside_their_questions_in_a_private_file(tmp_path: Path) -> None:
    asked = PATIENTS[0]
    folder = tmp_path / "predictions"
    given = (asked, predictions("m/bm25", asked), judgments("m/bm25", asked))
    write_predictions(folder, "m/bm25", [given])
    path = folder / "m_bm25.jsonl"
    first, second = (json.loads(one) for one in path.read_text().splitlines())
    assert (first["question"], first["gold"], first["answer"]) == ("what was it?", "1.9", "1.9")
    assert (first["judged"], second["judged"]) == ("right", None)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("always-abstain", "always-abstain"),
        ("gpt-4.1/bm25", "gpt-4.1_bm25"),
        ("qwen_3/bm25", "qwen_3_bm25"),
    ],
)
def test_names_of_systems_are_names_of_files(system: str, name: str) -> None:
    assert file_name(system) == name


_ODD_NAMES = ("../up/bm25", "a b/bm25", "a_b/bm25", "a/b/bm25", "a:b/bm25", "é/bm25", "q/../x/bm25")


def test_odd_names_stay_apart_and_in_their_folder() -> None:
    names = {file_name(one) for one in _ODD_NAMES}
    assert len(names) == len(_ODD_NAMES)
    assert not any("/" in one or one.startswith(".") for one in names)
