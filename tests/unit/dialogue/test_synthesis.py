import pytest

from tasks.adapters.models import ModelSpec, open_model
from tasks.contracts.dialogue import DialogueReply
from tasks.contracts.errors import ReplyInvalid
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.synthesis import MAXIMUM_REPAIRS, RULES, doubted_facts, synthesise
from tasks.ehr.facts import extract_facts
from tests.factories.records import patient, record, rich_bundle, summary
from tests.factories.scripted import ScriptedModel


def rich_record() -> AdmissionRecord:
    bundle, context = rich_bundle(), patient()
    return record(bundle, context, extract_facts(bundle, context))


def without_patient(reply: DialogueReply) -> DialogueReply:
    return reply.model_copy(
        update={
            "conversation_lines": tuple(
                line.model_copy(update={"speaker": "Doctor"}) for line in reply.conversation_lines
            )
        }
    )


def cut_to_two_turns(reply: DialogueReply) -> DialogueReply:
    return reply.model_copy(update={"conversation_lines": reply.conversation_lines[:2]})


def test_a_broken_reply_is_sent_back_with_the_exact_violation() -> None:
    model = ScriptedModel(RULES, [without_patient])
    made = synthesise(rich_record(), None, model)
    assert {line.speaker for line in made.lines} == {"Doctor", "Patient"}
    assert len(model.messages) == 2
    assert model.messages[1].startswith(model.messages[0])
    assert "speakers: Patient never speaks" in model.messages[1]


def test_too_few_turns_are_sent_back() -> None:
    model = ScriptedModel(RULES, [cut_to_two_turns])
    synthesise(rich_record(), None, model)
    assert "turn_count: expected " in model.messages[1]
    assert "found 2" in model.messages[1]


def test_repairs_end_after_three() -> None:
    model = ScriptedModel(RULES, [without_patient] * 10)
    with pytest.raises(ReplyInvalid, match="breaks 1 rules: speakers") as caught:
        synthesise(rich_record(), None, model)
    assert len(model.messages) == 1 + MAXIMUM_REPAIRS
    assert caught.value.violations == ("speakers: Patient never speaks",)


def test_the_prompt_record_tells_how_the_dialogue_was_made() -> None:
    before = summary()
    made = synthesise(rich_record(), before, ScriptedModel(RULES, []))
    told = made.prompt_record
    assert (told.provider, told.model, told.temperature) == ("openai", "scripted", 0.2)
    assert (told.response_id, told.latency_ms) == ("reply-1", 7)
    assert told.api_usage.input_tokens == 10
    assert told.previous_admission_summary == before == made.bundle.previous_admission_summary
    assert told.structured_reply.conversation_lines == made.lines


def test_a_fact_that_the_record_does_not_bear_out_is_left_untold() -> None:
    sound = rich_record()
    misread = tuple(
        fact.model_copy(update={"value": "777 mg by mouth daily"})
        if fact.fact_id == "discharge_medication:1"
        else fact
        for fact in sound.facts
    )
    model = open_model(ModelSpec(provider="programmatic"), RULES)
    told = synthesise(sound.model_copy(update={"facts": misread}), None, model)
    assert not any("777" in line.text for line in told.lines)
    assert not any("discharge_medication:1" in line.sources for line in told.lines)
    assert any("allergy:1" in line.sources for line in told.lines)
    assert doubted_facts(told.lines, told.bundle) == frozenset()


def test_what_a_doubted_turn_states_or_touches_is_doubted() -> None:
    made = synthesise(rich_record(), None, ScriptedModel(RULES, []))
    line = made.lines[2].model_copy(
        update={"text": "You take warfarin 777 mg.", "sources": ("lab:1",), "touches": ("lab:2",)}
    )
    assert doubted_facts([*made.lines[:2], line], made.bundle) == {"lab:1", "lab:2"}
