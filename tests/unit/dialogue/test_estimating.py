from tasks.dialogue.estimating import expected_request
from tasks.dialogue.synthesis import synthesise
from tests.factories.drafts import DRAFT_RULES
from tests.factories.records import record, rich_bundle
from tests.factories.scripted import ScriptedModel


def test_the_messages_are_those_that_a_first_stay_is_asked_with() -> None:
    known = record(rich_bundle())
    expected = expected_request(known, is_first=True)
    told = synthesise(known, None, ScriptedModel(DRAFT_RULES, [])).prompt_record
    assert expected.system_message == told.system_message
    assert expected.task_message == told.task_message


def test_a_reply_takes_80_tokens_a_turn_and_350_for_the_summary() -> None:
    expected = expected_request(record(), is_first=True)
    assert (expected.turns, expected.output_tokens) == (60, 60 * 80 + 350)
    few = expected_request(record(), is_first=True, turns=(4, 6))
    assert (few.turns, few.output_tokens) == (5, 750)


def test_a_later_stay_is_reckoned_with_a_summary_before_it() -> None:
    first, later = (expected_request(record(), is_first=one) for one in (True, False))
    assert "the previous stay" not in first.task_message
    assert " the previous stay\n" in later.task_message
    assert len(later.task_message) > len(first.task_message) + 600
