from __future__ import annotations

from tasks.audit.figures import answerability_figures, grounding_figures, support_figures
from tasks.audit.report import audit_report
from tasks.contracts.audit import Claim
from tasks.contracts.audit_report import AuditSizes
from tasks.gates.suites import run_gate
from tests.factories import audits
from tests.factories.audits import (
    adversarial_audit,
    patient_audit,
    question_audit,
    share,
    turn_audit,
)


def test_claims_are_added_up_by_kind() -> None:
    wrong = (Claim(kind="drug", text="warfarin"), Claim(kind="drug", text="heparin"))
    patients = [
        patient_audit(turns=(turn_audit(1), turn_audit(2, unsupported=wrong))),
        patient_audit(subject_id="2", turns=(turn_audit(3, claims={"drug": 4}),)),
    ]
    found = grounding_figures(patients, turns=5)
    assert {line.kind: (line.claims, line.unsupported) for line in found.claims} == {
        "number": (2, 0),
        "date": (0, 0),
        "drug": (6, 2),
        "diagnosis": (0, 0),
        "procedure": (0, 0),
        "organism": (0, 0),
        "laterality": (0, 0),
        "negation": (0, 0),
    }
    assert found.turns == share(3, 5)
    assert found.unsupported_turns == share(1, 3)


def test_support_is_taken_over_answerable_questions_only() -> None:
    questions = (
        question_audit(1, cited_turns=1),
        question_audit(2, cited_turns=4, supported=False, dispensable_turns=2),
        question_audit(3, cited_turns=0, contradicting_turns=("88001001:7",)),
        question_audit(4, scope="cross_admission", question_type="frequency_pattern"),
        adversarial_audit(5, answered=("88001001:record",)),
    )
    found = support_figures([patient_audit(questions=questions)])
    assert found.overall == share(3, 4)
    assert found.mean_cited_turns == 2.3333
    single, cross = found.types
    assert (single.scope, single.question_type) == ("single_admission", "medical_reasoning")
    assert single.supported == share(2, 3)
    assert single.minimal == share(1, 2)
    assert single.mean_cited_turns == 2.5
    assert (single.contradicted, single.whole_dialogue, single.missing_turns) == (1, 0, 0)
    assert (cross.scope, cross.supported) == ("cross_admission", share(1, 1))


def test_answerability_is_taken_over_adversarial_questions_only() -> None:
    questions = (
        question_audit(1),
        adversarial_audit(2),
        adversarial_audit(3, answered=("88001001:4", "88001001:record")),
        adversarial_audit(4, scope="cross_admission"),
    )
    found = answerability_figures([patient_audit(questions=questions)])
    assert found.answered == share(1, 3)
    assert found.by_scope == {"single_admission": share(1, 2), "cross_admission": share(0, 1)}


def test_nothing_to_judge_has_no_share() -> None:
    assert support_figures([]).overall == share(0, 0)
    assert support_figures([]).mean_cited_turns is None
    assert grounding_figures([], turns=0).turns.share is None


def test_an_audit_has_failed_where_a_bound_of_one_of_its_tables_is_not_met() -> None:
    unsupported = question_audit(1, supported=False)
    patient = patient_audit(questions=(unsupported, adversarial_audit()))
    verdict = run_gate("audits", audits.tables(patient, audits.second_patient()))
    sizes = AuditSizes(sessions=1, turns={"99000001": 2}, questions=2)
    report = audit_report([patient], audits.texts(), sizes, verdict)
    assert [name for name, passed in report.passed.items() if not passed] == ["support"]
    assert (report.patients, report.sessions, report.turns, report.questions) == (1, 1, 2, 2)
