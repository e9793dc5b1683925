"""What asking a language model for a dialogue takes, reckoned without asking."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.contracts.records import AdmissionRecord, AdmissionSummary
from tasks.dialogue.messages import render_messages
from tasks.dialogue.synthesis import dialogue_input

TOKENS_A_TURN = 80
"""Output tokens of a turn in JSON: 40 for its number, time and speaker, 40 for what is said."""

TOKENS_A_SUMMARY = 350

_STAND_IN = (
    "The patient came with shortness of breath and was treated for heart failure and pneumonia. "
    "Furosemide was increased and antibiotics were given for five days. The patient went home "
    "with follow-up in the cardiology clinic within two weeks. "
)
_PARAGRAPHS = 3
_PROBLEMS = ("heart failure", "pneumonia", "acute kidney injury", "type 2 diabetes mellitus")


@dataclass(frozen=True)
class ExpectedRequest:
    """The messages of a dialogue's first request, and the tokens that its reply is likely to take.

    ``turns`` is the middle of the range that is asked for.
    """

    system_message: str
    task_message: str
    turns: int
    output_tokens: int


def expected_request(
    record: AdmissionRecord, *, is_first: bool, turns: tuple[int, int] | None = None
) -> ExpectedRequest:
    """What the dialogue of a stay will be asked with; a stand-in is the previous stay's summary.

    Repairs and further attempts come on top.
    """
    bundle = record.bundle
    previous = AdmissionSummary(
        admission_start=bundle.admission_start,
        admission_end=bundle.admission_start,
        summary_paragraph=(_STAND_IN * _PARAGRAPHS).strip(),
        problems=_PROBLEMS,
    )
    given = dialogue_input(record, None if is_first else previous, turns)
    system_message, task_message = render_messages(given)
    middle = (given.minimum_turns + given.maximum_turns) // 2
    output_tokens = middle * TOKENS_A_TURN + TOKENS_A_SUMMARY
    return ExpectedRequest(system_message, task_message, middle, output_tokens)
