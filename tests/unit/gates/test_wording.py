from __future__ import annotations

import pytest

from tasks.gates.tables.wording import Identifiers, has_removed_mark, names_source
from tests.factories.records import bundle, radiology_note

IDENTIFIERS = Identifiers([bundle(hadm_id="88000001", radiology=[radiology_note()])])


@pytest.mark.parametrize(
    "text",
    [
        "see diagnoses_icd",
        "in MICROBIOLOGYEVENTS",
        "from admissions.csv",
        "the file patients.csv.gz",
        "your hadm_id",
        "MIMIC-IV says so",
        "the discharge note says so",
        "the radiology notes say so",
    ],
)
def test_a_table_file_or_kind_of_note_is_noticed(text: str) -> None:
    assert names_source(text)


@pytest.mark.parametrize(
    "text",
    [
        "At discharge you will get your medications.",
        "A migraine can mimic a stroke.",
        "We took a radiology picture.",
        "Your admission was on 2150-06-01.",
        "The patient's diagnoses were discussed.",
    ],
)
def test_plain_words_are_not_names(text: str) -> None:
    assert not names_source(text)


@pytest.mark.parametrize(
    "text", ["Patient 99000001 came", "stay 88000001.", "99000001-DS-1", "12345678-RR-9"]
)
def test_ids_are_noticed(text: str) -> None:
    assert IDENTIFIERS.within(text)


@pytest.mark.parametrize("text", ["990000012", "in room 88", "1-DS", "stay 88000002"])
def test_other_numbers_are_not_ids(text: str) -> None:
    assert not IDENTIFIERS.within(text)


def test_the_mark_of_a_removed_identifier_is_noticed() -> None:
    assert has_removed_mark("Dear ___,")
    assert not has_removed_mark("Dear __,")
