import pytest

from tasks.audit.grounding.polarity import Polarity, polarity
from tasks.audit.grounding.text import sentence_of, turn_sentences
from tests.unit.audit.grounding_stay import unsupported

AFFIRMED, DENIED, OTHER = Polarity.AFFIRMED, Polarity.DENIED, Polarity.OTHER


def told(text: str, word: str) -> Polarity:
    (sentence,) = turn_sentences(text)
    place = sentence.tokens.index(word)
    return polarity(sentence, place, place + 1, exact=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You reported fever.", AFFIRMED),
        ("You denied fever.", DENIED),
        ("You denied cough, chills or fever.", DENIED),
        ("You denied cough but reported fever.", AFFIRMED),
        ("No fever.", DENIED),
        ("No, fever was there.", AFFIRMED),
        ("I don't have any fever.", DENIED),
        ("I didn't notice cough or fever.", DENIED),
        ("I can't say the same for fever.", DENIED),
        ("Cough or fever, no, not that I noticed.", DENIED),
        ("As for chills, fever or rash, no.", DENIED),
        ("Cough, chills and fever, yes.", AFFIRMED),
        ("You had a fever without chills.", AFFIRMED),
        ("You had chills without fever.", DENIED),
        ("Fever was ruled out.", DENIED),
        ("No aspirin because of fever.", AFFIRMED),
        ("Nothing like fever.", DENIED),
        ("Did you have any fever?", OTHER),
        ("Fever?", OTHER),
        ("Cough, chills or fever?", OTHER),
        ("So you had fever, is that right?", AFFIRMED),
        ("You denied fever, right?", DENIED),
        ("Call us if you have fever.", OTHER),
        ("Watch for fever.", OTHER),
        ("My father had fever.", OTHER),
        ("I'd have noticed fever.", OTHER),
        ("It can cause fever.", OTHER),
        ("This keeps you from getting fever.", OTHER),
    ],
)
def test_how_a_finding_is_spoken_of(text: str, expected: Polarity):
    word = "Fever" if text.startswith("Fever") else "fever"
    assert told(text, word) is expected


@pytest.mark.parametrize("text", ["I wouldn't have thought of fever.", "I'm not sure about fever."])
def test_what_is_thought_denies_nothing(text: str):
    assert told(text, "fever") in (Polarity.NONE, OTHER)


def test_a_title_denies_nothing_behind_it():
    sentence = sentence_of("cirrhosis without mention of alcohol and gout")
    gout = len(sentence.tokens) - 1
    names = dict.fromkeys(range(gout - 1), gout - 1)
    assert polarity(sentence, gout, gout + 1, exact=True, names=names) is AFFIRMED


def test_an_ambiguous_mention_of_the_record_counts_both_ways():
    sentence = sentence_of("I would not today here think it was fever")
    place = sentence.tokens.index("fever")
    assert polarity(sentence, place, place + 1, exact=False) in (AFFIRMED | DENIED, OTHER)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You denied palpitations, fever or cough.", []),
        ("You reported palpitations.", [("negation", "palpitations")]),
        ("You reported orthopnea.", []),
        ("You denied orthopnea.", [("negation", "orthopnea")]),
        ("You denied hallucinations.", [("negation", "hallucinations")]),
        ("You denied purple spots.", [("negation", "denied purple spots")]),
        ("You denied travel.", []),
        ("There was no pneumothorax.", []),
        ("You have a pneumothorax.", [("diagnosis", "pneumothorax")]),
        ("You don't have atrial fibrillation.", [("negation", "atrial fibrillation")]),
        ("You have pneumonia.", [("diagnosis", "pneumonia")]),
        ("You have breast cancer.", [("diagnosis", "breast cancer")]),
        ("Your mother had breast cancer.", []),
    ],
)
def test_a_denial_needs_a_denial_and_a_report_an_affirmation(
    text: str, found: list[tuple[str, str]]
):
    assert unsupported(text) == found
