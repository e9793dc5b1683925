from datetime import datetime

from tasks.adapters.tokens import conversation_text, count_tokens
from tasks.contracts.dialogue import ConversationLine


def test_tokens_are_counted_with_o200k_base() -> None:
    # "hello world" is two tokens of o200k_base: "hello", " world".
    assert count_tokens("hello world") == 2
    assert count_tokens("") == 0


def test_a_spelled_special_token_counts_as_text() -> None:
    assert count_tokens("<|endoftext|>") > 1


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
