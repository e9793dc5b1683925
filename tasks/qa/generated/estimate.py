"""What a patient's questions will take of a language model, before any request is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tasks.adapters.resources import read_prompt
from tasks.adapters.tokens import count_tokens
from tasks.qa.generated.wording import BATCH, PLANNED

_SHOWN_TOKENS = 90
"""A listed question with what it keeps or replaces."""

_WORDED_TOKENS = 50
"""A worded question in a reply."""

_DRAFTED_TOKENS = 100
"""A question of a model's own in a reply, with answer and turns."""


class RequestEstimate(NamedTuple):
    """Expected requests without repairs, and tokens over all of them."""

    calls: int
    input_tokens: int
    output_tokens: int


def question_requests_estimate(conversation_tokens: Sequence[int]) -> RequestEstimate:
    """Requests for all questions of a patient, from the tokens of each stay's conversation.

    Of a stay: its own questions and a counterpart; across n stays: 2n questions worded and n
    counterparts, a few a request. With fewer than two stays nothing is asked across them.
    """
    stays = len(conversation_tokens)
    across = stays if stays > 1 else 0
    requests = [
        *((_fixed("single_regular.md") + tokens, 2 * _DRAFTED_TOKENS)
          for tokens in conversation_tokens),
        *(_wordings("single_adversarial.md", 1) * stays),
        *_wordings(PLANNED, 2 * across),
        *_wordings("cross_adversarial.md", across),
    ]  # fmt: skip
    return RequestEstimate(
        calls=len(requests),
        input_tokens=sum(given for given, _ in requests),
        output_tokens=sum(reply for _, reply in requests),
    )


def _wordings(prompt: str, questions: int) -> list[tuple[int, int]]:
    """Prompt and reply tokens of the requests for some questions."""
    sizes = [min(BATCH, questions - start) for start in range(0, questions, BATCH)]
    fixed = _fixed(prompt)
    return [(fixed + size * _SHOWN_TOKENS, size * _WORDED_TOKENS) for size in sizes]


def _fixed(prompt: str) -> int:
    return count_tokens(read_prompt("qa", "system.md")) + count_tokens(read_prompt("qa", prompt))
