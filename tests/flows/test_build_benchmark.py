from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterKey,
    TaskRunFilter,
    TaskRunFilterState,
    TaskRunFilterStateType,
)
from prefect.client.schemas.objects import StateType

from flows import bundling
from flows.build_benchmark import build_benchmark
from flows.verify_release import verify_release
from tasks.adapters.files import sha256_file
from tasks.adapters.models import ModelSpec, WorkItem, open_model
from tasks.adapters.programmatic import Rules
from tasks.contracts.build import RunReport
from tasks.contracts.chat import ChatModel, ChatRequest
from tasks.contracts.errors import (
    GateFailed,
    ItemFailed,
    RunFailed,
    SettingError,
    SourceError,
    TooManyFailed,
)
from tasks.dialogue import steps as dialogue_steps
from tasks.gates import suite_files
from tasks.qa import steps as qa_steps
from tests.factories.mimic_tree import NOTE_TEXT, patient, with_stay, write_mimic_tree
from tests.factories.scripted import WatchedModel
from tests.flows.published_reader import read_published

pytestmark = pytest.mark.usefixtures("prefect_server")

# Patients 1 and 2 of the default tree have two admissions each: four dialogues, and questions
# about each admission and across each patient's.
DIALOGUES = 4
QUESTION_SETS = 4 + 2


@dataclass
class Calls:
    """What the provider was asked for, and what it refuses to answer."""

    asked: list[str] = field(default_factory=list[str])
    refused: set[str] = field(default_factory=set[str])

    def of(self, kind: str) -> int:
        return sum(one.startswith(kind) for one in self.asked)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Counts the requests that reach the provider."""
    seen = Calls()

    def note(request: ChatRequest[Any]) -> None:
        payload = request.payload.model_dump()
        bundle = payload.get("record", {}).get("bundle", {})
        name = f"{request.response_model.__name__} {bundle.get('hadm_id', '')}".strip()
        seen.asked.append(name)
        if name in seen.refused:
            raise ItemFailed(f"{name} refused by the test")

    def counting(
        spec: ModelSpec, rules: dict[type, Rules], work: WorkItem | None = None
    ) -> ChatModel:
        return WatchedModel(open_model(spec, rules, work), note)

    monkeypatch.setattr(dialogue_steps, "open_model", counting)
    monkeypatch.setattr(qa_steps, "open_model", counting)
    return seen


Build = Callable[..., RunReport]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Builds the default tree of this test, or another folder's."""
    write_mimic_tree(tmp_path / "mimic")

    def run(out: str = "out", **parameters: Any) -> RunReport:
        report = build_benchmark(
            mimic=str(tmp_path / "mimic"), out=str(tmp_path / out), **parameters
        )
        assert isinstance(report, RunReport)
        return report

    return run


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): sha256_file(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def computed(report: RunReport, *stages: str) -> list[int]:
    return [report.stages[stage].computed for stage in stages]


def test_a_build_ends_with_a_verified_release_that_published_readers_load(
    build: Build, tmp_path: Path, calls: Calls
) -> None:
    report = build()
    assert report.outcome == "completed"
    assert [gate.stage for gate in report.gates] == [
        "source", "cohort", "bundles", "dialogues", "timelines", "questions", "audits", "release",
    ]  # fmt: skip
    assert verify_release(tmp_path / "out" / "release") == []
    # Three questions an admission and 3n across n admissions.
    assert len(read_published(tmp_path / "out" / "release")) == 3 * 4 + 3 * 4
    assert calls.of("DialogueReply") == DIALOGUES
    assert calls.of("AdmissionQuestionsReply") + calls.of("CrossQuestionsReply") == QUESTION_SETS


def test_the_report_on_disk_is_the_report_of_the_run(build: Build, tmp_path: Path) -> None:
    report = build()
    written = json.loads((tmp_path / "out/report/run.json").read_text())
    assert written == json.loads(report.model_dump_json())
    assert written["stages"]["dialogues"]["computed"] == DIALOGUES


def test_a_second_run_computes_nothing_and_publishes_the_same_bytes(
    build: Build, tmp_path: Path, calls: Calls
) -> None:
    build()
    first = digests(tmp_path / "out" / "release")
    calls.asked.clear()
    report = build()
    assert computed(report, "bundles", "dialogues", "timelines", "questions") == [0, 0, 0, 0]
    assert report.stages["dialogues"].cached == DIALOGUES
    assert report.stages["questions"].cached == QUESTION_SETS
    assert len(report.gates) == 8
    assert calls.asked == []
    assert digests(tmp_path / "out" / "release") == first


def test_concurrency_and_output_path_leave_no_trace(build: Build, tmp_path: Path) -> None:
    build("one", concurrency=1)
    build("another place", concurrency=4)
    assert digests(tmp_path / "one/release") == digests(tmp_path / "another place/release")


def test_a_changed_note_remakes_what_follows_from_it_only(
    build: Build, tmp_path: Path, calls: Calls
) -> None:
    build()
    calls.asked.clear()
    changed = with_stay(
        patient(1), 2, notes=(NOTE_TEXT.replace("three days of cough", "two days of fever"),)
    )
    write_mimic_tree(tmp_path / "mimic", (changed, patient(2)))
    report = build()
    assert [one for one in calls.asked if one.startswith("Dialogue")] == ["DialogueReply 80000102"]
    assert report.stages["dialogues"].cached == DIALOGUES - 1


def test_a_changed_prompt_remakes_every_dialogue(
    build: Build, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    build()
    calls.asked.clear()
    monkeypatch.setattr(dialogue_steps, "domain_recipe", lambda *_domains: "another recipe")
    report = build()
    assert calls.of("DialogueReply") == DIALOGUES
    assert report.stages["bundles"].computed == 0


def test_a_deleted_staged_file_is_made_again(build: Build, tmp_path: Path, calls: Calls) -> None:
    build()
    calls.asked.clear()
    shutil.rmtree(tmp_path / "out/cache/dialogues")
    report = build()
    assert calls.of("DialogueReply") == DIALOGUES
    assert report.outcome == "completed"


def test_a_failed_admission_sets_aside_what_depends_on_it_and_lists_it(
    build: Build, tmp_path: Path, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_mimic_tree(tmp_path / "mimic", (patient(1), patient(2, stays=4)))
    monkeypatch.setenv("ANAMNESIS_FAILED_SHARE_LIMIT", "0.9")
    calls.refused.add("DialogueReply 80000203")
    report = build()
    stage = report.stages["dialogues"]
    assert (stage.computed, stage.failed, stage.skipped) == (4, 1, 1)
    assert report.stages["bundles"].computed == stage.computed + stage.failed + stage.skipped
    assert [(item.id, item.outcome, item.reason) for item in report.items] == [
        ("80000203", "failed", "DialogueReply 80000203 refused by the test"),
        ("80000204", "skipped", "predecessor_failed"),
    ]
    assert report.outcome == "completed_with_failures"
    assert verify_release(tmp_path / "out" / "release") == []


def test_a_patient_left_with_one_session_is_set_aside(
    build: Build, tmp_path: Path, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANAMNESIS_FAILED_SHARE_LIMIT", "0.9")
    calls.refused.add("DialogueReply 80000102")
    report = build()
    assert ("90000001", "fewer_than_two_sessions") in [(i.id, i.reason) for i in report.items]
    assert [path.name for path in (tmp_path / "out/release").glob("9*")] == ["90000002"]


def test_too_many_failures_fail_the_run_and_keep_what_was_made(build: Build, calls: Calls) -> None:
    calls.refused.add("DialogueReply 80000101")
    with pytest.raises(TooManyFailed, match=r"3 items failed .* of 4 admissions; the limit is 10%"):
        build()
    calls.refused.clear()
    calls.asked.clear()
    assert build().outcome == "completed"
    # Patient 2's dialogues were finished in the failed run.
    assert calls.of("DialogueReply") == 2


def test_too_many_failures_leave_the_old_release_and_start_no_further_stage(
    build: Build, tmp_path: Path, calls: Calls
) -> None:
    build()
    before = digests(tmp_path / "out" / "release")
    calls.refused.add("DialogueReply 80000102")
    note = NOTE_TEXT.replace("three days", "four days")
    write_mimic_tree(tmp_path / "mimic", (with_stay(patient(1), 2, notes=(note,)), patient(2)))
    with pytest.raises(TooManyFailed):
        build()
    assert digests(tmp_path / "out" / "release") == before
    stages = json.loads((tmp_path / "out/report/run.json").read_text())["stages"]
    assert "dialogues" in stages
    assert "timelines" not in stages


def test_an_unforeseen_error_of_a_step_is_listed_by_its_type_only(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise KeyError("words of a patient")

    monkeypatch.setattr(dialogue_steps, "synthesise", stumble)
    with pytest.raises(TooManyFailed, match="unexpected KeyError") as caught:
        build()
    assert "words of a patient" not in str(caught.value)
    with get_client(sync_client=True) as client:
        runs = client.read_task_runs(
            task_run_filter=TaskRunFilter(
                state=TaskRunFilterState(type=TaskRunFilterStateType(any_=[StateType.FAILED]))
            )
        )
    assert runs
    assert not any("words of a patient" in str(run.state) for run in runs)


def test_a_fault_of_the_machine_is_reported_in_its_words(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def disk_full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/somewhere")

    monkeypatch.setattr(bundling, "write_cohort", disk_full)
    with pytest.raises(RunFailed, match="No space left on device: finished work is kept"):
        build()
    written = json.loads((tmp_path / "out/report/run.json").read_text())
    assert written["message"] == "No space left on device"


def failing_suites(monkeypatch: pytest.MonkeyPatch, folder: Path, suite: str) -> None:
    """Suites in which one asks for a million rows."""
    shutil.copytree(suite_files.resource_folder("expectations"), folder)
    content = json.loads((folder / f"{suite}.json").read_text())
    for expectation in content["expectations"]:
        if expectation["type"] == "expect_table_row_count_to_be_between":
            expectation["kwargs"]["min_value"] = 1_000_000
    (folder / f"{suite}.json").write_text(json.dumps(content))
    monkeypatch.setattr(suite_files, "resource_folder", lambda _name: folder)


def artifacts(key: str) -> Sequence[str]:
    with get_client(sync_client=True) as client:
        found = client.read_artifacts(
            artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=[key]))
        )
    return [str(one.data) for one in found]


def test_a_failed_gate_fails_the_run_says_why_and_leaves_the_old_release(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build()
    before = digests(tmp_path / "out" / "release")
    failing_suites(monkeypatch, tmp_path / "suites", "questions_items")
    with pytest.raises(GateFailed, match=r"the questions gate failed"):
        build()
    assert digests(tmp_path / "out" / "release") == before
    written = json.loads((tmp_path / "out/report/run.json").read_text())
    assert written["outcome"] == "failed"
    assert "the questions gate failed" in written["message"]
    assert not written["gates"][-1]["success"]
    assert any(
        "'met': 'no'" in data or '"met": "no"' in data for data in artifacts("gate-questions")
    )


@pytest.mark.parametrize(
    ("until", "last"),
    [("bundles", "bundles"), ("dialogues", "dialogues"), ("questions", "questions")],
)
def test_a_build_stops_where_it_was_told(
    build: Build, tmp_path: Path, until: str, last: str
) -> None:
    report = build(until=until)
    assert report.gates[-1].stage == last
    assert report.outcome == "completed"
    assert not (tmp_path / "out" / "release").exists()


def test_a_stopped_build_is_taken_up_where_it_stopped(build: Build, calls: Calls) -> None:
    build(until="dialogues")
    calls.asked.clear()
    report = build()
    assert calls.of("DialogueReply") == 0
    assert report.stages["dialogues"].cached == DIALOGUES


def test_bad_input_leaves_nothing_behind(build: Build, tmp_path: Path) -> None:
    (tmp_path / "mimic/hosp/patients.csv").write_text("subject_id,gender\n1,F\n")
    with pytest.raises(SourceError, match=r"hosp/patients\.csv: .*anchor_age"):
        build()
    assert not (tmp_path / "out").exists()


def test_bad_input_leaves_an_existing_folder_as_it_was(build: Build, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("kept")
    (tmp_path / "mimic/hosp/patients.csv").write_text("subject_id,gender\n1,F\n")
    with pytest.raises(SourceError):
        build()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_somebody_elses_release_folder_is_refused(build: Build, tmp_path: Path) -> None:
    (tmp_path / "out" / "release").mkdir(parents=True)
    (tmp_path / "out" / "release" / "thesis.txt").write_text("kept")
    with pytest.raises(SettingError, match=r"holds other data \(no manifest\.json\)"):
        build()
    assert (tmp_path / "out" / "release" / "thesis.txt").read_text() == "kept"


def test_a_source_without_eligible_patients_is_bad_input(tmp_path: Path) -> None:
    write_mimic_tree(tmp_path / "mimic", (patient(1, stays=1),))
    with pytest.raises(GateFailed, match="the cohort gate failed") as caught:
        build_benchmark(mimic=str(tmp_path / "mimic"), out=str(tmp_path / "out"))
    assert caught.value.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_inputs_that_are_not_set_are_named(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"mimic is not set: .*ANAMNESIS_MIMIC"):
        build_benchmark(out=str(tmp_path / "out"))


def test_a_run_is_named_by_what_it_builds(build: Build) -> None:
    assert build(until="bundles").flow_run_name == "build out until bundles"


def test_a_malformed_suite_late_in_a_run_keeps_the_work_and_is_reported(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: Calls
) -> None:
    with monkeypatch.context() as patch:
        failing_suites(patch, tmp_path / "suites", "questions_items")
        (tmp_path / "suites" / "questions_items.json").write_text("{}")
        with pytest.raises(SettingError, match=r"questions_items\.json"):
            build()
    written = json.loads((tmp_path / "out/report/run.json").read_text())
    assert "questions_items.json" in written["message"]
    calls.asked.clear()
    assert build().outcome == "completed"
    assert calls.asked == []
