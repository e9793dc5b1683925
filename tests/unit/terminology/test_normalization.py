import pytest

from tasks.terminology.normalization import normalize_question, says, spelled_out, words


def test_case_punctuation_and_width_do_not_make_a_question_new():
    assert normalize_question("What was the  Urine-culture?") == "what was the urine culture"
    assert normalize_question("WHAT was the urine culture") == "what was the urine culture"
    assert normalize_question("what was the urine culture ?") == "what was the urine culture"


def test_dates_and_numbers_make_a_question_new():
    one = normalize_question("On 2150-06-01, what was given?")
    assert one == "on 2150 06 01 what was given"
    assert one != normalize_question("On 2150-06-02, what was given?")


def test_decimal_numbers_are_one_word():
    assert words("Dose 2.5 mg") == ("dose", "2.5", "mg")


@pytest.mark.parametrize(
    ("text", "phrase", "said"),
    [
        ("Take 40 mg daily.", "40 mg", True),
        ("Take 140 mg daily.", "40 mg", False),
        ("It was 9.1 then.", "9.1", True),
        ("It was 9.15 then.", "9.1", False),
        ("It was 19.1 then.", "9.1", False),
        ("It was 12.5 then.", "5", False),
        ("Grew  ESCHERICHIA\ncoli.", "Escherichia coli", True),
        ("The chest (portable ap) was clear.", "chest (portable ap)", True),
    ],
)
def test_phrases_are_found_as_whole_words_only(text: str, phrase: str, said: bool):
    assert says(text, phrase) is said


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("ct head w/o contrast", "ct head without contrast"),
        ("CT W/O C", "CT without C"),
        ("foot ap,lat & obl", "foot ap, lateral and oblique"),
        ("unilat lower ext veins", "unilateral lower extremity veins"),
        ("liver or gallbladder US", "liver or gallbladder ultrasound"),
        ("w/ contrast", "with contrast"),
        ("mg/ml, 1,000 units, 12/40", "mg/ml, 1,000 units, 12/40"),
        ("use of busulfan, latex", "use of busulfan, latex"),
    ],
)
def test_short_forms_are_spelled_out_and_mean_the_same(short: str, full: str):
    assert spelled_out(short) == full
    assert spelled_out(full) == full
    assert says(f"The {short} was clear.", full)
    assert says(f"The {full} was clear.", short)
