import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.audit.grounding.terms import build_terms
from tasks.audit.grounding.turns import audit_turns
from tests.unit.audit.grounding_stay import audited, chart, session, terms, unsupported

CASES = json.loads((Path(__file__).parent / "grounding_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("time", "text"), CASES["told_well"])
def test_what_a_fluent_speaker_tells_of_the_record_is_borne_out(time: str, text: str):
    assert unsupported(text, time=time) == []


@pytest.mark.parametrize("text", CASES["small_talk"])
def test_small_talk_questions_and_warnings_raise_no_alarm(text: str):
    assert unsupported(text) == []


@pytest.mark.parametrize(("kind", "text"), CASES["told_wrong"])
def test_what_the_record_lacks_is_found(kind: str, text: str):
    assert kind in [found for found, _ in unsupported(text, time="2155-04-18 10:00:00")]


def test_claims_are_counted_by_kind():
    turn = audited("You denied palpitations, and Lasix 80 mg was given on 2155-04-10.")
    assert turn.claims == {"date": 1, "drug": 1, "negation": 1, "number": 1}
    assert turn.unsupported == ()
    assert (turn.hadm_id, turn.turn_number) == ("88654321", 1)


def test_the_words_of_an_unsupported_claim_are_the_turns_own():
    text = "On 2155-04-10 at first, Your Creatinine was 7.6, and we gave APIXABAN."
    assert unsupported(text) == [("drug", "APIXABAN"), ("number", "7.6")]


@pytest.mark.parametrize("number", ["67", "93", "77123456", "88654321", "5023"])
def test_numbers_of_ids_and_codes_bear_nothing_out(number: str):
    assert unsupported(f"The result was {number}.") == [("number", number)]


def test_the_previous_summary_bears_out_what_it_says():
    assert unsupported("You took prednisone 40 mg and azithromycin then.") == []
    assert unsupported("You took prednisone 50 mg then.") == [("number", "50 mg")]


def test_a_session_without_record_is_not_audited():
    bare = session("Anything.").model_copy(update={"bundle": None})
    assert audit_turns(bare, build_terms([])) == ()


def test_every_turn_is_reported_in_order():
    found = audit_turns(session("Good morning.", "You have gout.", "I see."), build_terms([]))
    assert [turn.turn_number for turn in found] == [1, 2, 3]
    assert [len(turn.unsupported) for turn in found] == [0, 1, 0]


def test_a_bare_bundle_can_be_audited():
    bundle = chart().model_copy(
        update={
            "previous_admission_summary": None,
            "discharge_notes": (),
            "radiology_notes": (),
            "diagnoses": (),
            "procedures": (),
            "microbiology": (),
        }
    )
    talk = session("You take aspirin 81 mg.", bundle=bundle)
    found = audit_turns(talk, build_terms([bundle, chart()]))[0]
    assert [claim.kind for claim in found.unsupported] == ["drug", "number"]


PIECES = st.sampled_from(CASES["pieces"])


@given(st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=60))
def test_any_text_can_be_audited(text: str):
    note = chart().discharge_notes[0].model_copy(update={"text": text})
    bundle = chart().model_copy(update={"discharge_notes": (note,)})
    talk = session(text or "Good morning.", bundle=bundle)
    assert len(audit_turns(talk, terms())) == 1
