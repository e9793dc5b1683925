from typing import Any

import pytest
from pydantic import BaseModel

from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import CodeMends
from tasks.contracts.errors import ReplyInvalid
from tasks.dialogue.drafts import DialogueDraft, SummaryPatch, TurnPatch, TurnText
from tests.unit.dialogue.test_asking import Asked, Change, with_line

WARFARIN = "You take warfarin 777 mg."
START, END = parse_time("2150-06-01 09:00:00"), parse_time("2150-06-05 16:30:00")


def squeezed(draft: DialogueDraft) -> DialogueDraft:
    """All turns at the admission."""
    lines = [
        one.model_copy(update={"time": "2150-06-01 09:00:00"}) for one in draft.conversation_lines
    ]
    return draft.model_copy(update={"conversation_lines": lines})


def warfarin(turn: int, times: int) -> list[Change]:
    """A turn that names a drug which the record lacks, and patches that insist on it."""

    def insisting(number: int) -> Change:
        text = f"You take warfarin {number} mg."
        return lambda _: TurnPatch(turns=[TurnText(turn_number=turn, text=text)])

    return [with_line(turn, text=WARFARIN), *map(insisting, range(1, times))]


def and_then(*changes: Change) -> Change:
    def change(draft: Any) -> BaseModel:
        for one in changes:
            draft = one(draft)
        return draft

    return change


def test_a_reply_that_comes_back_as_it_was_is_asked_for_anew() -> None:
    asked = Asked([with_line(3, speaker="Nurse")] * 2)
    made = asked.dialogue()
    assert [one.attempt for one in asked.requests] == [0, 0, 1]
    assert [len(one.exchanges) for one in asked.requests] == [0, 1, 0]
    assert made.prompt_record.mended is None


def test_turns_of_a_reply_that_came_back_as_it_was_are_patched_however_many() -> None:
    def everywhere(draft: DialogueDraft) -> DialogueDraft:
        lines = [
            one.model_copy(update={"text": f"{one.text} You take warfarin {number} mg."})
            for number, one in enumerate(draft.conversation_lines, start=700)
        ]
        return draft.model_copy(update={"conversation_lines": lines})

    asked = Asked([everywhere, everywhere])
    asked.dialogue()
    assert asked.shapes[:3] == [DialogueDraft, DialogueDraft, TurnPatch]


def test_times_that_are_wrong_twice_are_set_by_rule_and_the_record_says_so() -> None:
    asked = Asked([squeezed, squeezed])
    made = asked.dialogue()
    assert asked.shapes == [DialogueDraft, DialogueDraft]
    assert "- spread: turns lie on 1 of 5 days" in asked.answer(1)
    assert made.prompt_record.mended == CodeMends(times_set=True)
    days = [line.time.day for line in made.lines]
    assert sorted(set(days)) == [1, 2, 3, 4, 5]
    assert START < made.lines[0].time < made.lines[-1].time < END
    assert made.prompt_record.structured_reply.conversation_lines == made.lines


def test_times_that_the_model_puts_right_are_its_own() -> None:
    made = Asked([squeezed]).dialogue()
    assert made.prompt_record.mended is None


def test_turns_are_patched_once_times_are_set() -> None:
    spoilt = and_then(squeezed, with_line(5, text=WARFARIN))
    asked = Asked([spoilt, spoilt])
    made = asked.dialogue()
    assert asked.shapes == [DialogueDraft, DialogueDraft, TurnPatch]
    assert "warfarin" not in made.lines[4].text
    assert made.prompt_record.mended == CodeMends(times_set=True)


def test_the_dates_of_the_stay_are_code_s_where_the_summary_has_others_twice() -> None:
    def other(draft: DialogueDraft) -> DialogueDraft:
        told = draft.summary.model_copy(update={"admission_start": "2149-01-01 00:00:00"})
        return draft.model_copy(update={"summary": told})

    made = Asked([other, other]).dialogue()
    assert made.summary.admission_start == START
    assert made.prompt_record.mended == CodeMends(times_set=True)


def test_a_turn_that_three_patches_do_not_mend_is_left_out_with_its_exchange() -> None:
    whole = Asked([]).dialogue(turns=(10, 70))
    asked = Asked(warfarin(6, times=4))
    made = asked.dialogue(turns=(10, 70))
    assert asked.shapes == [DialogueDraft, TurnPatch, TurnPatch, TurnPatch]
    mended = made.prompt_record.mended
    assert mended is not None
    assert mended.turns_left_out == len(whole.lines) - len(made.lines) > 0
    texts = [line.text for line in whole.lines]
    assert all(line.text in texts for line in made.lines)
    assert [line.turn_number for line in made.lines] == list(range(1, len(made.lines) + 1))


def test_a_sentence_that_three_patches_do_not_mend_is_left_out_of_its_turn() -> None:
    def insisting(number: int) -> Change:
        texts = [TurnText(turn_number=6, text=f"I see. You take warfarin {number} mg. Good.")]
        return lambda _: TurnPatch(turns=texts)

    whole = Asked([]).dialogue()
    made = Asked([with_line(6, text=WARFARIN), *map(insisting, (1, 2, 3))]).dialogue()
    assert made.prompt_record.mended == CodeMends(sentences_left_out=1)
    assert made.lines[5].text == "I see. Good."
    assert len(made.lines) == len(whole.lines)


def test_nothing_is_left_out_where_too_few_turns_would_remain() -> None:
    turns = len(Asked([]).dialogue(turns=(10, 70)).lines)
    asked = Asked(warfarin(6, times=4))
    asked.dialogue(turns=(turns, 70))
    assert [one.attempt for one in asked.requests] == [0, 0, 0, 0, 1]


def test_what_a_summary_keeps_claiming_is_left_out_of_it() -> None:
    def foreign(draft: DialogueDraft) -> DialogueDraft:
        told = draft.summary.model_copy(
            update={"problems": [*draft.summary.problems, "pancreatic cancer"]}
        )
        return draft.model_copy(update={"summary": told})

    def insisting(number: int) -> Change:
        def change(patch: SummaryPatch) -> SummaryPatch:
            problems = [*patch.problems, *["pancreatic cancer"] * number]
            return patch.model_copy(update={"problems": problems})

        return change

    made = Asked([foreign, *map(insisting, (2, 3, 4))]).dialogue()
    assert made.prompt_record.mended == CodeMends(summary_parts_left_out=1)
    assert "pancreatic cancer" not in made.summary.problems
    assert made.summary.problems


def test_wrong_facts_are_never_let_through_by_leaving_out() -> None:
    def everywhere(number: int) -> Change:
        def change(draft: Any) -> BaseModel:
            texts = enumerate(draft.conversation_lines, start=700 + number)
            lines = [
                one.model_copy(update={"text": f"You take warfarin {dose} mg."})
                for dose, one in texts
            ]
            return draft.model_copy(update={"conversation_lines": lines})

        return change

    with pytest.raises(ReplyInvalid):
        Asked([everywhere(number) for number in range(20)]).dialogue()


def test_the_next_attempt_is_asked_for_with_every_turn_laid_out() -> None:
    asked = Asked([with_line(3, speaker="Nurse")] * 2)
    made = asked.dialogue()
    first, _, again = (one.task_message for one in asked.requests)
    assert "The turns are laid out here" not in first
    assert (
        "| Doctor | tells: your admission date is 2150-06-01; your chief complaint is shortness of"
        in again
    )
    assert again.startswith(first.rstrip())
    assert "Write exactly\nthese 60 turns" in again
    assert made.prompt_record.task_message == again
    assert made.prompt_record.recommended_turn_range == (50, 70)


def test_times_of_a_laid_out_dialogue_are_set_without_asking() -> None:
    asked = Asked([with_line(3, speaker="Nurse")] * 2 + [squeezed])
    made = asked.dialogue()
    assert [one.attempt for one in asked.requests] == [0, 0, 1]
    assert made.prompt_record.mended == CodeMends(times_set=True)


def test_a_dialogue_that_tells_nothing_is_sent_back_with_what_could_be_told() -> None:
    def talk(draft: DialogueDraft) -> DialogueDraft:
        lines = [
            one.model_copy(update={"text": f"I see {'well ' * number}and am glad of it."})
            for number, one in enumerate(draft.conversation_lines)
        ]
        return draft.model_copy(update={"conversation_lines": lines})

    asked = Asked([talk])
    asked.dialogue()
    assert "- facts: the turns state fewer than 3 facts of the stay; untold are:" in asked.answer(1)
