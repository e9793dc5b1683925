from tasks.contracts.errors import ModelFailed
from tasks.contracts.preconsultation import Diagnosis
from tasks.preconsultation.diagnosing import NOT_CLEAN, diagnose
from tests.factories.dictated import DictatedModel, Said, dictated
from tests.factories.profiles import GUIDELINES, interview

ASK = ("Question: Cough?\nOptions: yes, no", "at night only")
HELD = interview(ASK, ("Question: Since when?\nOptions: today, long", "long"))


def diseases(*names: str) -> Said:
    return {"diseases": list(names)}


def right(*verdicts: bool) -> Said:
    return {"right": list(verdicts)}


def diagnosed(diagnostician: DictatedModel, evaluator: DictatedModel, turns: int = 2) -> Diagnosis:
    return diagnose(HELD, "en", turns, GUIDELINES, diagnostician, evaluator)


def test_diagnoses_are_ranked_and_each_is_judged():
    found = diagnosed(dictated(diseases("COPD", "Asthma", "COPD")), dictated(right(False, True)))
    assert (found.diseases, found.right) == (("COPD", "Asthma"), (False, True))


def test_five_diagnoses_count_and_each_once():
    named = diseases("Flu", "flu ", "Cold", "COPD", "Gout", "Cough", "Asthma")
    found = diagnosed(dictated(named), dictated(right(*[False] * 5)))
    assert found.diseases == ("Flu", "Cold", "COPD", "Gout", "Cough")
    assert not any(found.right)


def test_the_diagnostician_sees_the_first_turns_and_no_guideline():
    model = dictated(diseases("Asthma"))
    diagnosed(model, dictated(right(True)), turns=1)
    told = model.requests[0].system_message + model.requests[0].task_message
    assert "at night only" in told
    assert "Since when?" not in told
    assert "Wheezing" not in told
    assert "Asthma" not in told


def test_no_diagnosis_is_a_wrong_one():
    found = diagnosed(dictated(diseases("", " ")), dictated())
    assert found == Diagnosis(pid="1")


def test_a_dialogue_that_is_not_clean_is_not_diagnosed():
    model = dictated()
    assert diagnosed(model, dictated(), turns=3).failed == NOT_CLEAN
    assert not model.requests


def test_failures_are_missing():
    refused = dictated(ModelFailed("no", "refused"))
    assert diagnosed(refused, dictated()).failed == "not answered: refused"
    short = diagnosed(dictated(diseases("a", "b")), dictated(right(True)))
    assert (short.right, short.failed) == ((), "not one verdict for each diagnosis")
