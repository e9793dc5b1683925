from __future__ import annotations

from random import Random

import pytest

from tasks.sample.phrases import capitalize, join, pronouns, say, uncapitalize


def test_a_template_takes_one_choice_and_the_values() -> None:
    text = say("{Two|Two} liters were given to $his left arm.", Random("x"), pronouns("F"))
    assert text == "Two liters were given to her left arm."


def test_a_name_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        say("$side leg", Random("x"), {})


def test_lists_read_like_prose() -> None:
    assert join([]) == ""
    assert join(["fever"]) == "fever"
    assert join(["fever", "chills"], "or") == "fever or chills"
    assert join(["fever", "chills", "cough"]) == "fever, chills and cough"
    assert join(["fever", "nausea and vomiting"]) == "fever, and nausea and vomiting"


def test_abbreviations_and_names_keep_their_case() -> None:
    assert uncapitalize("COPD exacerbation") == "COPD exacerbation"
    assert uncapitalize("Crohn's disease") == "Crohn's disease"
    assert uncapitalize("Escherichia coli") == "Escherichia coli"
    assert uncapitalize("Chest pain") == "chest pain"
    assert capitalize("amLODIPine") == "AmLODIPine"
