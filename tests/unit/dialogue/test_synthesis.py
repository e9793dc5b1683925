import pytest

from tasks.adapters.models import ModelSpec, open_model
from tasks.audit.grounding.terms import build_terms
from tasks.contracts.dialogue import DialogueInput, DialogueReply
from tasks.contracts.errors import ReplyInvalid
from tasks.contracts.records import AdmissionBundle, AdmissionRecord, AdmissionSummary
from tasks.dialogue.composition import compose_dialogue
from tasks.dialogue.drafts import DialogueDraft
from tasks.dialogue.judging import Judge
from tasks.dialogue.synthesis import RULES, dialogue_input, doubted_facts, synthesise
from tasks.ehr.facts import extract_facts
from tests.factories.drafts import DRAFT_RULES
from tests.factories.records import bundle, diagnosis, patient, record, rich_bundle, summary
from tests.factories.scripted import ScriptedModel

PROGRAMMATIC = open_model(ModelSpec(provider="programmatic"), RULES)


def rich_record() -> AdmissionRecord:
    stay, context = rich_bundle(), patient()
    return record(stay, context, extract_facts(stay, context))


def test_the_prompt_record_tells_how_the_dialogue_was_made() -> None:
    before = summary()
    made = synthesise(rich_record(), before, ScriptedModel(DRAFT_RULES, []))
    told = made.prompt_record
    assert (told.provider, told.model, told.temperature) == ("openai", "scripted", 0.2)
    assert (told.response_id, told.latency_ms) == ("reply-1", 7)
    assert (told.api_usage.input_tokens, told.api_usage.output_tokens) == (10, 5)
    assert told.previous_admission_summary == before == made.bundle.previous_admission_summary
    assert told.structured_reply.conversation_lines == made.lines
    assert told.shortened is None


def test_the_programmatic_provider_has_the_same_messages_and_no_usage() -> None:
    rules, model = (synthesise(rich_record(), None, one).prompt_record for one in
                    (PROGRAMMATIC, ScriptedModel(DRAFT_RULES, [])))  # fmt: skip
    assert rules.task_message == model.task_message
    assert rules.api_usage.input_tokens is None


def test_turns_that_were_asked_for_take_the_place_of_those_by_length_of_stay() -> None:
    assert dialogue_input(rich_record(), None).maximum_turns == 70
    asked = dialogue_input(rich_record(), None, (30, 44))
    assert (asked.minimum_turns, asked.maximum_turns) == (30, 44)
    made = synthesise(rich_record(), None, ScriptedModel(DRAFT_RULES, []), (30, 44))
    assert 30 <= len(made.lines) <= 44
    assert made.prompt_record.recommended_turn_range == (30, 44)


def test_a_composed_dialogue_that_breaks_a_rule_is_refused() -> None:
    def cut(given: DialogueInput) -> DialogueReply:
        reply = compose_dialogue(given)
        return reply.model_copy(update={"conversation_lines": reply.conversation_lines[:2]})

    model = ScriptedModel({DialogueReply: cut}, [], provider="programmatic")
    with pytest.raises(ReplyInvalid, match="turn_count: expected 50 to 70 turns, found 2"):
        synthesise(rich_record(), None, model)


@pytest.mark.parametrize(
    ("stay", "previous"),
    [
        (rich_bundle(), None),
        (rich_bundle(), summary(problems=("pneumonia", "gout"))),
        (bundle(end="2150-06-01 20:00:00"), None),
        (bundle(end="2150-06-30 20:00:00"), summary()),
    ],
)
def test_what_is_asked_of_language_models_raises_no_alarm_over_composed_dialogues(
    stay: AdmissionBundle, previous: AdmissionSummary | None
) -> None:
    known = record(stay, patient(), extract_facts(stay, patient()))
    given = dialogue_input(known, previous)
    assert Judge(given, build_terms([stay])).faults_of(compose_dialogue(given)) == ()


def test_a_fact_that_the_record_does_not_bear_out_is_left_untold() -> None:
    sound = rich_record()
    misread = tuple(
        fact.model_copy(update={"value": "777 mg by mouth daily"})
        if fact.fact_id == "discharge_medication:1"
        else fact
        for fact in sound.facts
    )
    told = synthesise(sound.model_copy(update={"facts": misread}), None, PROGRAMMATIC)
    assert not any("777" in line.text for line in told.lines)
    assert not any("discharge_medication:1" in line.sources for line in told.lines)
    assert any("allergy:1" in line.sources for line in told.lines)
    assert doubted_facts(told.lines, told.bundle) == frozenset()


def test_what_a_doubted_turn_states_or_touches_is_doubted() -> None:
    made = synthesise(rich_record(), None, PROGRAMMATIC)
    line = made.lines[2].model_copy(
        update={"text": "You take warfarin 777 mg.", "sources": ("lab:1",), "touches": ("lab:2",)}
    )
    assert doubted_facts([*made.lines[:2], line], made.bundle) == {"lab:1", "lab:2"}


def test_a_name_that_only_another_record_holds_is_a_claim_too() -> None:
    foreign = bundle(diagnoses=[diagnosis("Quaternary glimmering of the wombat gland")])
    terms = build_terms([rich_bundle(), foreign])

    def glimmering(draft: DialogueDraft) -> DialogueDraft:
        lines = list(draft.conversation_lines)
        said = "You have a quaternary glimmering of the wombat gland."
        lines[4] = lines[4].model_copy(update={"text": said})
        return draft.model_copy(update={"conversation_lines": lines})

    for examiner, asked in ((None, 1), (lambda given: Judge(given, terms), 2)):
        model = ScriptedModel(DRAFT_RULES, [glimmering])
        synthesise(rich_record(), None, model, examiner=examiner)
        assert len(model.messages) == asked
