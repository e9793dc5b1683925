from pathlib import Path

from tasks.adapters.models import ModelSpec
from tasks.adapters.workspace import Workspace
from tasks.audit.term_names import TermNames
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.steps import collect_record_terms, dialogue_key, record_terms_key
from tests.factories.records import HADM, SUBJECT, bundle, diagnosis, record

SPEC = ModelSpec(provider="openai", model="writer")


def stored(workspace: Workspace, admission: AdmissionRecord) -> BundleRef:
    kept = workspace.store("bundles.1", admission, subject_id=SUBJECT, hadm_id=HADM)
    return BundleRef(
        subject_id=SUBJECT,
        hadm_id=HADM,
        admission_start=admission.bundle.admission_start,
        path=kept.path,
        sha256=kept.sha256,
    )


def test_names_of_the_records_are_collected(tmp_path: Path) -> None:
    workspace = Workspace(out=str(tmp_path))
    stay = bundle(diagnoses=[diagnosis("Glimmering of the wombat gland")])
    kept = collect_record_terms.fn((stored(workspace, record(stay)),), workspace)
    names = workspace.load(kept.path, kept.sha256, TermNames).names
    assert ("diagnosis", ("glimmering", "of", "the", "wombat", "gland")) in {
        (name.kind, name.words) for name in names
    }


def test_other_records_and_other_terms_have_other_keys(tmp_path: Path) -> None:
    one = stored(Workspace(out=str(tmp_path)), record())
    other = one.model_copy(update={"sha256": "0" * 64})
    assert record_terms_key([one]) != record_terms_key([one, other])
    terms = ArtifactRef(subject_id="", path="terms", sha256="1" * 64)
    keys = {
        dialogue_key(one, None, SPEC),
        dialogue_key(one, None, SPEC, terms),
        dialogue_key(one, terms, SPEC),
        dialogue_key(other, None, SPEC, terms),
    }
    assert len(keys) == 4
