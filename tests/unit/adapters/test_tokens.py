from datetime import datetime

import pytest

from tasks.adapters.tokens import _encoding, conversation_text, count_tokens
from tasks.contracts.dialogue import ConversationLine


def test_tokens_are_counted_with_o200k_base() -> None:
    # "hello world" is two tokens of o200k_base: "hello", " world".
    assert count_tokens("hello world") == 2
    assert count_tokens("") == 0


def test_a_spelled_special_token_counts_as_text() -> None:
    assert count_tokens("<|endoftext|>") > 1


@pytest.mark.parametrize(
    ("run", "fewest"), [("{", 150_000), ("a", 30_000), (" ", 1_000), ("_", 1_000), ("\n", 1_000)]
)
def test_a_run_without_end_is_counted_before_the_test_times_out(run: str, fewest: int) -> None:
    counted = count_tokens(f"hello world {run * 300_000} hello world")
    assert fewest < counted < 300_010


def test_shorter_runs_are_counted_exactly() -> None:
    assert count_tokens("=" * 399) == len(_encoding().encode_ordinary("=" * 399))


def test_a_conversation_is_counted_line_by_line() -> None:
    at = datetime(2150, 6, 1, 9, 0)
    lines = [
        ConversationLine(turn_number=1, time=at, speaker="Doctor", text="Good morning."),
        ConversationLine(turn_number=2, time=at, speaker="Patient", text="Hello."),
    ]
    assert conversation_text(lines) == (
        "1 | 2150-06-01 09:00:00 | Doctor | Good morning.\n"
        "2 | 2150-06-01 09:00:00 | Patient | Hello."
    )
