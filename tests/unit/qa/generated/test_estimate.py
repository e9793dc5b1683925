from tasks.adapters.resources import read_prompt
from tasks.adapters.tokens import count_tokens
from tasks.qa.generated.estimate import question_requests_estimate


def test_the_requests_of_a_patient_with_three_stays():
    # 3 for the stays' own questions, 3 counterparts, 6 worded in one request, 3 counterparts
    # across in one request; half of these 8 are expected to be sent back once.
    assert question_requests_estimate([1000, 2000, 3000]).calls == 12


def test_a_single_stay_is_asked_nothing_across():
    assert question_requests_estimate([1000]).calls == 3


def test_a_conversation_counts_once_and_half_again_for_repairs():
    shorter, longer = question_requests_estimate([1000]), question_requests_estimate([1100])
    assert longer.input_tokens - shorter.input_tokens == 150
    assert longer.output_tokens == shorter.output_tokens


def test_cost_grows_in_proportion_to_the_stays():
    few, many = question_requests_estimate([900] * 8), question_requests_estimate([900] * 64)
    # Half a token and half a request are rounded up.
    assert 0 <= 8 * few.input_tokens - many.input_tokens < 8
    assert 0 <= 8 * few.calls - many.calls < 8


def test_the_fixed_part_is_that_of_the_prompts():
    prompts = ["system.md", "single_regular.md", "system.md", "single_adversarial.md"]
    fixed = sum(count_tokens(read_prompt("qa", name)) for name in prompts)
    # Two requests: 200 and 50 tokens of reply, 90 for the one listed question, and half again.
    expected = fixed + 90 + (fixed + 90 + 200 + 50 + 2 * 120) / 2
    assert question_requests_estimate([0]).input_tokens == -(-expected // 1)
