import pytest

from tasks.adapters.files import sha256_bytes
from tasks.adapters.workspace import Workspace
from tasks.audit.grounding.terms import build_terms
from tasks.audit.term_names import names_of
from tasks.contracts.build import BundleRef
from tasks.contracts.dialogue import DialogueReply
from tasks.contracts.errors import ItemFailed
from tasks.dialogue.composition import compose_dialogue
from tasks.dialogue.drafts import DialogueDraft
from tasks.dialogue.examining import Apart, Case
from tasks.dialogue.judging import Judge
from tasks.dialogue.synthesis import synthesise
from tests.factories.drafts import DRAFT_RULES
from tests.factories.records import summary
from tests.factories.scripted import ScriptedModel
from tests.unit.dialogue.test_asking import Change, rich_record


@pytest.fixture
def case(tmp_path) -> Case:
    workspace = Workspace(out=str(tmp_path))
    workspace.prepare()
    record = rich_record()
    content = record.model_dump_json().encode()
    (workspace.cache / "record.json").write_bytes(content)
    names = names_of(build_terms([record.bundle]))
    return Case(
        workspace=workspace,
        bundle=BundleRef(
            subject_id=record.bundle.subject_id,
            hadm_id=record.bundle.hadm_id,
            admission_start=record.bundle.admission_start,
            path="record.json",
            sha256=sha256_bytes(content),
        ),
        previous=summary(),
        turns=(20, 40),
        terms=workspace.store("dialogues.terms.0", names, subject_id=""),
    )


def spoilt(reply: DialogueReply) -> DialogueReply:
    lines = list(reply.conversation_lines)
    lines[3] = lines[3].model_copy(update={"text": "You are 97 years old, Mrs. Smith."})
    return reply.model_copy(update={"conversation_lines": tuple(lines)})


def test_a_reply_is_judged_elsewhere_as_it_is_here(case):
    given = case.asked()
    here = Judge(given, build_terms([given.record.bundle]))
    good = compose_dialogue(given)
    for reply in (good, spoilt(good)):
        assert Apart(case, given).examine(reply) == here.examine(reply)
    assert here.examine(good).sourced is not None
    assert here.examine(spoilt(good)).sourced is None


def test_without_terms_the_record_alone_says_what_is_a_name(case):
    alone = case.model_copy(update={"terms": None})
    reply = spoilt(compose_dialogue(case.asked()))
    assert Apart(alone, case.asked()).examine(reply) == Apart(case, case.asked()).examine(reply)


def test_a_record_that_was_changed_is_an_error_of_its_item(case):
    given = case.asked()
    (case.workspace.cache / "record.json").write_text("{}")
    with pytest.raises(ItemFailed, match="was changed"):
        Apart(case, given).examine(compose_dialogue(given))


def test_a_summary_of_one_faulty_sentence_is_asked_for_anew(case):
    def claiming(dose: int) -> Change:
        text = f"He took warfarin {dose} mg."
        return lambda patch: patch.model_copy(update={"summary_paragraph": text})

    def in_draft(draft: DialogueDraft) -> DialogueDraft:
        told = draft.summary.model_copy(update={"summary_paragraph": "He took warfarin 777 mg."})
        return draft.model_copy(update={"summary": told})

    of_any_length = case.model_copy(update={"turns": None})
    model = ScriptedModel(DRAFT_RULES, [in_draft, *map(claiming, (1, 2, 3))])
    made = synthesise(
        rich_record(), summary(), model, examiner=lambda given: Apart(of_any_length, given)
    )
    assert "warfarin" not in made.summary.summary_paragraph
    assert made.prompt_record.mended is None
