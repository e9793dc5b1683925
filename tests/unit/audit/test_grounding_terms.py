from collections.abc import Iterator

import pytest

from tasks.audit.grounding.terms import build_terms, longest, title_words
from tasks.audit.grounding.text import sentence_of
from tasks.contracts.records import AdmissionBundle
from tests.unit.audit.grounding_stay import chart, unsupported

TERMS = build_terms([chart()])


def named(text: str) -> list[tuple[str, str]]:
    sentence = sentence_of(text)
    return [
        (one.term.kind, " ".join(sentence.tokens[one.start : one.end]))
        for one in longest(TERMS.mentions(sentence))
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Lasix and furosemide", [("drug", "Lasix"), ("drug", "furosemide")]),
        ("type 2 diabetes mellitus", [("diagnosis", "type 2 diabetes mellitus")]),
        ("E. coli", [("organism", "E . coli")]),
        ("anaemia", [("diagnosis", "anaemia")]),
        ("insulin glargine", [("drug", "insulin glargine")]),
        ("a PE, or a Pe", [("diagnosis", "PE")]),
        ("tell us", []),
        ("vomiting, blood in it", [("finding", "vomiting")]),
        ("the chest x-ray", [("procedure", "chest x - ray")]),
        ("Drainage of Right Pleural Cavity", [("procedure", "Drainage of Right Pleural Cavity")]),
    ],
)
def test_names_are_found_by_their_longest_spelling(text: str, found: list[tuple[str, str]]):
    assert named(text) == found


def test_titles_are_known_as_written_and_without_empty_words():
    assert title_words("Atrial fibrillation, unspecified") == [
        ("atrial", "fibrillation", "unspecified"),
        ("atrial", "fibrillation"),
    ]
    assert title_words("Human immunodeficiency virus [HIV] disease")[1] == (
        "human",
        "immunodeficiency",
        "virus",
        "disease",
    )
    assert title_words("Fall") == []
    assert title_words("Other") == []


def test_a_name_of_another_stays_row_is_no_word_of_this_one():
    other = chart().model_copy(
        update={
            "diagnoses": (
                chart()
                .diagnoses[0]
                .model_copy(update={"long_title": "Wobbling knee syndrome, unspecified"}),
            ),
            "microbiology": (
                chart().microbiology[0].model_copy(update={"org_name": "ZORKELLA BLENDII"}),
            ),
        }
    )
    terms = build_terms([chart(), other])
    sentence = sentence_of("wobbling knee syndrome with Zorkella blendii")
    assert [one.term.kind for one in longest(terms.mentions(sentence))] == [
        "diagnosis",
        "organism",
    ]


def test_medicines_and_diagnoses_of_the_notes_lists_are_names():
    note = (
        chart()
        .discharge_notes[0]
        .model_copy(
            update={
                "text": "Past Medical History:\n- Wobbling knee syndrome\n\n"
                "Medications on Admission:\n1. Zorkamab 40 mg PO DAILY\n2. Outpatient lab work\n"
            }
        )
    )
    terms = build_terms([chart().model_copy(update={"discharge_notes": (note,)})])
    sentence = sentence_of("zorkamab for wobbling knee syndrome, with outpatient lab work")
    assert [one.term.kind for one in longest(terms.mentions(sentence))] == ["drug", "diagnosis"]


def test_bundles_are_read_one_at_a_time():
    held: list[int] = []

    def stream() -> Iterator[AdmissionBundle]:
        for number in range(3):
            held.append(number)
            yield chart()

    build_terms(stream())
    assert held == [0, 1, 2]


def test_tests_results_are_no_organisms():
    row = chart().microbiology[0].model_copy(update={"org_name": "POSITIVE FOR ZORKELLA"})
    terms = build_terms([chart().model_copy(update={"microbiology": (row,)})])
    assert terms.mentions(sentence_of("positive for zorkella")) == []


@pytest.mark.parametrize(
    "text",
    [
        "You take Lasix, Lantus, Lipitor and Flomax.",
        "You have CHF, CAD, COPD and CKD.",
        "You have congestive heart failure, coronary artery disease and high cholesterol.",
        "An echo, a CXR and an ECG were made.",
        "Escherichia coli grew.",
    ],
)
def test_other_spellings_of_the_records_names_are_borne_out(text: str):
    assert unsupported(text) == []
