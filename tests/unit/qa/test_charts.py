"""What questions about one stay are written from, and when they are written anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.adapters.models import ModelSpec
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import AdmissionDialogue, DialogueReply, PromptRecord, TokenUsage
from tasks.contracts.evidence import AdmissionEvidence
from tasks.contracts.questions import ChartAdmission
from tasks.contracts.records import AdmissionRecord, AdmissionSummary, PatientContext
from tasks.contracts.release import PatientSources
from tasks.qa.charts import load_stay_chart
from tasks.qa.keys import across_key, admission_key, record_lexicon_key
from tests.factories.charts import make_admission

OWN, TWIN, LATER = "80000001", "80000002", "80000003"
SPEC = ModelSpec(provider="openai", model="m")
STAYS = (
    make_admission(OWN, "2150-06-01 09:00:00", "2150-06-05 09:00:00"),
    make_admission(TWIN, "2150-06-01 11:00:00", "2150-06-05 15:00:00"),
    make_admission(LATER, "2151-06-01 09:00:00", "2151-06-05 09:00:00"),
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(out=str(tmp_path))


def stored_record(stay: ChartAdmission, workspace: Workspace) -> BundleRef:
    record = AdmissionRecord(
        bundle=stay.bundle,
        patient=PatientContext(gender="F", age_years=70, died_in_hospital=False),
        facts=stay.facts,
    )
    hadm_id = stay.bundle.hadm_id
    ref = workspace.store(f"bundles.{hadm_id}.x", record, subject_id="90000001", hadm_id=hadm_id)
    return BundleRef(
        subject_id="90000001",
        hadm_id=hadm_id,
        admission_start=stay.bundle.admission_start,
        path=ref.path,
        sha256=ref.sha256,
    )


def stored_dialogue(stay: ChartAdmission, workspace: Workspace) -> ArtifactRef:
    bundle = stay.bundle
    summary = AdmissionSummary(
        admission_start=bundle.admission_start,
        admission_end=bundle.admission_end,
        summary_paragraph="A stay.",
        problems=("cough",),
    )
    dialogue = AdmissionDialogue(
        bundle=bundle,
        lines=stay.lines,
        summary=summary,
        prompt_record=PromptRecord(
            provider="openai",
            model="m",
            temperature=None,
            request_timestamp=None,
            system_message="",
            task_message="",
            previous_admission_summary=None,
            stay_days=4.0,
            recommended_turn_range=(3, 9),
            api_usage=TokenUsage(),
            response_id=None,
            latency_ms=None,
            structured_reply=DialogueReply(conversation_lines=stay.lines, summary=summary),
        ),
        evidence=AdmissionEvidence(subject_id="90000001", hadm_id=bundle.hadm_id, turns=()),
    )
    return workspace.store(
        f"dialogues.{bundle.hadm_id}.x", dialogue, subject_id="90000001", hadm_id=bundle.hadm_id
    )


def test_a_stays_chart_holds_its_own_dialogue_and_the_records_of_its_twins(workspace: Workspace):
    records = [stored_record(stay, workspace) for stay in STAYS]
    chart = load_stay_chart(records, stored_dialogue(STAYS[0], workspace), workspace)
    assert [one.bundle.hadm_id for one in chart.admissions] == [OWN, TWIN]
    assert chart.admissions[0].lines == STAYS[0].lines
    assert chart.admissions[1].lines == ()
    assert chart.admissions[1].facts == STAYS[1].facts


def ref(hadm_id: str, sha256: str) -> BundleRef:
    return BundleRef(
        subject_id="90000001",
        hadm_id=hadm_id,
        admission_start=parse_time("2150-06-01 09:00:00"),
        path="p",
        sha256=sha256,
    )


def artifact(sha256: str) -> ArtifactRef:
    return ArtifactRef(subject_id="90000001", hadm_id=OWN, path="p", sha256=sha256)


def test_another_stays_dialogue_does_not_ask_about_this_one_anew():
    key = admission_key([ref(OWN, "1"), ref(LATER, "2")], artifact("d"), artifact("l"), SPEC)
    assert key == admission_key(
        [ref(OWN, "1"), ref(LATER, "2")], artifact("d"), artifact("l"), SPEC
    )
    assert key.startswith(f"questions.90000001-{OWN}.")


@pytest.mark.parametrize(
    ("records", "dialogue", "lexicon", "spec"),
    [
        ([ref(OWN, "1"), ref(LATER, "9")], "d", "l", SPEC),
        ([ref(OWN, "1"), ref(LATER, "2")], "x", "l", SPEC),
        ([ref(OWN, "1"), ref(LATER, "2")], "d", "x", SPEC),
        ([ref(OWN, "1"), ref(LATER, "2")], "d", "l", SPEC.model_copy(update={"seed": 1})),
    ],
)
def test_whatever_decides_the_questions_is_part_of_the_key(
    records: list[BundleRef], dialogue: str, lexicon: str, spec: ModelSpec
):
    before = admission_key([ref(OWN, "1"), ref(LATER, "2")], artifact("d"), artifact("l"), SPEC)
    assert admission_key(records, artifact(dialogue), artifact(lexicon), spec) != before


def test_questions_across_depend_on_every_dialogue():
    one = PatientSources(
        subject_id="90000001", bundles=(ref(OWN, "1"),), dialogues=(artifact("d"),)
    )
    other = one.model_copy(update={"dialogues": (artifact("x"),)})
    assert across_key(one, artifact("l"), SPEC) != across_key(other, artifact("l"), SPEC)
    assert across_key(one, artifact("l"), SPEC).startswith("questions.90000001-cross.")


def test_the_lexicon_of_the_records_depends_on_records_alone():
    assert record_lexicon_key([[ref(OWN, "1")]]) != record_lexicon_key([[ref(OWN, "2")]])
