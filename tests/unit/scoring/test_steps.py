from pathlib import Path

from tasks.adapters.retrying import worth_retrying
from tasks.adapters.workspace import Workspace
from tasks.scoring.items import ItemScores, SystemIdentity
from tasks.scoring.steps import score_answers, scores_key
from tests.unit.scoring.builders import SUBJECT, judged, patient, predicted, question, session

IDENTITY = SystemIdentity(release="abc", system="always-abstain", strategy="always-abstain")


def test_the_step_stores_one_score_a_question(tmp_path: Path):
    workspace = Workspace(out=str(tmp_path))
    asked = patient([session("1", ["Furosemide is 80 mg."])], [question("q1")])
    questions = workspace.store("patients.1.a", asked, subject_id=SUBJECT)
    predictions = workspace.store("answers.1.b", predicted({"q1": "80 mg"}), subject_id=SUBJECT)
    verdicts = workspace.store("judgments.1.c", judged({"q1": "right"}), subject_id=SUBJECT)
    ref = score_answers.fn(questions, predictions, verdicts, IDENTITY, workspace)
    (score,) = workspace.load(ref.path, ref.sha256, ItemScores).scores
    assert (score.qa_id, score.judged, score.system) == ("q1", "right", "always-abstain")
    bare = score_answers.fn(questions, predictions, None, IDENTITY, workspace)
    (score,) = workspace.load(bare.path, bare.sha256, ItemScores).scores
    assert score.judged is None


def test_a_fault_of_the_machine_is_tried_again():
    assert (score_answers.retries, score_answers.retry_condition_fn) == (2, worth_retrying)


def test_other_verdicts_and_identities_have_other_keys(tmp_path: Path):
    workspace = Workspace(out=str(tmp_path))
    ref = workspace.store("answers.1.b", predicted({}), subject_id=SUBJECT)
    judge = IDENTITY.model_copy(update={"judge": "another"})
    keys = {
        scores_key(ref, ref, None, IDENTITY),
        scores_key(ref, ref, ref, IDENTITY),
        scores_key(ref, ref, ref, judge),
    }
    assert len(keys) == 3
