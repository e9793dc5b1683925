import pytest

from tasks.contracts.dialogue import DialogueReply
from tasks.contracts.errors import ReplyInvalid
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.synthesis import MAXIMUM_REPAIRS, RULES, synthesise
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
