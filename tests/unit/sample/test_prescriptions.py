from __future__ import annotations

from random import Random

from tasks.sample.entries import DrugChange
from tasks.sample.lookup import load_catalogue
from tasks.sample.prescriptions import (
    Change,
    Constraints,
    Prescription,
    Regimen,
    apply_change,
    change_sentence,
    plan_change,
    resumed,
)
from tasks.sample.problems import Problem

CATALOGUE = load_catalogue()
FREE = Constraints(frozenset(), frozenset(), frozenset())
FUROSEMIDE = CATALOGUE.drugs["furosemide"]
HEART_FAILURE = Problem(
    "hf_systolic_acute",
    "acute on chronic systolic heart failure",
    "acute",
    CATALOGUE.conditions["hf_systolic_acute"],
)


def _taking(*keys: str) -> Regimen:
    drugs = [CATALOGUE.drugs[key] for key in keys]
    return Regimen(tuple(Prescription(drug, drug.start) for drug in drugs))


def _plan(action: str, drug: str, regimen: Regimen, limits: Constraints = FREE) -> Change | None:
    entry = DrugChange(drug=drug, action=action, because="persistent volume overload")
    return plan_change(entry, HEART_FAILURE, regimen, CATALOGUE, limits, Random("a"))


def test_an_increase_takes_the_next_dose_and_keeps_the_place() -> None:
    regimen = _taking("furosemide", "aspirin")
    change = _plan("increase", "furosemide", regimen)
    assert change is not None
    after = apply_change(regimen, change)
    assert [(p.drug.key, p.dose) for p in after.taken] == [
        ("furosemide", "60 mg"),
        ("aspirin", "81 mg"),
    ]
    assert "from 40 mg to 60 mg because of persistent volume overload" in change_sentence(
        change, CATALOGUE, Random("a")
    )


def test_the_strongest_dose_is_not_increased() -> None:
    regimen = Regimen((Prescription(FUROSEMIDE, len(FUROSEMIDE.doses) - 1),))
    assert _plan("increase", "furosemide", regimen) is None


def test_a_drug_that_is_not_taken_is_neither_stopped_nor_held() -> None:
    assert _plan("stop", "furosemide", Regimen()) is None
    assert _plan("hold", "furosemide", Regimen()) is None


def test_two_drugs_of_one_group_are_not_taken_together() -> None:
    assert _plan("start", "apixaban", _taking("warfarin")) is None
    assert _plan("start", "apixaban", Regimen()) is not None


def test_allergy_condition_and_resistance_rule_a_drug_out() -> None:
    allergic = Constraints(frozenset({"quinolones"}), frozenset(), frozenset())
    on_dialysis = Constraints(frozenset(), frozenset({"esrd"}), frozenset())
    resisted = Constraints(frozenset(), frozenset(), frozenset({"ciprofloxacin"}))
    assert _plan("course", "ciprofloxacin", Regimen(), allergic) is None
    assert _plan("start", "metformin", Regimen(), on_dialysis) is None
    assert _plan("course", "ciprofloxacin", Regimen(), resisted) is None
    assert _plan("course", "ciprofloxacin", Regimen()) is not None


def test_a_replacement_takes_the_old_drugs_place() -> None:
    regimen = _taking("furosemide", "aspirin")
    change = _plan("replace:furosemide", "torsemide", regimen)
    assert change is not None
    assert [p.drug.key for p in apply_change(regimen, change).taken] == ["torsemide", "aspirin"]
    sentence = change_sentence(change, CATALOGUE, Random("a"))
    assert sentence == (
        "Furosemide was changed to torsemide 20 mg because of persistent volume overload."
    )


def test_a_held_drug_is_off_the_list_and_can_come_back() -> None:
    regimen = _taking("lisinopril")
    taken = regimen.taken[0]
    held = Change("hold", taken.drug, taken, None, "acute kidney injury", "aki")
    after = apply_change(regimen, held)
    assert (after.taken, after.held) == ((), (taken,))
    back = next(r for seed in "abcdef" if (r := resumed(after, frozenset(), Random(seed))))
    assert apply_change(after, back[0]) == regimen


def test_a_held_drug_stays_away_while_its_problem_lasts() -> None:
    taken = _taking("lisinopril").taken[0]
    regimen = Regimen((), (taken,))
    assert all(not resumed(regimen, frozenset({"aki"}), Random(seed)) for seed in "abcdef")


def test_finished_courses_leave_the_list() -> None:
    regimen = _taking("cefpodoxime", "aspirin")
    assert [p.drug.key for p in regimen.without_courses().taken] == ["aspirin"]


def test_a_drug_in_prose_has_no_list_marks() -> None:
    assert CATALOGUE.drugs["metoprolol_succinate"].said == "metoprolol succinate"
    assert CATALOGUE.drugs["metformin"].said == "metformin"
    assert CATALOGUE.drugs["nitroglycerin"].said == "nitroglycerin"
