from tasks.contracts.dialogue import DialogueReply
from tasks.contracts.records import AdmissionSummary
from tasks.dialogue.leaving_out import with_sound_summary, with_sound_turns, without_turns
from tasks.dialogue.speaking import exchanges_of
from tests.factories.dialogues import line, reply
from tests.factories.records import summary


def talk(speakers: str) -> DialogueReply:
    """A turn a letter, D or P, each saying its number."""
    return reply(
        *(
            line(number, f"{number}.", number, {"D": "Doctor", "P": "Patient"}[letter])
            for number, letter in enumerate(speakers, start=1)
        )
    )


def told(paragraph: str, *problems: str) -> AdmissionSummary:
    return summary().model_copy(update={"summary_paragraph": paragraph, "problems": problems})


def wrongs(one: AdmissionSummary) -> int:
    """Every sentence and problem that holds the word, and one more where nothing is left."""
    texts = (one.summary_paragraph, *one.problems)
    return sum(text.count("wrong") for text in texts) + (not one.summary_paragraph.strip())


def test_an_exchange_goes_on_until_the_doctor_speaks_again() -> None:
    assert [len(one) for one in exchanges_of(talk("DPDDPPDP").conversation_lines)] == [2, 4, 2]
    assert [len(one) for one in exchanges_of(talk("PDP").conversation_lines)] == [1, 2]
    assert exchanges_of(()) == []


def test_a_faulty_turn_goes_with_its_exchange() -> None:
    left = without_turns(talk("DPDPDP"), frozenset({4})).conversation_lines
    assert [(one.turn_number, one.text) for one in left] == [
        (1, "1."),
        (2, "2."),
        (3, "5."),
        (4, "6."),
    ]


def test_sentences_and_problems_at_fault_are_left_out_of_a_summary() -> None:
    kept, left_out = with_sound_summary(
        told("A cough. A wrong word. He left 5.5 mg wrong. Home.", "cough", "wrong"), wrongs
    )
    assert kept.summary_paragraph == "A cough. Home."
    assert kept.problems == ("cough",)
    assert left_out == 3


def test_a_sound_summary_is_left_alone() -> None:
    sound = told("A cough. Home.", "cough")
    assert with_sound_summary(sound, wrongs) == (sound, 0)


def test_what_leaving_out_does_not_mend_stays() -> None:
    assert with_sound_summary(told("All wrong."), wrongs) == (told("All wrong."), 0)


def test_what_is_tried_can_be_written_down_also_where_a_paragraph_is_one_sentence() -> None:
    def read_again(one: AdmissionSummary) -> int:
        return wrongs(AdmissionSummary.model_validate_json(one.model_dump_json()))

    kept, left_out = with_sound_summary(told("All wrong.", "cough", "wrong"), read_again)
    assert (kept, left_out) == (told("All wrong.", "cough"), 1)


def test_a_reply_without_a_fault_is_not_judged_any_further() -> None:
    judged: list[str] = []

    def faults(one: DialogueReply) -> int:
        said = one.conversation_lines[0].text
        judged.append(said)
        return said.count("wrong")

    kept, left_out = with_sound_turns(reply(line(1, "A. A wrong B. C. D.")), frozenset({1}), faults)
    assert (kept.conversation_lines[0].text, left_out) == ("A. C. D.", 1)
    assert judged == ["A. A wrong B. C. D.", "A wrong B. C. D.", "A. C. D."]
