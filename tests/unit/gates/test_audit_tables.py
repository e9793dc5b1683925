from __future__ import annotations

import pytest

from tasks.contracts.audit import Claim, ClaimKind
from tasks.contracts.questions import QuestionType
from tests.factories import audits
from tests.factories.audits import forms, patient_audit, separability, share, turn_audit

COLUMNS: dict[ClaimKind, str] = {
    "number": "unsupported_numbers",
    "date": "unsupported_dates",
    "drug": "unsupported_drugs",
    "diagnosis": "unsupported_diagnoses",
    "procedure": "unsupported_procedures",
    "organism": "unsupported_organisms",
    "laterality": "unsupported_laterality",
    "negation": "unsupported_negations",
}


@pytest.mark.parametrize(("kind", "column"), COLUMNS.items())
def test_an_unsupported_claim_is_counted_in_its_own_column(kind: ClaimKind, column: str) -> None:
    claim = Claim(kind=kind, text="something")
    table = audits.tables(patient_audit(turns=(turn_audit(4, unsupported=(claim, claim)),)))
    (row,) = table["audits_grounding"].to_dicts()
    assert row == {"id": "88001001#4", **dict.fromkeys(COLUMNS.values(), 0), column: 2}


def test_turns_without_a_record_are_counted_for_their_patient() -> None:
    found = audits.audit_tables(
        [patient_audit()],
        {"99000001": 7},
        audits.wording(),
        audits.variety(),
        audits.duplicates(),
    )
    assert found["audits_grounding_coverage"].to_dicts() == [
        {"id": "99000001", "turns_without_record": 5}
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"auroc": 0.8, "lower": 0.7}, 0.7),
        ({"auroc": 0.64, "lower": 0.55}, 0.55),
        ({"auroc": 0.9, "lower": 0.8, "patients": 19}, 0.0),
        ({"auroc": 0.64, "lower": 0.55, "patients": 30}, 0.64),
        ({"auroc": None, "lower": None, "upper": None}, 0.0),
    ],
)
def test_wording_is_judged_from_twenty_patients_and_from_thirty_by_the_figure_itself(
    given: dict[str, float], expected: float
) -> None:
    found = audits.tables(wording=audits.wording(overall=separability(**given)))
    rows = {row["id"]: row["auroc"] for row in found["audits_wording"].to_dicts()}
    assert rows == {"overall": expected, "single_admission": 0.46, "cross_admission": 0.42}


@pytest.mark.parametrize(
    ("largest", "n", "expected"), [(3, 10, 0.0), (4, 10, 0.1682), (4, 74, 0.0212), (40, 74, 0.4278)]
)
def test_a_form_may_occur_three_times_in_a_small_release(
    largest: int, n: int, expected: float
) -> None:
    asked = {QuestionType.FREQUENCY_PATTERN: forms(largest=largest, n=n)}
    found = audits.tables(variety=audits.variety(questions=asked))
    first, turns = found["audits_variety"].to_dicts()
    assert first["id"] == "frequency_pattern questions"
    assert round(first["question_form_share"], 4) == expected
    assert turns["id"] == "turns"
    assert turns["longest_copied_words"] == 14


@pytest.mark.parametrize(
    ("count", "patients", "expected"), [(3, 10, 0.0), (4, 10, 0.4), (4, 9, 0.0)]
)
def test_questions_asked_alike_of_others_are_judged_from_ten_patients_on(
    count: int, patients: int, expected: float
) -> None:
    people = [patient_audit(subject_id=f"9900000{one}") for one in range(patients)]
    alike = audits.duplicates(across_patients=share(count, 10))
    rows = audits.tables(*people, duplicates=alike)["audits_duplicates"].to_dicts()
    assert {row["id"]: row["share_across"] for row in rows}["across patients"] == expected


def test_citations_are_averaged_over_answerable_questions_that_cite_turns() -> None:
    questions = (
        audits.question_audit(1, cited_turns=5),
        audits.question_audit(2, cited_turns=2),
        audits.question_audit(3, cited_turns=0),
        audits.adversarial_audit(4, cited_turns=9),
    )
    found = audits.tables(patient_audit(questions=questions))
    assert found["audits_support_citations"].to_dicts() == [
        {"id": "release", "mean_cited_turns": 3.5}
    ]
