from __future__ import annotations

import pytest

from tasks.contracts.dialogue import AdmissionDialogue, SkippedAdmission, TokenUsage
from tasks.release.timeline import build_timeline, summarise_patient
from tests.factories.released_patients import patient_dialogues

FIRST, SECOND = patient_dialogues()


def with_usage(dialogue: AdmissionDialogue, given: int | None, taken: int | None):
    usage = TokenUsage(input_tokens=given, output_tokens=taken)
    record = dialogue.prompt_record.model_copy(update={"api_usage": usage})
    return dialogue.model_copy(update={"prompt_record": record})


def test_sessions_are_in_time_order_whatever_order_they_come_in() -> None:
    timeline = build_timeline([SECOND, FIRST])
    assert timeline.processed_hadm_ids == ("88001001", "88001002")
    assert [one.hadm_id for one in timeline.admissions] == ["88001001", "88001002"]
    assert timeline.admissions[0].conversation_lines == FIRST.conversation().conversation_lines


def test_sessions_that_start_together_are_ordered_by_id() -> None:
    twin = FIRST.bundle.model_copy(update={"hadm_id": "88001000"})
    timeline = build_timeline([FIRST, FIRST.model_copy(update={"bundle": twin})])
    assert timeline.processed_hadm_ids == ("88001000", "88001001")


def test_a_timeline_is_of_one_patient() -> None:
    with pytest.raises(ValueError, match="of one patient, found 2"):
        build_timeline([FIRST, *patient_dialogues("99000002")])
    with pytest.raises(ValueError, match="of one patient, found 0"):
        build_timeline([])


def test_a_patient_is_summarised_with_what_was_left_out() -> None:
    left_out = SkippedAdmission(hadm_id="88001009", reason="zero_length_stay")
    summary = summarise_patient([FIRST, SECOND], eligible_admissions=3, skipped=[left_out])
    assert summary.eligible_admissions == 3
    assert summary.processed_admissions == 2
    assert summary.skipped_admissions == (left_out,)
    stats = summary.conversation_stats
    assert (stats.total_turns, stats.mean_turns, stats.tokenizer) == (58, 29.0, "o200k_base")
    assert stats.mean_tokens == stats.total_tokens / 2


def test_token_use_is_null_where_the_provider_reports_none() -> None:
    stats = summarise_patient([FIRST, SECOND], 2, ()).llm_call_stats
    assert stats.model_dump() == {
        "mean_input_tokens": None,
        "total_input_tokens": None,
        "mean_output_tokens": None,
        "total_output_tokens": None,
    }


def test_token_use_is_summed_and_averaged_over_dialogues_that_report_it() -> None:
    dialogues = [with_usage(FIRST, 1000, 301), with_usage(SECOND, 2001, None)]
    stats = summarise_patient(dialogues, 2, ()).llm_call_stats
    assert (stats.total_input_tokens, stats.mean_input_tokens) == (3001, 1500.5)
    assert (stats.total_output_tokens, stats.mean_output_tokens) == (301, 301.0)
