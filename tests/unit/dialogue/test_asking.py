import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel

from tasks.contracts.chat import ChatRequest
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.errors import ModelFailed, Outcome, ReplyInvalid, ReplyMalformed
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.drafts import DialogueDraft, SummaryPatch, TurnPatch, TurnText
from tasks.dialogue.synthesis import synthesise
from tasks.ehr.facts import extract_facts
from tests.factories.drafts import DRAFT_RULES
from tests.factories.records import patient, record, rich_bundle, summary
from tests.factories.scripted import ScriptedModel, WatchedModel

Change = Callable[[Any], BaseModel]


def rich_record() -> AdmissionRecord:
    bundle, context = rich_bundle(), patient()
    return record(bundle, context, extract_facts(bundle, context))


@dataclass
class Asked:
    """A scripted model's dialogue, and every request it took."""

    spoil: list[Change]
    requests: list[ChatRequest[Any]] = field(default_factory=list[ChatRequest[Any]])

    def dialogue(
        self, previous: bool = False, turns: tuple[int, int] | None = None
    ) -> AdmissionDialogue:
        model = WatchedModel(ScriptedModel(DRAFT_RULES, self.spoil), self.requests.append)
        return synthesise(rich_record(), summary() if previous else None, model, turns)

    @property
    def shapes(self) -> list[type[BaseModel]]:
        asked = (DialogueDraft, TurnPatch, SummaryPatch)
        return [
            next(shape for shape in asked if issubclass(one.response_model, shape))
            for one in self.requests
        ]

    def answer(self, number: int) -> str:
        """What the last reply was answered in a request."""
        return self.requests[number].exchanges[-1].answer


def with_line(number: int, **changes: Any) -> Change:
    def change(draft: DialogueDraft) -> DialogueDraft:
        lines = list(draft.conversation_lines)
        lines[number - 1] = lines[number - 1].model_copy(update=changes)
        return draft.model_copy(update={"conversation_lines": lines})

    return change


def nurses(count: int) -> list[Change]:
    """As many replies with a wrong speaker, each another than the one before."""
    return [with_line(3, speaker=f"Nurse {number}") for number in range(count)]


def failing(outcome: Outcome) -> Change:
    def fail(_: BaseModel) -> BaseModel:
        raise ModelFailed(f"the reply is {outcome}", outcome)

    return fail


def malformed(_: BaseModel) -> BaseModel:
    raise ReplyMalformed("not JSON", "{cut", ("conversation_lines: field required",))


def test_a_sound_draft_is_accepted_with_inferred_sources() -> None:
    asked = Asked([])
    made = asked.dialogue()
    assert asked.shapes == [DialogueDraft]
    stated = {source for line in made.lines for source in line.sources}
    assert {"stay:1", "chief_complaint:1", "home_medication:1"} <= stated
    assert made.prompt_record.structured_reply.conversation_lines == made.lines
    traced = {item.fact_id for turn in made.evidence.turns for item in turn.items}
    assert stated <= traced


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"speaker": "Nurse"}, "- turn 3: speaker `Nurse` is not Doctor or Patient"),
        ({"turn_number": 5}, "- turn_number: expected 3, found 5"),
        ({"time": "2150-05-01 09:00:00"}, "- time: turn 3 lies outside 2150-06-01 09:00:00"),
    ],
)
def test_a_broken_reply_goes_back_whole_with_the_exact_violation(
    changes: dict[str, Any], told: str
) -> None:
    asked = Asked([with_line(3, **changes)])
    asked.dialogue()
    assert asked.shapes == [DialogueDraft, DialogueDraft]
    assert told in asked.answer(1)
    (exchange,) = asked.requests[1].exchanges
    assert str(next(iter(changes.values()))) in exchange.reply
    assert asked.requests[1].task_message == asked.requests[0].task_message


def test_a_malformed_reply_goes_back_as_it_came() -> None:
    asked = Asked([malformed])
    asked.dialogue()
    (exchange,) = asked.requests[1].exchanges
    assert exchange.reply == "{cut"
    assert "- conversation_lines: field required" in exchange.answer


def test_only_the_last_reply_goes_back() -> None:
    asked = Asked([malformed, with_line(3, speaker="Nurse")])
    asked.dialogue()
    (exchange,) = asked.requests[2].exchanges
    assert "Nurse" in exchange.reply


def test_a_claim_without_a_source_is_mended_in_its_turn_alone() -> None:
    asked = Asked([with_line(5, text="You take warfarin 777 mg.")])
    made = asked.dialogue()
    assert asked.shapes == [DialogueDraft, TurnPatch]
    task = asked.requests[1].task_message
    assert "for each of these turns: 5." in task
    assert "- turn 5 says `warfarin` (drug), which the source doesn't bear out" in task
    assert made.lines[4].text == "I see what you mean and and and and and thank you."
    assert made.prompt_record.response_id == "reply-1"


def test_a_patch_that_changes_nothing_is_followed_by_a_whole_repair() -> None:
    bad = "You take warfarin 777 mg."

    def same_again(patch: TurnPatch) -> TurnPatch:
        return TurnPatch(turns=[TurnText(turn_number=5, text=bad)])

    asked = Asked([with_line(5, text=bad), same_again])
    asked.dialogue()
    assert asked.shapes == [DialogueDraft, TurnPatch, DialogueDraft]
    assert "turn 5 says `warfarin` (drug)" in asked.answer(2)


def test_a_malformed_patch_is_followed_by_a_whole_repair() -> None:
    asked = Asked([with_line(5, text="You take warfarin 777 mg."), malformed])
    asked.dialogue()
    assert asked.shapes == [DialogueDraft, TurnPatch, DialogueDraft]


def test_a_summary_with_a_foreign_problem_is_written_again() -> None:
    def foreign(draft: DialogueDraft) -> DialogueDraft:
        told = draft.summary.model_copy(update={"problems": ["pancreatic cancer"]})
        return draft.model_copy(update={"summary": told})

    asked = Asked([foreign])
    made = asked.dialogue()
    assert asked.shapes == [DialogueDraft, SummaryPatch]
    assert "`pancreatic cancer` (diagnosis) is not borne out" in asked.requests[1].task_message
    assert "pancreatic cancer" not in made.summary.problems


@pytest.mark.parametrize("problems", [[], ["", " "]])
def test_a_summary_without_problems_is_written_again(problems: list[str]) -> None:
    def empty(draft: DialogueDraft) -> DialogueDraft:
        told = draft.summary.model_copy(update={"problems": problems})
        return draft.model_copy(update={"summary": told})

    asked = Asked([empty])
    made = asked.dialogue()
    assert asked.shapes == [DialogueDraft, SummaryPatch]
    assert "problems are missing or empty" in asked.requests[1].task_message
    assert all(made.summary.problems)


def test_faults_in_most_turns_are_mended_in_a_whole_repair() -> None:
    def stuck(draft: DialogueDraft) -> DialogueDraft:
        said = "I hope that we will see each other again tomorrow."
        lines = [one.model_copy(update={"text": said}) for one in draft.conversation_lines]
        return draft.model_copy(update={"conversation_lines": lines})

    asked = Asked([stuck])
    asked.dialogue()
    assert asked.shapes == [DialogueDraft, DialogueDraft]
    assert "- turn 2 repeats turn 1 nearly word for word" in asked.answer(1)


def test_after_three_repairs_another_attempt_begins_and_after_three_attempts_none() -> None:
    asked = Asked(nurses(20))
    with pytest.raises(ReplyInvalid, match="breaks 1 rules after 3 attempts: speaker: turn 3"):
        asked.dialogue()
    assert [one.attempt for one in asked.requests] == [0] * 4 + [1] * 4 + [2] * 4
    assert [len(one.exchanges) for one in asked.requests] == [0, 1, 1, 1] * 3


def test_reasons_name_rule_and_turn_and_no_word_of_the_text() -> None:
    spoil = [with_line(3, speaker="Nurse Quatermain")] * 20
    with pytest.raises(ReplyInvalid) as caught:
        Asked(spoil).dialogue()
    assert caught.value.violations == ("speaker: turn 3 is not Doctor or Patient",)
    assert "Quatermain" not in str(caught.value)


def test_the_second_attempt_can_be_accepted() -> None:
    asked = Asked(nurses(4))
    asked.dialogue()
    assert [one.attempt for one in asked.requests] == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("outcome", ["refused", "filtered", "permanent", "transient", "prompt_cut"])
@pytest.mark.parametrize("before", [[], [with_line(3, speaker="Nurse")]])
def test_a_refusal_ends_the_item_at_once(outcome: Outcome, before: list[Change]) -> None:
    asked = Asked([*before, failing(outcome)])
    with pytest.raises(ModelFailed) as caught:
        asked.dialogue()
    assert caught.value.outcome == outcome
    assert len(asked.requests) == len(before) + 1


def test_a_cut_reply_leads_to_fewer_turns_once() -> None:
    asked = Asked([failing("truncated")])
    made = asked.dialogue()
    assert "Write between 50 and 70 turns." in asked.requests[0].task_message
    assert "Write 50 turns." in asked.requests[1].task_message
    assert "Write 50 turns." in made.prompt_record.task_message
    assert made.prompt_record.recommended_turn_range == (50, 70)


def test_a_reply_that_never_ends_is_asked_for_with_its_turns_laid_out_once() -> None:
    asked = Asked([failing("truncated")] * 2)
    asked.dialogue()
    assert [one.attempt for one in asked.requests] == [0, 0, 1]
    assert "The turns are laid out here" in asked.requests[2].task_message
    asked = Asked([failing("truncated")] * 3)
    with pytest.raises(ModelFailed, match="truncated"):
        asked.dialogue()
    assert len(asked.requests) == 3


def test_a_repair_that_is_too_long_begins_another_attempt() -> None:
    asked = Asked([with_line(3, speaker="Nurse"), failing("context_too_long")])
    asked.dialogue()
    assert [one.attempt for one in asked.requests] == [0, 0, 1]


def test_too_long_a_message_is_shortened_and_the_record_says_so() -> None:
    asked = Asked([failing("context_too_long"), failing("context_too_long")])
    made = asked.dialogue()
    first, second, third = (one.task_message for one in asked.requests)
    assert "<<<" in first
    assert [text.count(" imaging report") for text in (first, second, third)] == [1, 0, 0]
    assert [text.count("ESCHERICHIA COLI") for text in (first, second, third)] == [1, 1, 0]
    left_out = made.prompt_record.shortened
    assert left_out is not None
    assert (left_out.radiology_notes, left_out.microbiology) == (1, 1)
    assert made.bundle.radiology_notes == rich_bundle().radiology_notes
    assert made.prompt_record.task_message == third


def test_what_is_too_long_without_any_of_them_is_set_aside() -> None:
    asked = Asked([failing("context_too_long")] * 9)
    with pytest.raises(ModelFailed) as caught:
        asked.dialogue()
    assert caught.value.outcome == "context_too_long"
    assert len(asked.requests) == 4


def test_a_later_stay_has_to_name_a_problem_of_the_one_before() -> None:
    def silent(draft: DialogueDraft) -> DialogueDraft:
        lines = [
            one.model_copy(update={"text": re.sub("(?i)pneumonia", "the illness", one.text)})
            for one in draft.conversation_lines
        ]
        return draft.model_copy(update={"conversation_lines": lines})

    def naming(patch: TurnPatch) -> TurnPatch:
        text = "Good morning, I see that you had pneumonia in your stay before this one."
        return TurnPatch(turns=[TurnText(turn_number=1, text=text), *patch.turns[1:]])

    asked = Asked([silent, naming])
    made = asked.dialogue(previous=True)
    assert asked.shapes == [DialogueDraft, TurnPatch]
    told = (
        "- turn 1 has to name one of the previous stay's problems word for word, as no other does"
    )
    assert f"{told}: pneumonia" in asked.requests[1].task_message
    assert "pneumonia" in made.lines[0].text
