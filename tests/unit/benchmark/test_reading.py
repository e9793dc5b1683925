from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tasks.benchmark.reading import (
    cites_unknown_admission,
    files_digests,
    read_benchmark_patient,
)
from tasks.contracts.errors import ReleaseError
from tasks.contracts.questions import ABSTENTION
from tests.factories.published import QUESTIONS, TIMELINE, change, publish
from tests.factories.released_patients import SUBJECTS
from tests.factories.releases import write_release

PATIENT = SUBJECTS[0]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_release(tmp_path_factory.mktemp("ours"), [PATIENT])


@pytest.fixture
def folder(release: Path, tmp_path: Path) -> Path:
    return publish(release, tmp_path / "published") / PATIENT


def test_the_published_layout_reads_as_ours_but_for_the_cited_turns(
    release: Path, folder: Path
) -> None:
    ours, theirs = read_benchmark_patient(release / PATIENT), read_benchmark_patient(folder)
    assert theirs.subject_id == PATIENT
    assert theirs.sessions == ours.sessions
    assert len(theirs.questions) == len(ours.questions)
    for one, other in zip(ours.questions, theirs.questions, strict=True):
        cites = other.scope == "single_admission"
        assert other.evidence.turns == (one.evidence.turns if cites else ())
        assert other.evidence.admissions == one.evidence.admissions
        assert (other.qa_id, other.question, other.answer) == (one.qa_id, one.question, one.answer)


def test_sessions_are_in_time_order_whatever_the_files_order(folder: Path) -> None:
    content = json.loads((folder / TIMELINE).read_text())
    content["admissions"].reverse()
    (folder / TIMELINE).write_text(json.dumps(content))
    starts = [one.admission_start for one in read_benchmark_patient(folder).sessions]
    assert starts == sorted(starts)


@pytest.mark.parametrize("answer", [None, "", "  "])
def test_an_adversarial_question_without_an_answer_gets_the_canonical_one(
    folder: Path, answer: str | None
) -> None:
    change(folder / QUESTIONS, question_type="adversarial", answer=answer)
    assert read_benchmark_patient(folder).questions[0].answer == ABSTENTION


def test_an_answerable_question_without_an_answer_is_refused_by_name(folder: Path) -> None:
    change(folder / QUESTIONS, question_type="medical_reasoning", answer=None, qa_id="7_cross_q01")
    with pytest.raises(ReleaseError) as caught:
        read_benchmark_patient(folder)
    assert str(caught.value) == (
        f"{folder / QUESTIONS}: 7_cross_q01: no answer, though the question is not adversarial; "
        "give it one, or take the question out"
    )


def test_an_answer_that_is_a_number_is_read_as_text(folder: Path) -> None:
    change(folder / QUESTIONS, question_type="frequency_pattern", answer=3)
    assert read_benchmark_patient(folder).questions[0].answer == "3"


def test_an_answer_that_is_a_fraction_is_read_as_it_is_written(folder: Path) -> None:
    change(folder / QUESTIONS, question_type="frequency_pattern", answer=1.5)
    assert read_benchmark_patient(folder).questions[0].answer == "1.5"
    change(folder / QUESTIONS, question_type="frequency_pattern", answer=10**400)
    assert read_benchmark_patient(folder).questions[0].answer == "1" + "0" * 400


@pytest.mark.parametrize(
    "answer", [float("nan"), float("inf"), ["3"], [], {"text": "3"}, {}, True, False]
)
@pytest.mark.parametrize("question_type", ["medical_reasoning", "adversarial"])
def test_an_answer_of_another_type_is_refused_by_name(
    folder: Path, question_type: str, answer: object
) -> None:
    change(folder / QUESTIONS, question_type=question_type, answer=answer, qa_id="q07")
    with pytest.raises(ReleaseError) as caught:
        read_benchmark_patient(folder)
    assert str(caught.value) == (
        f"{folder / QUESTIONS}: q07: the answer is neither a text nor a finite number; write it as "
        "text"
    )


def test_a_question_of_another_type_is_refused_by_name(folder: Path) -> None:
    change(folder / QUESTIONS, question=["Why?"], qa_id="q07")
    with pytest.raises(ReleaseError, match=r"benchmark_qa\.json: q07: question: "):
        read_benchmark_patient(folder)


@pytest.mark.parametrize("name", [TIMELINE, QUESTIONS])
def test_a_byte_order_mark_is_passed_over(folder: Path, name: str) -> None:
    before = read_benchmark_patient(folder)
    (folder / name).write_bytes(b"\xef\xbb\xbf" + (folder / name).read_bytes())
    assert read_benchmark_patient(folder) == before


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_another_encoding_is_refused_as_such(folder: Path, encoding: str) -> None:
    (folder / QUESTIONS).write_bytes('{"qas": [{"question": "naïve?"}]}'.encode(encoding))
    with pytest.raises(ReleaseError) as caught:
        read_benchmark_patient(folder)
    assert str(caught.value) == (
        f"{folder / QUESTIONS}: not written in UTF-8; save the file in that encoding"
    )


def test_a_patient_without_a_turn_is_refused_by_file(folder: Path) -> None:
    content = json.loads((folder / TIMELINE).read_text())
    for session in content["admissions"]:
        session["conversation_lines"] = []
    (folder / TIMELINE).write_text(json.dumps(content))
    with pytest.raises(ReleaseError, match="no admission has any conversation_lines") as caught:
        read_benchmark_patient(folder)
    assert str(folder / TIMELINE) in str(caught.value)


def test_a_repeated_question_id_is_refused(folder: Path) -> None:
    content = json.loads((folder / QUESTIONS).read_text())
    content["qas"].append(content["qas"][0])
    (folder / QUESTIONS).write_text(json.dumps(content))
    with pytest.raises(ReleaseError, match=r"qa_id '.*' stands there more than once"):
        read_benchmark_patient(folder)


@pytest.mark.parametrize("subject_id", ["../up", "a/b", ".hidden", "a" * 65])
def test_an_id_that_is_no_file_name_is_refused(folder: Path, subject_id: str) -> None:
    content = json.loads((folder / TIMELINE).read_text())
    (folder / TIMELINE).write_text(json.dumps({**content, "subject_id": subject_id}))
    with pytest.raises(ReleaseError, match="subject_id is no plain id of letters and digits"):
        read_benchmark_patient(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (TIMELINE, {"admissions": []}, "no admissions, so there is nothing to ask about"),
        (QUESTIONS, {"qas": []}, "no questions; restore the file"),
        (QUESTIONS, {}, "no list qas; restore the file"),
        (QUESTIONS, {"qas": ["x"]}, "expected an object, found another value"),
    ],
)
def test_what_is_unusable_is_refused_by_file(
    folder: Path, name: str, content: object, message: str
) -> None:
    (folder / name).write_text(json.dumps(content))
    with pytest.raises(ReleaseError, match=message) as caught:
        read_benchmark_patient(folder)
    assert str(folder / name) in str(caught.value)


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ({"speaker": "Nurse"}, "conversation_lines.1.speaker: Input should be 'Doctor' or"),
        ({"text": ""}, "conversation_lines.1.text: String should have at least 1 character"),
        ({"time": "June 1"}, "conversation_lines.1.time: expected a time as YYYY-MM-DD HH:MM:SS"),
    ],
)
def test_a_turn_that_cant_be_used_is_named_as_in_the_file_with_its_admission(
    folder: Path, turn: dict[str, str], said: str
) -> None:
    content = json.loads((folder / TIMELINE).read_text())
    session = content["admissions"][0]
    session["conversation_lines"][1] |= turn
    (folder / TIMELINE).write_text(json.dumps(content))
    with pytest.raises(ReleaseError) as caught:
        read_benchmark_patient(folder)
    name = f"{folder / TIMELINE}: admission {session['hadm_id']}: "
    assert str(caught.value).startswith(name + said)


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ({"admissions": 20001}, "evidence.admissions is no list; write it as one"),
        ({"admissions": "20001"}, "evidence.admissions is no list; write it as one"),
        ({"admissions": {"20001": 1}}, "evidence.admissions is no list; write it as one"),
        ({"admissions": [20001], "turn_ids": 3}, "evidence.turn_ids is no list; write it as one"),
        ({"admissions": [None]}, "evidence.admissions.0: Input should be a valid string"),
        ({"admissions": [["20001"]]}, "evidence.admissions.0: Input should be a valid string"),
    ],
)
def test_evidence_that_is_no_list_of_ids_is_refused_by_name(
    folder: Path, evidence: dict[str, object], said: str
) -> None:
    change(folder / QUESTIONS, evidence=evidence, qa_id="7_cross_q01")
    with pytest.raises(ReleaseError) as caught:
        read_benchmark_patient(folder)
    assert str(caught.value).startswith(f"{folder / QUESTIONS}: 7_cross_q01: {said}")


@pytest.mark.parametrize(("hadm_id", "unknown"), [(None, False), (7, True)])
def test_evidence_of_an_admission_that_the_timeline_lacks_is_told(
    folder: Path, hadm_id: int | None, unknown: bool
) -> None:
    if hadm_id is not None:
        change(folder / QUESTIONS, evidence={"admissions": [hadm_id], "turn_ids": [1]})
    patient = read_benchmark_patient(folder)
    assert [cites_unknown_admission(one, patient) for one in patient.questions] == [
        unknown,
        *[False] * (len(patient.questions) - 1),
    ]


def test_a_missing_file_is_named(folder: Path) -> None:
    shutil.move(folder / QUESTIONS, folder / "elsewhere.json")
    with pytest.raises(ReleaseError, match=f"{QUESTIONS}: can't be read"):
        files_digests(folder)
