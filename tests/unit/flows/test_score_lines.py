from pathlib import Path

import pytest

from flows.score_lines import read_scores, write_scores
from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError
from tasks.contracts.evaluation import ItemScore
from tasks.contracts.preconsultation import ScoreLine
from tests.gates.evaluation_tables import PATIENTS, scores
from tests.gates.preconsult_tables import lines

KINDS = [(ItemScore, scores("a", PATIENTS[0])), (ScoreLine, tuple(lines("mine")))]


@pytest.mark.parametrize(("kind", "written"), KINDS)
def test_lines_are_read_back_as_they_were_written(
    kind: type[Contract], written: tuple[Contract, ...], tmp_path: Path
) -> None:
    assert read_scores(tmp_path, kind) == ()
    write_scores(tmp_path, written)
    assert read_scores(tmp_path, kind) == written


@pytest.mark.parametrize(("kind", "written"), KINDS)
@pytest.mark.parametrize(
    "damage",
    [b"{}\n", b"\xff\n", b"[" * 100_000 + b"\n", b"\n"],
    ids=["other", "bytes", "deep", "blank"],
)
def test_a_damaged_file_of_scores_is_named_and_not_overwritten(
    kind: type[Contract], written: tuple[Contract, ...], damage: bytes, tmp_path: Path
) -> None:
    write_scores(tmp_path, written[:1])
    path = tmp_path / "scores.jsonl"
    path.write_bytes(path.read_bytes() + damage)
    with pytest.raises(SettingError, match=r"scores\.jsonl: line 2 is no score of this program"):
        read_scores(tmp_path, kind)
