from __future__ import annotations

from tasks.adapters.mimic_hosp import HospDiagnosis
from tasks.sample.lookup import load_catalogue
from tasks.sample.problems import Problem, find_problems
from tasks.sample.streams import Stream
from tests.unit.sample.stays import make_stay

CATALOGUE = load_catalogue()


def _problems(*diagnoses: tuple[str, int, str], titles: tuple[str, ...] = ()) -> list[Problem]:
    stay = make_stay(*diagnoses)
    return list(find_problems(stay.diagnoses, titles, CATALOGUE, Stream("test")))


def _key(code: str, version: int, title: str) -> str:
    found = _problems((code, version, title))
    return found[0].key if found else ""


def test_a_known_code_is_its_condition() -> None:
    assert _problems(("I10", 10, "Essential (primary) hypertension"))[0].name == "hypertension"


def test_a_padded_code_is_still_known() -> None:
    row = HospDiagnosis(1, "I10    ", 10, "Essential (primary) hypertension")
    assert find_problems((row,), (), CATALOGUE, Stream("t"))[0].key == "hypertension"


def test_keywords_find_the_condition_of_a_related_title() -> None:
    assert _key("03842", 9, "Septicemia due to escherichia coli [E. coli]") == "sepsis"
    assert _key("5845", 9, "Acute kidney failure with lesion of tubular necrosis") == "aki"
    assert _key("99731", 9, "Ventilator associated pneumonia") == "pneumonia"
    assert _key("E11621", 10, "Type 2 diabetes mellitus with foot ulcer") == "foot_ulcer"


def test_a_title_outside_the_catalogue_keeps_its_own_name() -> None:
    problem = _problems(("5723", 9, "Portal hypertension"))[0]
    assert (problem.name, problem.condition) == ("portal hypertension", None)


def test_a_related_title_keeps_its_own_name() -> None:
    problem = _problems(("5845", 9, "Acute kidney failure with lesion of tubular necrosis"))[0]
    assert problem.name == "acute kidney failure with lesion of tubular necrosis"


def test_history_is_never_an_acute_problem() -> None:
    problem = _problems(("Z8701", 10, "Personal history of pneumonia (recurrent)"))[0]
    assert (problem.kind, problem.condition) == ("history", None)
    assert problem.name == "history of pneumonia"


def test_causes_and_places_are_left_out() -> None:
    assert _problems(("E8497", 9, "Accidents occurring in residential institution")) == []
    assert _problems(("9999X", 10, "")) == []


def test_a_shared_code_is_acute_only_when_it_leads() -> None:
    fibrillation = ("42731", 9, "Atrial fibrillation")
    asthma = ("49390", 9, "Asthma, unspecified type, unspecified")
    assert [p.key for p in _problems(fibrillation, asthma)] == ["afib_rvr", "asthma"]
    assert [p.key for p in _problems(asthma, fibrillation)] == ["asthma_exacerbation", "afib"]


def test_a_lasting_disease_that_leads_a_stay_is_told_as_its_acute_form() -> None:
    copd = ("J449", 10, "Chronic obstructive pulmonary disease, unspecified")
    pain = ("G8929", 10, "Other chronic pain")
    assert [(p.key, p.name) for p in _problems(copd)] == [
        ("copd_exacerbation", "chronic obstructive pulmonary disease")
    ]
    assert [p.key for p in _problems(pain, copd)] == ["chronic_pain", "copd"]


def test_a_disease_of_planned_admissions_only_lasts_beside_another() -> None:
    stenosis = ("I350", 10, "Nonrheumatic aortic (valve) stenosis")
    pneumonia = ("J189", 10, "Pneumonia, unspecified organism")
    assert [p.kind for p in _problems(stenosis)] == ["acute"]
    assert [p.kind for p in _problems(pneumonia, stenosis)] == ["acute", "chronic"]


def test_the_record_decides_the_side() -> None:
    right = ("J90", 10, "Pleural effusion, not elsewhere classified")
    drained = ("Drainage of Left Pleural Cavity, Percutaneous Approach",)
    assert dict(_problems(right, titles=drained)[0].values) == {"side": "left"}
    assert _problems(right, titles=drained)[0].name == "left pleural effusion"
