from tasks.adapters.resources import read_prompt
from tasks.adapters.tokens import count_tokens
from tasks.qa.generated.estimate import question_requests_estimate


def test_the_requests_of_a_patient_with_three_stays():
    # 3 for the stays' own questions, 3 counterparts, 6 worded in one request, 3 counterparts
    # across in one request.
    assert question_requests_estimate([1000, 2000, 3000]).calls == 8


def test_a_single_stay_is_asked_nothing_across():
    assert question_requests_estimate([1000]).calls == 2


def test_a_conversation_counts_once():
    shorter, longer = question_requests_estimate([1000]), question_requests_estimate([1100])
    assert longer.input_tokens - shorter.input_tokens == 100
    assert longer.output_tokens == shorter.output_tokens


def test_cost_grows_in_proportion_to_the_stays():
    few, many = question_requests_estimate([900] * 8), question_requests_estimate([900] * 64)
    assert 8 * few.input_tokens == many.input_tokens
    assert 8 * few.calls == many.calls


def test_the_fixed_part_is_that_of_the_prompts():
    prompts = ["system.md", "single_regular.md", "system.md", "single_adversarial.md"]
    fixed = sum(count_tokens(read_prompt("qa", name)) for name in prompts)
    # Two requests, 90 for the one listed question.
    assert question_requests_estimate([0]).input_tokens == fixed + 90
