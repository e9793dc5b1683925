from typing import get_args

import pytest

from tasks.terminology.normalization import words
from tasks.terminology.synonyms import spellings
from tasks.terminology.vocabulary import VocabularyName, as_written_only, vocabulary


@pytest.mark.parametrize("name", get_args(VocabularyName))
def test_a_list_holds_every_spelling_of_a_thing_once(name: VocabularyName):
    groups = vocabulary(name).groups
    assert len({group[0] for group in groups}) == len(groups)
    for group in groups:
        assert len(set(group)) == len(group)
        assert all(words(spelling) and spelling == spelling.strip() for spelling in group)


@pytest.mark.parametrize("name", get_args(VocabularyName))
def test_things_of_a_kind_and_the_kind_are_spelled_in_groups(name: VocabularyName):
    known = {spelling for group in vocabulary(name).groups for spelling in group}
    for kind, *cases in vocabulary(name).kinds:
        assert {kind, *cases} <= known


def test_medicines_and_organisms_share_no_spelling_with_diagnoses():
    diagnoses = {spelling for group in vocabulary("diagnoses").groups for spelling in group}
    for name in ("drugs", "measurements", "organisms"):
        assert diagnoses.isdisjoint(
            spelling for group in vocabulary(name).groups for spelling in group
        )


@pytest.mark.parametrize(
    ("spelling", "short"),
    [("PE", True), ("Mg", True), ("T", True), ("pe", False), ("chf", False), ("Lasix", True)],
)
def test_short_spellings_with_capitals_count_as_written(spelling: str, short: bool):
    assert as_written_only(spelling) is short


@pytest.mark.parametrize(
    ("label", "other"),
    [
        ("Lasix 40 mg", "furosemide"),
        ("furosemide", "lasix"),
        ("dofetilide", "tikosyn"),
        ("Escherichia coli", "e coli"),
        ("transient ischemic attack", "mini stroke"),
        ("paracentesis", "drainage of peritoneal cavity"),
        ("insulin glargine", "lantus"),
    ],
)
def test_spellings_know_brands_abbreviations_and_lay_words(label: str, other: str):
    assert other in spellings(label)


def test_spellings_tell_like_things_apart():
    assert "furosemide" not in spellings("torsemide")
    assert "klebsiella pneumoniae" not in spellings("escherichia coli")
    assert "US" not in spellings("ultrasound")


def test_a_kind_goes_with_its_things_but_they_not_with_one_another():
    assert "lung disease" in spellings("asthma")
    assert "asthma" in spellings("lung disease")
    assert "copd" not in spellings("asthma")
