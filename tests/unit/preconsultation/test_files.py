from __future__ import annotations

from pathlib import Path

import pytest

from flows.preconsult_files import (
    read_interviews,
    with_scores,
    write_interviews,
)
from tasks.contracts.errors import SettingError
from tests.factories.profiles import interview
from tests.gates.preconsult_tables import ASK, lines


def test_interviews_that_cannot_be_read_are_named_without_their_words(tmp_path: Path):
    write_interviews(tmp_path, "m", [interview(ASK)])
    path = tmp_path / "m.jsonl"
    path.write_text(path.read_text()[:-20])
    with pytest.raises(SettingError, match=r"m\.jsonl holds no interviews") as raised:
        read_interviews(tmp_path)
    assert "Cough" not in str(raised.value)


def test_doctors_of_like_names_have_interviews_of_their_own(tmp_path: Path):
    write_interviews(tmp_path, "human:ann", [interview(ASK)])
    write_interviews(tmp_path, "human_ann", [interview(ASK, ASK)])
    assert sorted(len(one.turns) for one in read_interviews(tmp_path)) == [1, 2]


def test_new_lines_replace_those_of_the_same_doctor_roles_language_and_turns():
    mine, others = lines("mine"), lines("other")
    korean = [one.model_copy(update={"language": "ko"}) for one in mine]
    kept = with_scores([*mine, *others, *korean], mine[:1])
    assert len(kept) == len(others) + len(korean) + len(mine) - 1
    assert list(kept) == sorted(
        kept, key=lambda one: (one.language, one.doctor, one.roles, one.turns, one.pid)
    )
