from tasks.adapters.resources import read_prompt
from tasks.contracts.dialogue import DialogueInput
from tasks.contracts.records import AdmissionBundle
from tasks.dialogue.messages import render_messages
from tests.factories.records import HADM, SUBJECT, fact, patient, record, rich_bundle, summary


def messages(admission: AdmissionBundle, died: bool = False) -> tuple[str, str]:
    given = record(admission, patient(age_years=91, died_in_hospital=died), [fact()])
    return render_messages(DialogueInput(record=given, minimum_turns=50, maximum_turns=70))


def test_no_identifier_enters_the_messages() -> None:
    text = "\n".join(messages(rich_bundle()))
    assert SUBJECT not in text
    assert HADM not in text
    assert "note_id" not in text
    assert "subject_id" not in text


def test_messages_hold_the_notes_the_facts_and_the_bounds() -> None:
    _, task = messages(rich_bundle())
    assert "Furosemide was increased to 80 mg twice daily" in task
    assert '"fact_id": "home_medication:1"' in task
    assert "between 50 and 70 turns" in task
    assert "woman, age over 89" in task
    assert "$" not in task


def test_previous_stay_is_asked_for_only_where_there_is_one() -> None:
    assert "refers to at least one of its `problems`" in messages(rich_bundle(summary()))[1]
    assert "This is the first stay" in messages(rich_bundle())[1]


def test_ending_of_a_patient_who_died_is_no_discharge() -> None:
    assert "there is no discharge" in " ".join(messages(rich_bundle(), died=True)[1].split())


def test_repair_prompt_takes_reply_and_violations() -> None:
    prompt = read_prompt("dialogue", "repair.md")
    assert "$reply" in prompt
    assert "$violations" in prompt
