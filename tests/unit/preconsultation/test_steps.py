from pathlib import Path

from tasks.adapters.models import ModelSpec
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef
from tasks.contracts.preconsultation import ProfileChunk, ScoreSet
from tasks.preconsultation.steps import (
    compare_facts,
    diagnose_interviews,
    diagnoses_key,
    facts_key,
    interviews_key,
    organize_interviews,
    score_interviews,
    simulate_interviews,
)
from tests.factories.profiles import GUIDELINES, profile

RULES = ModelSpec(provider="programmatic")
MODEL = ModelSpec(provider="openai", model="m", base_url="http://127.0.0.1:1/v1")


def stored(workspace: Workspace) -> ArtifactRef:
    chunk = ProfileChunk(
        language="en",
        profiles=(profile("1", associated=("Cough, wheezing",)), profile("2", "Stroke", "Dizzy")),
        guidelines=GUIDELINES,
    )
    return workspace.store("profiles.1.x", chunk, subject_id="1")


def test_the_steps_lead_from_profiles_to_scores(tmp_path: Path):
    workspace = Workspace(out=str(tmp_path))
    chunk = stored(workspace)
    held = simulate_interviews.fn(chunk, RULES, RULES, 3, workspace)
    facts = organize_interviews.fn(chunk, held, RULES, workspace)
    matches = compare_facts.fn(chunk, facts, RULES, workspace)
    found = {
        turns: diagnose_interviews.fn(chunk, held, turns, RULES, workspace) for turns in (1, 3)
    }
    scored = score_interviews.fn(chunk, held, matches, found, "rules", workspace)
    lines = workspace.load(scored.path, scored.sha256, ScoreSet).lines
    assert [(one.turns, one.pid, one.status) for one in lines] == [
        (1, "1", "clean"),
        (1, "2", "clean"),
        (3, "1", "clean"),
        (3, "2", "clean"),
    ]
    assert lines[0].doctor == "programmatic-rules-1"
    assert lines[0].scores is not None
    assert lines[0].scores.unweighted == 2


def test_keys_depend_on_what_decides_the_result(tmp_path: Path):
    chunk = stored(Workspace(out=str(tmp_path)))
    keys = {
        interviews_key(chunk, RULES, RULES, 3),
        interviews_key(chunk, RULES, RULES, 5),
        interviews_key(chunk, MODEL, RULES, 3),
        interviews_key(chunk, RULES, MODEL, 3),
        facts_key(chunk, chunk, RULES),
        facts_key(chunk, chunk, MODEL),
        diagnoses_key(chunk, chunk, 3, RULES),
        diagnoses_key(chunk, chunk, 1, RULES),
    }
    assert len(keys) == 8
    moved = MODEL.model_copy(update={"base_url": "http://127.0.0.1:2/v1"})
    assert facts_key(chunk, chunk, MODEL) == facts_key(chunk, chunk, moved)
