"""The tasks, offline: every strategy with the programmatic provider, and the keys."""

import stat
from pathlib import Path

import pytest

from tasks.adapters.embedders import EmbedderSpec
from tasks.adapters.models import ModelSpec
from tasks.adapters.workspace import Workspace
from tasks.answering.keys import answers_key, memories_key, readable_memories
from tasks.answering.steps import answer_questions, build_memories
from tasks.answering.systems import BASELINES, DENSE_STRATEGIES, STRATEGIES, SystemSpec
from tasks.contracts.build import ArtifactRef
from tasks.contracts.errors import SettingError
from tasks.contracts.evaluation import Baseline, Prediction, PredictionSet, Strategy
from tasks.contracts.memories import MemoryStore
from tasks.contracts.questions import ABSTENTION
from tests.unit.answering.timelines import SUBJECT, patient

RULED = ModelSpec(provider="programmatic")
QUESTIONS = (
    "At what dose was furosemide given for the swelling?",
    "At what dose was warfarin given?",
    "In how many hospitalizations was furosemide given?",
)


def _system(strategy: Strategy | Baseline) -> SystemSpec:
    if strategy in BASELINES:
        return SystemSpec(strategy=strategy)
    embedder = EmbedderSpec() if strategy in DENSE_STRATEGIES else None
    return SystemSpec(strategy=strategy, model=RULED, embedder=embedder)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(out=str(tmp_path))


@pytest.fixture
def staged(workspace: Workspace) -> ArtifactRef:
    return workspace.store("patients.1", patient(questions=QUESTIONS), subject_id=SUBJECT)


def _answered(
    system: SystemSpec, staged: ArtifactRef, workspace: Workspace, first: int = 0, count: int = 3
) -> tuple[Prediction, ...]:
    memories = build_memories.fn(staged, system, workspace) if system.remembers else None
    ref = answer_questions.fn(staged, memories, system, first, count, workspace)
    assert ref.path == f"answers/{answers_key(staged, memories, system, first, count)}.json"
    read = workspace.load(ref.path, ref.sha256, PredictionSet)
    assert (read.subject_id, read.system) == (SUBJECT, system.name)
    return read.predictions


@pytest.mark.parametrize("strategy", (*STRATEGIES, "extractive"))
def test_every_strategy_answers_offline_and_the_same_twice(
    strategy: Strategy | Baseline, staged: ArtifactRef, workspace: Workspace
):
    made = _answered(_system(strategy), staged, workspace)
    assert made[0].answer == "40 mg"
    assert made[1].answer == ABSTENTION
    assert {one.outcome for one in made} == {"answered"}
    assert all(one.all_turns == 6 for one in made)
    assert made == _answered(_system(strategy), staged, workspace)


@pytest.mark.parametrize(
    ("strategy", "ranked"),
    [
        ("full-context", (False, False)),
        ("bm25", (True, False)),
        ("dense", (True, False)),
        ("bm25-turns", (True, True)),
        ("dense-turns", (True, True)),
        ("mem0", (True, False)),
    ],
)
def test_retrievers_state_their_rankings_though_all_is_shown(
    strategy: Strategy, ranked: tuple[bool, bool], staged: ArtifactRef, workspace: Workspace
):
    for one in _answered(_system(strategy), staged, workspace):
        found = (one.ranked_admissions is not None, one.ranked_turns is not None)
        assert found == ranked
        assert len(one.ranked_admissions or range(3)) == 3


def test_baselines_that_read_nothing(staged: ArtifactRef, workspace: Workspace):
    abstaining = _answered(_system("always-abstain"), staged, workspace)
    assert [one.answer for one in abstaining] == [ABSTENTION] * 3
    guessing = _answered(_system("question-only"), staged, workspace)
    assert [one.answer for one in guessing] == ["40 mg", "40 mg", "2 hospitalizations"]
    assert {one.shown_turns for one in (*abstaining, *guessing)} == {0}


def test_a_chunk_holds_its_own_questions(staged: ArtifactRef, workspace: Workspace):
    system = _system("bm25")
    first = _answered(system, staged, workspace, 0, 2)
    last = _answered(system, staged, workspace, 2, 2)
    assert [one.qa_id[-3:] for one in (*first, *last)] == ["q01", "q02", "q03"]


def test_memories_lie_readable_in_a_folder_nobody_else_opens(
    staged: ArtifactRef, workspace: Workspace
):
    system = _system("mem0")
    ref = build_memories.fn(staged, system, workspace)
    readable = workspace.cache / "memories" / "programmatic-1_mem0" / f"{SUBJECT}.json"
    assert workspace.cache / readable_memories(system, SUBJECT) == readable
    kept = MemoryStore.model_validate_json(readable.read_bytes())
    assert kept == workspace.load(ref.path, ref.sha256, MemoryStore)
    assert "\n  " in readable.read_text()
    for folder in (readable.parent, readable.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [one.operation for one in kept.updates] == ["ADD"] * len(kept.memories)


def test_what_decides_answers_decides_the_keys(staged: ArtifactRef):
    system, other = _system("mem0"), _system("mem0-star")
    changed = staged.model_copy(update={"sha256": "0" * 64})
    keys = {
        answers_key(staged, None, system, 0, 10),
        answers_key(staged, None, system, 10, 10),
        answers_key(staged, None, system, 0, 5),
        answers_key(staged, None, other, 0, 10),
        answers_key(changed, None, system, 0, 10),
        answers_key(staged, changed, system, 0, 10),
        memories_key(staged, system),
        memories_key(staged, other),
        memories_key(changed, system),
    }
    assert len(keys) == 9
    assert answers_key(staged, None, system, 0, 10).startswith(f"answers.{SUBJECT}.")


def test_a_language_model_needs_its_session(staged: ArtifactRef, workspace: Workspace):
    system = SystemSpec(strategy="bm25", model=ModelSpec(provider="openai", model="m"))
    with pytest.raises(SettingError, match="no session of the model 'm'"):
        answer_questions.fn(staged, None, system, 0, 3, workspace)
