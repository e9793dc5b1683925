from __future__ import annotations

import re
import string

from tasks.sample.entries import Condition
from tasks.sample.lookup import load_catalogue

CATALOGUE = load_catalogue()
CONDITIONS = list(CATALOGUE.conditions.values())


def _conditions_named(condition: Condition) -> set[str]:
    return {*condition.covers, *condition.needs, *condition.excludes, *condition.leaves}


def test_every_condition_drug_study_and_culture_that_is_named_exists() -> None:
    labs = {test.name for test in CATALOGUE.labs}
    for condition in CONDITIONS:
        assert _conditions_named(condition) <= CATALOGUE.conditions.keys(), condition.key
        assert set(condition.home) <= CATALOGUE.drugs.keys(), condition.key
        assert {c.drug for c in condition.changes} <= CATALOGUE.drugs.keys(), condition.key
        assert set(condition.imaging) <= CATALOGUE.imaging.keys(), condition.key
        assert set(condition.labs) <= labs, condition.key
        assert {p.procedure for p in condition.procedures} <= CATALOGUE.procedures.keys()
        for culture in condition.cultures:
            assert culture.specimen in CATALOGUE.specimens
            assert set(culture.organisms) <= CATALOGUE.organisms.keys()


def test_a_change_is_a_known_action_on_a_known_drug() -> None:
    actions = {"start", "increase", "decrease", "stop", "hold", "course"}
    for condition in CONDITIONS:
        for change in condition.changes:
            kind, _, replaced = change.action.partition(":")
            assert kind in actions or (kind == "replace" and replaced in CATALOGUE.drugs)
            if kind == "course":
                assert CATALOGUE.drugs[change.drug].course_days is not None


def test_every_placeholder_of_a_condition_has_a_value() -> None:
    always = {"he", "He", "his", "man", "Mr"}
    for condition in CONDITIONS:
        texts = [
            *(t.text for t in condition.treatments),
            *condition.recovery,
            *condition.symptoms,
            *condition.exam.values(),
        ]
        used = {
            match["named"]
            for text in texts
            for match in string.Template.pattern.finditer(text)
            if match["named"]
        }
        assert used <= always | set(condition.variables), condition.key


def test_no_choice_of_a_text_is_one_of_several() -> None:
    texts = [text for one in CONDITIONS for text in (*one.symptoms, *one.follow_up, *one.recovery)]
    assert [text for text in texts if re.search(r"\bone(\|[^{}]*)?\} \w+s\b", text)] == []


def test_nobody_is_admitted_with_confusion() -> None:
    patients = CATALOGUE.patients
    leads = {entry.condition for one in patients.archetypes for entry in one.acute}
    beside = {entry.condition for entry in patients.secondary}
    assert {"delirium", "hepatic_encephalopathy"} & (leads | beside) == set()


def test_every_condition_has_a_code_of_either_version() -> None:
    for condition in CONDITIONS:
        assert sorted(code.version for code in condition.codes) == [9, 10], condition.key


def test_every_acute_condition_of_a_kind_of_patient_can_lead_a_stay() -> None:
    for archetype in CATALOGUE.patients.archetypes:
        for entry in archetype.acute:
            condition = CATALOGUE.conditions[entry.condition]
            assert condition.complaints and condition.symptoms and condition.treatments


def test_tested_antibiotics_are_known_and_predict_known_drugs() -> None:
    for organism in CATALOGUE.organisms.values():
        assert {t.antibiotic for t in organism.tested} <= CATALOGUE.antibiotics.keys()
    for antibiotic in CATALOGUE.antibiotics.values():
        assert set(antibiotic.predicts) <= CATALOGUE.drugs.keys()


def test_a_code_finds_its_condition_and_procedure() -> None:
    found = CATALOGUE.conditions_of_code(10, "I5023")
    assert [c.key for c in found] == ["hf_systolic_acute"]
    assert {c.key for c in CATALOGUE.conditions_of_code(10, "I4891")} == {"afib", "afib_rvr"}
    assert {c.key for c in CATALOGUE.conditions_of_code(9, "42731")} == {"afib", "afib_rvr"}
    procedure = CATALOGUE.procedure_of_code(9, "5491")
    assert procedure is not None and procedure.key == "paracentesis"
    assert CATALOGUE.conditions_of_code(9, "I5023") == ()
