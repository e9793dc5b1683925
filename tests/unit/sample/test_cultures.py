from __future__ import annotations

from dataclasses import replace
from random import Random

from tasks.adapters.mimic_hosp import HospMicrobiology
from tasks.sample.cultures import (
    culture_sentences,
    find_cultures,
    print_culture,
    unfit_drugs,
)
from tasks.sample.lookup import load_catalogue
from tests.unit.sample.stays import culture_row, make_stay

CATALOGUE = load_catalogue()
E_COLI = (
    culture_row(org="ESCHERICHIA COLI", ab="CEFTRIAXONE", letter="S"),
    culture_row(org="ESCHERICHIA COLI", ab="CIPROFLOXACIN", letter="R"),
)


def _sentences(rows: tuple[HospMicrobiology, ...], *classes: str) -> list[str]:
    stay = make_stay(microbiology=rows)
    cultures = find_cultures(stay, CATALOGUE)
    return culture_sentences(cultures, stay, CATALOGUE, frozenset(classes), Random("a"))


def test_growth_is_told_with_its_susceptibilities_and_its_treatment() -> None:
    assert _sentences(E_COLI) == [
        "Urine culture on hospital day 1 grew Escherichia coli, sensitive to ceftriaxone and "
        "resistant to ciprofloxacin.",
        "Antibiotics were changed to ceftriaxone because the Escherichia coli was sensitive to it.",
    ]


def test_an_allergy_forbids_the_treatment() -> None:
    assert len(_sentences(E_COLI, "cephalosporins")) == 1


def test_strains_that_disagree_are_told_by_neither_letter() -> None:
    rows = (*E_COLI, culture_row(org="ESCHERICHIA COLI", ab="CEFTRIAXONE", letter="R"))
    assert "ceftriaxone" not in " ".join(_sentences(rows))


def test_no_growth_is_said_as_such() -> None:
    sentences = _sentences((culture_row(comments="NO GROWTH.  "),))
    assert sentences == ["Urine culture on hospital day 1 showed no growth."]


def test_a_comment_without_its_text_is_no_result() -> None:
    assert _sentences((culture_row(comments="___"),)) == []
    assert _sentences((culture_row(org="CANCELLED"),)) == []


def test_resistance_reaches_the_oral_drugs_it_predicts() -> None:
    cultures = find_cultures(make_stay(microbiology=E_COLI), CATALOGUE)
    assert unfit_drugs(cultures, CATALOGUE) == {"ciprofloxacin", "levofloxacin"}


def test_a_results_block_has_specimen_test_organism_and_letters() -> None:
    cultures = find_cultures(make_stay(microbiology=E_COLI), CATALOGUE)
    assert print_culture(cultures[0]) == [
        "___ 11:00 am URINE",
        " ",
        "   URINE CULTURE (Final ___): ",
        "      ESCHERICHIA COLI.",
        "         CEFTRIAXONE------------- S",
        "         CIPROFLOXACIN----------- R",
    ]


def test_a_date_without_a_time_counts_as_noon() -> None:
    row = culture_row(comments="NO GROWTH.")
    untimed = HospMicrobiology(
        row.chartdate, None, row.spec_type_desc, row.test_name, "", "", "", row.comments
    )
    assert find_cultures(make_stay(microbiology=(untimed,)), CATALOGUE)[0].taken.hour == 12


def test_an_organism_in_the_blood_is_not_treated_with_a_drug_of_the_bladder() -> None:
    urine = culture_row(org="ESCHERICHIA COLI", ab="NITROFURANTOIN", letter="S")
    blood = replace(urine, spec_type_desc="BLOOD CULTURE", test_name="Blood Culture, Routine")
    assert "changed to nitrofurantoin" in " ".join(_sentences((urine,)))
    assert "changed to nitrofurantoin" not in " ".join(_sentences((urine, blood)))
    cultures = find_cultures(make_stay(microbiology=(urine, blood)), CATALOGUE)
    assert unfit_drugs(cultures, CATALOGUE) == {"nitrofurantoin"}
