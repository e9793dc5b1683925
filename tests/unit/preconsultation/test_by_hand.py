from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from flows.interviewing import export_interviews, interview_patients
from flows.preconsult_files import write_interviews
from flows.preconsult_human import (
    add_interview,
    human_file,
    interview_by_hand,
    one_of_each_disease,
    read_human,
)
from flows.preconsult_reading import chunk_size
from flows.preconsult_settings import load_preconsult_settings
from tasks.adapters.files import read_model, write_json
from tasks.adapters.run_lock import Holder
from tasks.adapters.workspace import Workspace
from tasks.contracts.errors import ModelFailed, SettingError
from tasks.contracts.preconsultation import Turn
from tests.factories.dictated import dictated
from tests.factories.profiles import (
    interview,
    profile,
    raw_profile,
    write_guidelines,
)

ASK = ("Question: Cough?\nOptions: yes, no", "yes")


HELD = interview(ASK, ASK)


def typed(*words: str):
    given = iter(words)
    return lambda _asked: next(given)


def said(turn: Turn, _earlier: tuple[Turn, ...]) -> str:
    return turn.options[0] if turn.options else "nothing"


def test_a_person_asks_in_the_form_of_every_doctor():
    shown: list[str] = []
    read = typed("Cough?", "dry; wet", "Fever?", "")
    held = interview_by_hand(profile(), "en", said, 2, read, shown.append)
    assert [(turn.question, turn.options, turn.answer) for turn in held.turns] == [
        ("Cough?", ("dry", "wet"), "dry"),
        ("Fever?", (), "nothing"),
    ]
    assert shown[1:] == ["Patient: dry", "Patient: nothing"]
    assert "asthma" not in "".join(shown).casefold()


def test_a_person_is_told_no_more_of_the_disease_than_any_doctor():
    shown: list[str] = []
    named = profile(complaint="I cough at night; my asthma is back")
    held = interview_by_hand(named, "en", said, 1, typed(""), shown.append)
    assert shown == ["Age: 31\nSex: Female\nChief complaint: I cough at night"]
    assert held.basic.chief_complaint == "I cough at night"


def test_an_empty_question_ends_the_interview():
    held = interview_by_hand(profile(), "en", said, 5, typed("A?", "x;y", ""), lambda _text: None)
    assert (len(held.turns), held.ended) == (1, "empty reply")


def test_one_profile_of_each_disease_is_chosen_by_the_seed():
    known = [profile(str(n), disease) for n, disease in enumerate(["Asthma", "Stroke"] * 9)]
    chosen = one_of_each_disease(known, 3, ())
    assert [one.disease for one in chosen] == ["Asthma", "Stroke"]
    assert chosen == one_of_each_disease(known, 3, ())
    assert one_of_each_disease(known, 3, [chosen[0].pid]) == chosen[1:]


def test_interviews_of_a_person_are_kept_and_replaced_by_patient(tmp_path: Path):
    path = human_file(Workspace(out=str(tmp_path)), "ann", "en")
    assert read_human(path) is None
    add_interview(path, "ann", "en", 2, interview(ASK))
    add_interview(path, "ann", "en", 2, interview(ASK, ASK))
    found = read_human(path)
    assert found is not None
    assert (found.doctor, [len(one.turns) for one in found.interviews]) == ("human:ann", [2])
    with pytest.raises(SettingError, match="interviews of 2 turns, not 3"):
        add_interview(path, "ann", "en", 3, interview(ASK))


@pytest.mark.parametrize("name", ["", "../x", "a b", "x" * 41])
def test_a_name_that_is_no_file_is_refused(tmp_path: Path, name: str):
    with pytest.raises(SettingError, match="can't be used"):
        human_file(Workspace(out=str(tmp_path)), name, "en")


@pytest.mark.parametrize(
    ("profiles", "size"), [(1, 1), (26, 1), (99, 1), (100, 2), (520, 10), (9_999, 10)]
)
def test_tasks_get_more_profiles_where_there_are_many(profiles: int, size: int):
    assert chunk_size(profiles) == size


def write_inputs(folder: Path, *pids: str) -> dict[str, Path]:
    profiles = [raw_profile(pid=pid, typicality=pid) for pid in pids]
    (folder / "profiles.json").write_text(json.dumps(profiles))
    write_guidelines(folder / "guidelines.csv")
    return {
        "profiles": folder / "profiles.json",
        "guidelines": folder / "guidelines.csv",
        "out": folder / "out",
    }


def test_a_person_interviews_at_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"), turns=1)
    monkeypatch.setattr("sys.stdin", io.StringIO("Do you have any of these?\nCough; Rash\n"))
    shown = io.StringIO()
    assert interview_patients(settings, "ann", None, Console(file=shown)) == 0
    assert "Patient: Cough" in shown.getvalue()
    held = read_human(human_file(Workspace(out=str(tmp_path / "out")), "ann", "en"))
    assert held is not None
    assert [one.pid for one in held.interviews] == ["1"]
    with pytest.raises(SettingError, match="pid: 7 is none of the profiles"):
        interview_patients(settings, "ann", ["7"], Console(file=shown))


def kept_pids(folder: Path) -> list[str]:
    """Whose interviews by ann were kept."""
    held = read_human(human_file(Workspace(out=str(folder / "out")), "ann", "en"))
    assert held is not None
    return [one.pid for one in held.interviews]


def test_an_input_that_ends_ends_the_interviews_and_keeps_those_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1", "2"), turns=1)
    monkeypatch.setattr("sys.stdin", io.StringIO("Any of these?\nCough; Rash\nAny more?\n"))
    shown = io.StringIO()
    assert interview_patients(settings, "ann", ["2", "1"], Console(file=shown)) == 0
    assert "the interview of 1 isn't kept" in shown.getvalue()
    assert kept_pids(tmp_path) == ["2"]


def test_an_interview_that_the_patient_failed_is_told_of_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1", "2"), turns=1)
    patient = dictated(ModelFailed("no", "refused"), {"reply": "Answer: Cough"})
    monkeypatch.setattr("flows.interviewing.open_model", lambda *_given: patient)
    monkeypatch.setattr("sys.stdin", io.StringIO("Any?\nCough; Rash\nAny?\nCough; Rash\n"))
    shown = io.StringIO()
    assert interview_patients(settings, "ann", ["1", "2"], Console(file=shown)) == 0
    assert "not answered: refused: the interview of 1 isn't kept" in shown.getvalue()
    assert kept_pids(tmp_path) == ["2"]


def test_an_interview_in_which_nothing_was_asked_is_not_kept_and_can_be_held_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"), turns=1)
    shown = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert interview_patients(settings, "ann", None, Console(file=shown)) == 0
    assert "nothing was asked: the interview of 1 isn't kept" in shown.getvalue()
    assert shown.getvalue().endswith("interviews kept: 0\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("Any?\nCough; Rash\n"))
    assert interview_patients(settings, "ann", None, Console(file=shown)) == 0
    assert "interviews kept: 1\n" in shown.getvalue()


def test_a_person_who_has_interviewed_everybody_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"), turns=1)
    monkeypatch.setattr("sys.stdin", io.StringIO("Any?\nCough; Rash\n"))
    interview_patients(settings, "ann", None, Console(file=io.StringIO()))
    with pytest.raises(SettingError, match="ann has interviewed a patient of each disease, 1 in"):
        interview_patients(settings, "ann", None, Console(file=io.StringIO()))


def test_typed_bytes_that_are_no_text_do_not_lose_the_interview(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"), turns=1)
    monkeypatch.setattr("sys.stdin", io.StringIO("Any \udcff?\nCough; Rash\n"))
    assert interview_patients(settings, "ann", None, Console(file=io.StringIO())) == 0
    held = read_human(human_file(Workspace(out=str(tmp_path / "out")), "ann", "en"))
    assert held is not None
    assert held.interviews[0].turns[0].question == "Any ??"


def test_a_model_that_may_not_see_the_profiles_leaves_nothing_behind(tmp_path: Path):
    far = {"provider": "openai", "model": "m", "base_url": "https://8.8.8.8/v1"}
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"), **far)
    with pytest.raises(SettingError, match="--allow-host"):
        interview_patients(settings, "ann", None, Console(file=io.StringIO()))
    assert not (tmp_path / "out").exists()


def test_an_interview_leaves_the_mark_of_a_killed_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"), turns=1)
    killed = Holder(pid=1, host="here", since="2150-01-01T00:00:00+00:00", flow_run_id="killed")
    write_json(tmp_path / "out" / ".run.json", killed)
    monkeypatch.setattr("sys.stdin", io.StringIO("Any?\nCough; Rash\n"))
    interview_patients(settings, "ann", None, Console(file=io.StringIO()))
    assert read_model(tmp_path / "out" / ".run.json", Holder) == killed


def test_another_number_of_turns_is_refused_before_a_person_asks(tmp_path: Path):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"), turns=3)
    add_interview(human_file(Workspace(out=str(settings.out)), "ann", "en"), "ann", "en", 2, HELD)
    with pytest.raises(SettingError, match="of 2 turns, not 3: give --turns 2, or another --name"):
        interview_patients(settings, "ann", None, Console(file=io.StringIO()))


def test_an_output_that_cannot_be_used_is_refused_before_a_person_asks(tmp_path: Path):
    (tmp_path / "out").write_text("a file")
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"))
    shown = io.StringIO()
    with pytest.raises(SettingError, match="out can't be written"):
        interview_patients(settings, "ann", None, Console(file=shown))
    assert shown.getvalue() == ""


def test_an_export_without_clean_interviews_is_refused(tmp_path: Path):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"), turns=2)
    folder = tmp_path / "out" / "cache" / "interviews-for-people" / "en"
    write_interviews(folder, "m", [interview(ASK)])
    evaluated = tmp_path / "evaluated.json"
    evaluated.write_text(json.dumps([raw_profile(pid="9", simple_info={"주증상": "Pain"})]))
    file = tmp_path / "chat.jsonl"
    with pytest.raises(SettingError, match="no clean interview of 2 turns"):
        export_interviews(settings, evaluated, file, Console(file=io.StringIO()))
    assert not file.exists()


def test_clean_interviews_of_other_profiles_are_exported(tmp_path: Path):
    settings = load_preconsult_settings(**write_inputs(tmp_path, "1"), turns=1)
    folder = tmp_path / "out" / "cache" / "interviews-for-people" / "en"
    write_interviews(folder, "m", [interview(ASK)])
    evaluated = tmp_path / "evaluated.json"
    other = raw_profile(pid="9", simple_info={"Chief Complaint": "Something else"})
    evaluated.write_text(json.dumps([other]))
    file = tmp_path / "chat.jsonl"
    shown = Console(file=io.StringIO())
    assert export_interviews(settings, evaluated, file, shown) == 0
    (line,) = file.read_text().splitlines()
    assert json.loads(line)["messages"][2] == {
        "role": "assistant",
        "content": "Question: Cough?\nOptions:\n- yes\n- no",
    }
    with pytest.raises(SettingError, match="can't be written"):
        export_interviews(settings, evaluated, tmp_path, shown)
    with pytest.raises(SettingError, match="are evaluated too"):
        export_interviews(settings, tmp_path / "profiles.json", file, shown)
    with pytest.raises(SettingError, match="export needs --evaluated"):
        export_interviews(settings, None, None, shown)
