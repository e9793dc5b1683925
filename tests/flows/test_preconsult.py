from __future__ import annotations

import csv
import json
import stat
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from flows.evaluate_preconsultation import evaluate_preconsultation
from flows.preconsult_human import add_interview, human_file
from flows.preconsult_reading import read_inputs
from flows.preconsult_settings import load_preconsult_settings
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import RunReport
from tasks.contracts.errors import GateFailed, SettingError, SourceError
from tasks.preconsultation.interviewing import shown_basic
from tests.factories.profiles import GUIDELINES, interview, raw_profile, write_guidelines
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan, Message
from tests.servers.requests import ModelRules

pytestmark = pytest.mark.usefixtures("prefect_server")

MARKER = "zyxwordofapatient"
DOCTORS = ("perfect", "silent", "blunt", "careless", "chatty")
ALL = "Question: Which of these?\nOptions:\n" + "\n".join(
    f"- {one.symptom}" for one in GUIDELINES if one.disease == "Asthma"
)


@pytest.fixture
def inputs(tmp_path: Path) -> dict[str, str]:
    """Three patients with asthma, one of them refused."""
    profiles = [
        raw_profile(
            pid=f"{number:08}",
            disease_name="Bronchial asthma" if number % 2 else "ASTHMA",
            details=raw_profile()["details"] | {"social_history": [MARKER, f"{number} cats"]},
        )
        for number in range(1, 4)
    ]
    profiles[-1]["disease_name"] = "Gout"
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "profiles.json").write_text(json.dumps(profiles))
    write_guidelines(folder / "guidelines.csv")
    return {
        "profiles": str(folder / "profiles.json"),
        "guidelines": str(folder / "guidelines.csv"),
        "out": str(tmp_path / "out"),
    }


def doctor_says(name: str, turn: int) -> str:
    """What the scripted doctors say in their turns, counted from 1."""
    if name == "silent":
        return ""
    if name == "blunt":
        return "Question: Do you like football?\nOptions:\n- Rovers\n- United"
    if name == "careless":
        return "Tell me more." if turn % 2 == 0 else ALL
    return f"{ALL}\n{ALL}" if name == "chatty" else ALL


class DoctorServer(ChatServer):
    """A server of the scripted doctors: the name of the model tells which one is asked."""

    def __init__(self) -> None:
        super().__init__(self._write, models={name: ModelRules() for name in DOCTORS})

    def _write(self, messages: Sequence[Message]) -> dict[str, Any]:
        # The server writes the reply before it takes the next request.
        body = self.requests[-1].body
        assert isinstance(body, dict)
        turn = 1 + str(messages[-1]["content"]).count("Patient: Answer:")
        return {"reply": doctor_says(str(body["model"]), turn)}


def evaluate(inputs: dict[str, str], **given: Any) -> RunReport:
    report = evaluate_preconsultation(**{**inputs, **given})
    assert isinstance(report, RunReport)
    return report


def lines(inputs: dict[str, str]) -> list[dict[str, Any]]:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    text = (Path(inputs["out"]) / "scores.jsonl").read_text()
    return [json.loads(line, parse_constant=refuse) for line in text.splitlines()]


def test_the_rules_evaluate_every_placed_profile_and_a_second_run_computes_nothing(
    inputs: dict[str, str],
) -> None:
    report = evaluate(inputs, turns=2)
    assert report.outcome == "completed"
    assert [(one.id, one.outcome) for one in report.items] == [("00000003", "skipped")]
    found = lines(inputs)
    assert [one["pid"] for one in found] == [f"{number:08}" for number in range(1, 3)]
    assert {one["status"] for one in found} == {"clean"}
    assert {one["doctor"] for one in found} == {"programmatic-rules-1"}
    assert all(one["scores"]["coverage"] > 0 and one["top_1"] for one in found)

    again = evaluate(inputs, turns=2)
    stages = ("interviews", "facts", "matches", "diagnoses", "scores")
    assert [(again.stages[one].computed, again.stages[one].cached) for one in stages] == [
        (0, 2)
    ] * 5


def test_scripted_doctors_get_what_they_deserve_over_http(inputs: dict[str, str]) -> None:
    with DoctorServer() as server:
        evaluate(inputs, turns=3, doctor_model=list(DOCTORS), base_url=server.base_url)
    by_doctor = {one["doctor"]: one for one in lines(inputs) if one["pid"] == "00000001"}
    assert {name: one["status"] for name, one in by_doctor.items()} == {
        "perfect": "clean",
        "silent": "early_stop",
        "blunt": "clean",
        "careless": "early_stop",
        "chatty": "qa_format_error",
    }
    assert by_doctor["perfect"]["scores"]["coverage"] == 1
    assert by_doctor["blunt"]["scores"]["coverage"] == 0
    assert by_doctor["careless"]["malformed_turns"] == 1
    assert by_doctor["silent"]["questions"] == 0
    assert by_doctor["silent"]["reason"] == "empty reply"
    assert by_doctor["chatty"]["questions"] == 6
    with (Path(inputs["out"]) / "summary.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    means = {
        (row["doctor"], row["population"]): row["mean"]
        for row in rows
        if (row["measure"], row["negatives"], row["leaks"]) == ("coverage", "with", "with")
    }
    assert means["silent", "clean"] == ""
    assert float(means["silent", "all"]) == 0
    assert float(means["perfect", "all"]) == 1


def test_cut_turns_are_the_interviews_of_fewer_turns(inputs: dict[str, str]) -> None:
    with DoctorServer() as server:
        given: dict[str, Any] = {"doctor_model": ["perfect"], "base_url": server.base_url}
        evaluate(inputs, turns=3, cut_turns=[1, 2], **given)
        asked = len(server.requests)
        cut = lines(inputs)
        short = inputs | {"out": inputs["out"] + "-short"}
        evaluate(short, turns=1, **given)
        assert lines(short) == [one for one in cut if one["turns"] == 1]
        assert asked == 3 * 2
        before = len(server.requests)
        again = evaluate(inputs, turns=3, cut_turns=[1, 2, 3], **given)
        assert len(server.requests) == before
    assert again.stages["interviews"].cached == 2
    assert {one["turns"] for one in lines(inputs)} == {1, 2, 3}


def test_a_run_can_stop_after_a_stage_and_go_on_later(inputs: dict[str, str]) -> None:
    with DoctorServer() as server:
        given: dict[str, Any] = {"doctor_model": ["perfect"], "base_url": server.base_url}
        report = evaluate(inputs, turns=2, until="facts", **given)
        assert list(report.stages)[-1] == "facts"
        assert not (Path(inputs["out"]) / "scores.jsonl").exists()
        evaluate(inputs, turns=2, **given)
        assert len(server.requests) == 2 * 2
    assert len(lines(inputs)) == 2


ROLES: dict[str, dict[str, Any]] = {
    "You are a doctor": {"reply": ALL},
    "You are the patient": {"reply": "Answer: Cough"},
    "You take apart one turn": {
        "units": [
            {"statement": "cough", "is_negative": False},
            {"statement": "no fever", "is_negative": True},
        ]
    },
    "You are an experienced physician": {"diseases": ["COPD", "Asthma"]},
    "You judge": {"right": [False, True]},
}


def every_role(messages: Sequence[Message]) -> dict[str, Any]:
    """Says what each role is to say; the comparer only on being asked again."""
    system = str(messages[0]["content"])
    if system.startswith("You compare"):
        return {"matches": ["Cough" if len(messages) > 2 else "Coug"]}
    return next(reply for begins, reply in ROLES.items() if system.startswith(begins))


def test_what_two_doctors_have_alike_is_asked_once(inputs: dict[str, str]) -> None:
    models = {one: ModelRules() for one in ("roles", "first", "second")}
    with ChatServer(every_role, models=models) as server:
        given: dict[str, Any] = {"provider": "openai", "model": "roles"}
        given |= {"doctor_model": ["first", "second"], "base_url": server.base_url}
        evaluate(inputs, turns=2, concurrency=1, **given)
        asked = Counter(str(one.body["model"]) for one in server.requests)
    # For each patient, as in the next test, but for the questions that each doctor asks itself.
    assert asked == {"first": 2 * 2, "second": 2 * 2, "roles": 2 * (2 + 1 + 2 + 2)}


def test_doctors_can_be_asked_at_another_address_with_their_own_key(
    inputs: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROLES_KEY", "of-roles")
    monkeypatch.setenv("DOCTORS_KEY", "of-doctors")
    with (
        ChatServer(every_role, models={"roles": ModelRules()}, key="of-roles") as roles,
        ChatServer(every_role, models={"first": ModelRules()}, key="of-doctors") as doctors,
    ):
        given: dict[str, Any] = {"provider": "openai", "model": "roles", "doctor_model": ["first"]}
        given |= {"base_url": roles.base_url, "doctor_base_url": doctors.base_url}
        given |= {"key_variable": "ROLES_KEY", "doctor_key_variable": "DOCTORS_KEY"}
        evaluate(inputs, turns=2, **given)
        assert (len(doctors.requests), len(roles.requests)) == (2 * 2, 2 * (2 + 1 + 2 + 2))
        evaluate(inputs, turns=2, **given)
        assert len(doctors.requests) + len(roles.requests) == 4 + 14
    assert {(one["doctor"], one["roles"]) for one in lines(inputs)} == {("first", "roles")}


def test_a_model_can_play_every_role(inputs: dict[str, str]) -> None:
    with ChatServer(every_role, models={"all": ModelRules()}) as server:
        given: dict[str, Any] = {"provider": "openai", "model": "all", "base_url": server.base_url}
        report = evaluate(inputs, turns=2, **given)
        asked = len(server.requests)
        assert evaluate(inputs, turns=2, **given).stages["scores"].cached == 2
        assert len(server.requests) == asked
    # For each patient: 2 questions, 2 answers, the facts of a turn that is the same both times, a
    # comparison that is asked for again, a diagnosis and its verdicts.
    assert asked == 2 * (2 + 2 + 1 + 2 + 2)
    assert report.outcome == "completed"
    for line in lines(inputs):
        assert (line["doctor"], line["roles"], line["status"]) == ("all", "all", "clean")
        assert line["scores"]["unweighted"] == line["scores"]["weighted"] == 1
        assert line["scores"]["coverage"] == 0.25
        assert (line["top_1"], line["top_k"]) == (False, True)
        # "no fever" is said by no turn; "cough" was said before.
        assert (line["units"], line["unsupported"], line["duplicates"]) == (1, 2, 1)


def test_what_has_no_scores_or_diagnosis_is_listed_with_its_reason(inputs: dict[str, str]) -> None:
    def write(messages: Sequence[Message]) -> dict[str, Any]:
        system = str(messages[0]["content"])
        if system.startswith("You compare"):
            return {"matches": ["Coug"]}
        return {"right": []} if system.startswith("You judge") else every_role(messages)

    with ChatServer(write, models={"all": ModelRules()}) as server:
        given: dict[str, Any] = {"provider": "openai", "model": "all", "base_url": server.base_url}
        with pytest.raises(
            GateFailed, match=r"the figures are written, incomplete rows are listed: .*report\.html"
        ):
            evaluate(inputs, turns=1, **given)
    out = Path(inputs["out"])
    assert [(one["status"], one["scores"]) for one in lines(inputs)] == [
        ("matching_error", None)
    ] * 2
    page = (out / "report.md").read_text()
    incomplete = page[page.index("## Incomplete") : page.index("## Doctors, clean")]
    assert "| en | all | all | 1 | 2 | 2 | 0 | 0 |" in incomplete
    assert "Incomplete" in (out / "report.html").read_text()
    report = json.loads((out / "report" / "run.json").read_text())
    assert [(one["stage"], one["id"], one["reason"]) for one in report["items"]][1:] == [
        *(("diagnoses", f"all 1 0000000{n}", "not one verdict for each diagnosis") for n in (1, 2)),
        *(("scores", f"all 1 0000000{n}", "no verbatim reply of the comparer") for n in (1, 2)),
    ]


@pytest.mark.parametrize("role", ["patient", "take apart", "compare", "experienced", "judge"])
def test_what_only_came_too_late_is_asked_again_by_the_next_run(
    inputs: dict[str, str], role: str
) -> None:
    mute = [True]

    def when(messages: Sequence[Message]) -> Fault | None:
        said = str(messages[0]["content"]).split(".", maxsplit=1)[0]
        return Fault.CHOICES_EMPTY if mute[0] and role in said else None

    plan = FaultPlan(when=when)
    with ChatServer(every_role, models={"all": ModelRules()}, faults=plan) as server:
        given: dict[str, Any] = {"provider": "openai", "model": "all", "base_url": server.base_url}
        with pytest.raises(GateFailed, match="incomplete rows"):
            evaluate(inputs, turns=1, **given)
        mute[0] = False
        evaluate(inputs, turns=1, **given)
        assert {(one["status"], one["top_k"]) for one in lines(inputs)} == {("clean", True)}
        asked = len(server.requests)
        evaluate(inputs, turns=1, **given)
        assert len(server.requests) == asked


def test_a_person_goes_through_the_same_pipeline(inputs: dict[str, str]) -> None:
    workspace = Workspace(out=inputs["out"])
    path = human_file(workspace, "ann", "en")
    read, _ = read_inputs(load_preconsult_settings(**inputs))
    (patient,) = (one for one in read.profiles if one.pid == "00000002")
    other = interview((ALL, "Cough"), (ALL, "Wheezing")).model_copy(update={"pid": patient.pid})
    held = other.model_copy(update={"basic": shown_basic(patient, "en")})
    add_interview(path, "ann", "en", 2, held)
    add_interview(path, "ann", "en", 2, held)
    add_interview(human_file(workspace, "bob", "en"), "bob", "en", 2, other)
    items = evaluate(inputs, turns=3, cut_turns=[2, 3]).items
    assert [(one.id, one.reason) for one in items if one.stage == "interviews"] == [
        ("human:bob 00000002", "held with another patient, whose profile had this pid")
    ]
    assert "human:bob" not in {one["doctor"] for one in lines(inputs)}
    (mine,) = (one for one in lines(inputs) if one["doctor"] == "human:ann")
    assert (mine["turns"], mine["pid"], mine["status"]) == (2, "00000002", "clean")
    assert mine["scores"]["coverage"] == 1
    assert "human:ann" in (Path(inputs["out"]) / "report.md").read_text()
    skipped = evaluate(inputs, turns=3).items
    assert [(one.id, one.reason) for one in skipped if one.id == "human:ann"] == [
        ("human:ann", "held for 2 turns, which --cut-turns 2 would score")
    ]


def test_no_word_of_a_patient_leaves_the_cache(inputs: dict[str, str], tmp_path: Path) -> None:
    human = tmp_path / "human.csv"
    rows = (f"programmatic-rules-1,9,{number:08},{number}" for number in range(1, 3))
    human.write_text("doctor,turns,pid,score\n" + "\n".join(rows) + "\n")
    evaluate(inputs, turns=9, human_scores=str(human))
    page = (Path(inputs["out"]) / "report.md").read_text()
    table = page[page.index("## Weighted scores beside a person's") :]
    assert "| en | programmatic-rules-1 | programmatic-rules-1 | 9 | 2 | 2 |" in table
    out = Path(inputs["out"])
    holding = {
        path.relative_to(out).parts[0]
        for path in out.rglob("*")
        if path.is_file() and MARKER.encode() in path.read_bytes()
    }
    assert holding == {"cache"}
    assert stat.S_IMODE((out / "cache").stat().st_mode) == 0o700
    dialogues = out / "cache" / "interviews-for-people" / "en" / "programmatic-rules-1.jsonl"
    assert stat.S_IMODE(dialogues.stat().st_mode) == 0o600


def test_a_person_marks_the_dialogues_of_a_sheet(inputs: dict[str, str], tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    evaluate(inputs, turns=9, human_sheet=str(sheet))
    with sheet.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["guideline"] for row in rows] == [
        one.symptom for one in GUIDELINES if one.disease == "Asthma"
    ]
    with sheet.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(row | {"times": "1"} for row in rows)
    with pytest.raises(SettingError, match="may hold marks"):
        evaluate(inputs, turns=9, human_sheet=str(sheet))
    evaluate(inputs, turns=9, human_scores=str(sheet))
    (ours,) = (one["scores"]["weighted"] for one in lines(inputs) if one["pid"] == rows[0]["pid"])
    page = (Path(inputs["out"]) / "report.md").read_text()
    row = f"| en | programmatic-rules-1 | programmatic-rules-1 | 9 | 1 | 1 | {ours:.2f} | 6.00 |"
    assert row in page[page.index("## Weighted scores beside a person's") :]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"language": "ko"}, SourceError, "is in English, but the language is Korean"),
        ({"profiles": "/nowhere.json"}, SourceError, "can't be read"),
        ({"cut_turns": [9]}, SettingError, "cut to 1 to 5"),
        ({"model": "m"}, SettingError, "not used by the programmatic provider"),
        ({"human_scores": "/nowhere.csv"}, SettingError, "can't be read"),
        ({"base_url": "http://127.0.0.1:1"}, SettingError, "nothing is asked of a server"),
    ],
)
def test_what_cannot_work_is_refused_and_leaves_nothing(
    inputs: dict[str, str], given: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        evaluate(inputs, **given)
    assert not Path(inputs["out"]).exists()


def test_an_edited_suite_stops_the_run(
    inputs: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import tasks.gates.suite_files as files

    folder = tmp_path / "expectations"
    folder.mkdir()
    for path in files.resource_folder("expectations").glob("preconsult_*.json"):
        (folder / path.name).write_text(path.read_text())
    suite = folder / "preconsult_profiles.json"
    content = json.loads(suite.read_text())
    content["expectations"][2]["kwargs"]["min_value"] = 99
    suite.write_text(json.dumps(content))
    monkeypatch.setattr(files, "resource_folder", lambda _name: folder)
    with pytest.raises(GateFailed, match="Every profile has guidelines of its disease"):
        evaluate(inputs)
