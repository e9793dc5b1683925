from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tasks.adapters import recipe
from tasks.adapters.models import ModelSpec
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef
from tasks.contracts.evaluation import JudgmentSet
from tasks.judging.judges import judge_name
from tasks.judging.steps import judge_answers, judgments_key
from tests.unit.scoring.builders import SUBJECT, adversarial, patient, predicted, question, session

RULES = ModelSpec(provider="programmatic")


def test_the_step_stores_the_verdicts_of_the_rules(tmp_path: Path):
    workspace = Workspace(out=str(tmp_path))
    asked = patient(
        [session("1", ["Furosemide is 80 mg."])], [question("q1"), question("q2"), adversarial("a")]
    )
    answers = predicted({"q1": "80mg", "q2": "40 mg", "a": "80 mg"})
    questions = workspace.store("patients.1.a", asked, subject_id=SUBJECT)
    predictions = workspace.store("answers.1.b", answers, subject_id=SUBJECT)
    ref = judge_answers.fn(questions, predictions, RULES, 1, workspace)
    judgments = workspace.load(ref.path, ref.sha256, JudgmentSet)
    assert judgments.judge == "programmatic-rules-1"
    assert [(one.qa_id, one.outcome) for one in judgments.judgments] == [
        ("q1", "right"),
        ("q2", "wrong"),
    ]
    assert ref.path == f"judgments/{judgments_key(questions, predictions, RULES, 1)}.json"


def test_other_answers_judges_and_repeats_have_other_keys():
    one = ArtifactRef(subject_id="1", path="p", sha256="0" * 64)
    other = one.model_copy(update={"sha256": "1" * 64})
    model = ModelSpec(provider="openai", model="judge")
    warmer = model.model_copy(update={"temperature": 0.7})
    keys = {
        judgments_key(one, one, RULES, 1),
        judgments_key(one, other, RULES, 1),
        judgments_key(other, one, RULES, 1),
        judgments_key(one, one, RULES, 3),
        judgments_key(one, one, model, 1),
        judgments_key(one, one, warmer, 1),
    }
    assert len(keys) == 6
    assert judge_name(model) == "judge"


@pytest.fixture
def key_by_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], str]]:
    """The key of the same judgments, by the files below ``tmp_path`` in place of the program's."""
    one = ArtifactRef(subject_id="1", path="p", sha256="0" * 64)

    def key() -> str:
        recipe.domain_recipe.cache_clear()
        return judgments_key(one, one, RULES, 1)

    monkeypatch.setattr(recipe, "_TASKS", tmp_path)
    yield key
    recipe.domain_recipe.cache_clear()


@pytest.mark.parametrize(
    "changed", ["judging/rules.py", "scoring/recipes.py", "terminology/splitting.py"]
)
def test_no_verdict_outlives_the_code_that_gave_it(
    changed: str, tmp_path: Path, key_by_files: Callable[[], str]
):
    before = key_by_files()
    (tmp_path / changed).parent.mkdir()
    (tmp_path / changed).write_text("other rules")
    assert key_by_files() != before
