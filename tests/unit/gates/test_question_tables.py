from __future__ import annotations

from typing import Any

import pytest

from tasks.contracts.questions import ABSTENTION, CitedTurn, Evidence, QuestionSet, QuestionType
from tasks.contracts.release import PatientQuestions
from tasks.gates.tables.questions import normalize, question_tables
from tests.factories.released_patients import patient_dialogues
from tests.factories.released_questions import patient_questions, shuffled

DIALOGUES = patient_dialogues()
ONE, OTHER = "88001001", "88001002"


def evidence(*turns: tuple[str, int], admissions: tuple[str, ...] = (ONE, OTHER), **kw: Any) -> Any:
    cited = tuple(CitedTurn(hadm_id=hadm_id, turn_number=number) for hadm_id, number in turns)
    return {"evidence": Evidence(admissions=admissions, turns=cited, **kw)}


def with_cross(place: int, update: dict[str, Any]) -> PatientQuestions:
    questions = patient_questions()
    qas = list(questions.cross.qas)
    qas[place] = qas[place].model_copy(update=update)
    return questions.model_copy(update={"cross": QuestionSet(qas=tuple(qas))})


def with_single(place: int, update: dict[str, Any]) -> PatientQuestions:
    questions = patient_questions()
    qas = list(questions.admissions[ONE].qas)
    qas[place] = qas[place].model_copy(update=update)
    admissions = {**questions.admissions, ONE: QuestionSet(qas=tuple(qas))}
    return questions.model_copy(update={"admissions": admissions})


def faults(questions: PatientQuestions) -> dict[str, Any]:
    """What differs from the sound patient's row of the same question, by column."""
    before = question_tables([(DIALOGUES, patient_questions())])["questions_items"]
    after = question_tables([(DIALOGUES, questions)])["questions_items"]
    found: dict[str, Any] = {}
    for old, new in zip(before.iter_rows(named=True), after.iter_rows(named=True), strict=True):
        found.update({name: new[name] for name in new if new[name] != old[name]})
    return found


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ({"qa_id": "99000001_cross_q04"}, {"id": "99000001_cross_q04", "id_off_pattern": True}),
        (evidence((ONE, 3), (OTHER, 99)), {
            "turns_missing": 1, "unsupported_words": 1}),
        (evidence((ONE, 3), (OTHER, 3), (OTHER, 4)), {
            "turns_cited": 3, "most_turns_an_admission": 2, "superfluous_turns": 1}),
        (evidence((OTHER, 3), (ONE, 3)), {
            "turns_out_of_order": True, "unsupported_words": 5}),
        (evidence((ONE, 3), (OTHER, 3), admissions=(OTHER, ONE)), {
            "admissions_out_of_order": True}),
        (evidence((ONE, 3), (OTHER, 3), admissions=(ONE, OTHER, OTHER)), {
            "admissions_out_of_order": True}),
        (evidence((ONE, 3), (OTHER, 3), turn_ids=(3, 3)), {"turn_ids_differ": True}),
        (evidence((ONE, 3), admissions=(ONE,)), {
            "admissions_too_few": 1, "turns_cited": 1, "unsupported_words": 1}),
        (evidence((ONE, 3), (OTHER, 3), admissions=(ONE, "88000009")), {
            "admissions_unknown": 1, "admissions_out_of_order": True, "turns_off_admissions": 2}),
        ({"answer": "one two three four five six seven eight nine ten eleven"}, {
            "answer_words": 11, "unsupported_words": 11}),
        ({"answer": ABSTENTION}, {"abstention_misplaced": True, "unsupported_words": 3}),
        ({"answer": "82 mg to 120 mg"}, {"unsupported_words": 1}),
        ({"question": "How did the dose of ___ change?"}, {"has_removed_mark": True}),
        ({"question": "What changed for 99000001?"}, {"has_identifier": True}),
        ({"question": "What does procedures_icd say?"}, {"names_source": True}),
        ({"question": "How did my dose change?"}, {"speaks_in_person": True}),
        ({"question": "How did the dose of Digoxin change between the hospitalizations "
          "that began on 2150-06-01 and 2150-09-01 ?"}, {"repeated_wording": 1}),
        ({"scope": "single_admission"}, {
            "scope": "single_admission", "scope_outside_file": True, "type_outside_scope": True}),
        ({"question_type": QuestionType.CARE_PLAN_RATIONALE}, {
            "question_type": "care_plan_rationale", "type_outside_scope": True}),
    ],
)  # fmt: skip
def test_a_cross_admission_question_shows_what_is_wrong_with_it(
    update: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert faults(with_cross(2, update)) == expected


@pytest.mark.parametrize(
    ("place", "update", "expected"),
    [
        (0, {"question": "During the hospitalization on 2150-06-02, what was the creatinine?"}, {
            "prefix_missing": True}),
        (0, {"question": "During the hospitalization from 2150-06-01 to 2150-06-01, what?"}, {
            "prefix_missing": True}),
        (0, evidence((ONE, 5), admissions=(ONE,), turn_ids=(6,)), {"turn_ids_differ": True}),
        (0, evidence((ONE, 5), admissions=(ONE,)), {"turn_ids_differ": True}),
        (0, evidence((OTHER, 5), admissions=(OTHER,), turn_ids=(5,)), {
            "admissions_unknown": 1, "unsupported_words": 1}),
        (2, {"answer": "the question is not answerable."}, {"abstention_misplaced": True}),
        (2, {"answer": "The question is not answerable"}, {"abstention_misplaced": True}),
        (2, {"answer": "volume overload"}, {"answer_words": 2, "abstention_misplaced": True}),
        (1, {"answer": "The Question is NOT answerable!"}, {
            "answer_words": 5, "abstention_misplaced": True, "unsupported_words": 3}),
    ],
)  # fmt: skip
def test_a_single_admission_question_shows_what_is_wrong_with_it(
    place: int, update: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert faults(with_single(place, update)) == expected


PREFIX = "During the hospitalization on 2150-06-01, "


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (f"{PREFIX}was warfarin increased?", True),
        (f"{PREFIX}after the scan, was warfarin increased?", True),
        (f"{PREFIX}did the patient say why warfarin was increased?", True),
        (f"{PREFIX}why was warfarin increased?", False),
        (f"{PREFIX}by how much was warfarin increased?", False),
    ],
)
def test_a_question_that_yes_or_no_answers_is_noticed(question: str, expected: bool) -> None:
    found = faults(with_single(2, {"question": question}))
    assert found.get("asks_yes_or_no", False) is expected


def test_odd_characters_of_question_and_answer_are_noticed() -> None:
    assert faults(with_single(1, {"answer": "volume\u200b overload"}))["has_odd_character"]
    asked = f"{PREFIX}why was fur\N{CYRILLIC SMALL LETTER O}semide increased?"
    assert faults(with_single(1, {"question": asked}))["has_odd_character"]


def test_a_frequency_is_a_count_of_something() -> None:
    assert faults(with_cross(5, {"answer": "monday"}))["answer_off_type"]
    assert faults(with_cross(5, {"answer": "2"}))["answer_off_type"]


def test_exchanged_types_are_noticed() -> None:
    swapped = with_single(0, {"question_type": QuestionType.CARE_PLAN_RATIONALE})
    qas = list(swapped.admissions[ONE].qas)
    qas[1] = qas[1].model_copy(update={"question_type": QuestionType.MEDICAL_REASONING})
    admissions = {**swapped.admissions, ONE: QuestionSet(qas=tuple(qas))}
    swapped = swapped.model_copy(update={"admissions": admissions})
    rows = question_tables([(DIALOGUES, swapped)])["questions_admissions"]
    assert rows["types_out_of_order"].to_list() == [True, False]
    assert not patient_row(patient_questions())["cross_types_scattered"]
    mixed = with_cross(5, {"question_type": QuestionType.ADVERSARIAL})
    assert patient_row(mixed)["cross_types_scattered"]


def test_an_admission_has_one_question_of_each_type() -> None:
    rows = question_tables([(DIALOGUES, patient_questions())])["questions_admissions"]
    assert rows.row(0) == (ONE, "99000001", 3, 1, 1, 1, False)
    odd = with_single(1, {"question_type": QuestionType.ADVERSARIAL})
    rows = question_tables([(DIALOGUES, odd)])["questions_admissions"]
    assert rows.row(0) == (ONE, "99000001", 3, 1, 0, 2, False)


def patient_row(questions: PatientQuestions) -> dict[str, Any]:
    return question_tables([(DIALOGUES, questions)])["questions_patients"].row(0, named=True)


def test_types_may_be_short_only_by_the_stated_substitutions() -> None:
    swapped = with_cross(5, {"question_type": QuestionType.LONGITUDINAL_PROGRESSION})
    assert patient_row(swapped)["cross_types_off"] == 1
    stated = swapped.model_copy(update={"substitutions": {"frequency_pattern": 1}})
    assert patient_row(stated)["cross_types_off"] == 0
    filler = patient_questions().model_copy(update={"substitutions": {"frequency_pattern": 1}})
    assert patient_row(filler)["cross_types_off"] == 0


def test_cross_admission_questions_are_three_a_session() -> None:
    questions = patient_questions()
    fewer = QuestionSet(qas=questions.cross.qas[:5])
    row = patient_row(questions.model_copy(update={"cross": fewer}))
    assert (row["cross_questions_off"], row["benchmark_differs"]) == (-1, True)


def test_the_benchmark_holds_all_questions_in_the_seeded_order() -> None:
    questions = patient_questions()
    backwards = QuestionSet(qas=questions.benchmark.qas[::-1])
    row = patient_row(questions.model_copy(update={"benchmark": backwards}))
    assert (row["benchmark_differs"], row["benchmark_out_of_order"]) == (False, True)
    other = shuffled("99000002", questions.admissions, questions.cross)
    assert patient_row(questions.model_copy(update={"benchmark": other}))["benchmark_out_of_order"]


def test_every_session_has_a_file_of_questions() -> None:
    questions = patient_questions()
    only = {ONE: questions.admissions[ONE]}
    row = patient_row(questions.model_copy(update={"admissions": only}))
    assert row["admissions_without_questions"] == 1


def test_questions_are_compared_without_case_punctuation_and_spacing() -> None:
    assert normalize("  What was the Dose, on 2150-06-01?") == "what was the dose on 2150 06 01"
