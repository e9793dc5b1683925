"""Says in which file of a release, and where in it, a gate's failing row lies."""

from __future__ import annotations

from dataclasses import dataclass, field

from tasks.contracts.build import ExpectationResult
from tasks.contracts.release import MANIFEST, PatientQuestions, PatientSessions

_ADMISSION_FILES = {
    "bundles": "formed_packet.json",
    "dialogues_turns": "conversation.json",
    "dialogues_conversations": "conversation.json",
    "dialogues_evidence": "evidence.json",
    "questions_admissions": "qa.json",
}
_PATIENT_FILES = {
    "timelines_patients": "patient_summary.json",
    "questions_patients": "cross_admission_qa.json",
}
_COLUMN_FILES = {
    "differs_from_reply": "prompt_record.json",
    "request_differs": "prompt_record.json",
    "previous_summary_differs": "formed_packet.json",
    "summary_times_differ": "summary.json",
    "summary_paragraphs": "summary.json",
    "problems": "summary.json",
    "untraced_facts": "evidence.json",
    "empty_problems": "summary.json",
    "summary_wording_faults": "summary.json",
    "sessions": "combined_conversation.json",
    "foreign_subject": "combined_conversation.json",
    "dialogues_missing": "combined_conversation.json",
    "repeated_sessions": "combined_conversation.json",
    "benchmark_differs": "benchmark_qa.json",
    "benchmark_out_of_order": "benchmark_qa.json",
}
"""Columns that are about another file than their table's first one."""


@dataclass
class Places:
    """Where the admissions and questions of a release are filed."""

    subjects: dict[str, str] = field(default_factory=dict[str, str])
    questions: dict[str, str] = field(default_factory=dict[str, str])

    def add_sessions(self, sessions: PatientSessions) -> None:
        """Remember whose admissions a patient's are, the timeline's included."""
        subject_id = sessions.timeline.subject_id
        for session in sessions.timeline.admissions:
            self.subjects[session.hadm_id] = subject_id
        for dialogue in sessions.dialogues:
            self.subjects[dialogue.bundle.hadm_id] = dialogue.bundle.subject_id

    def add_questions(self, questions: PatientQuestions) -> None:
        """Remember which file a question is in."""
        base = questions.subject_id
        for hadm_id, asked in questions.admissions.items():
            self.questions.update({item.qa_id: f"{base}/{hadm_id}/qa.json" for item in asked.qas})
        for item in questions.cross.qas:
            self.questions[item.qa_id] = f"{base}/cross_admission_qa.json"

    def locate(self, result: ExpectationResult, row_id: str) -> tuple[str, str]:
        """File below the release folder and place in it, of a row that broke an expectation."""
        if result.table == "release_files":
            return row_id, ""
        if result.table == "release_counts":
            return MANIFEST, f"counts.{row_id}"
        if result.table == "source":
            return MANIFEST, f"inputs.{row_id}"
        if result.table == "questions_items":
            return self.questions.get(row_id, ""), row_id
        hadm_id, _, position = row_id.partition("#")
        subject_id = self.subjects.get(hadm_id, hadm_id)
        if result.table == "timelines_sessions":
            return f"{subject_id}/combined_conversation.json", f"admission {hadm_id}"
        if result.table in _PATIENT_FILES:
            name = _COLUMN_FILES.get(result.column, _PATIENT_FILES[result.table])
            return f"{row_id}/{name}", ""
        name = _COLUMN_FILES.get(result.column, _ADMISSION_FILES[result.table])
        return f"{subject_id}/{hadm_id}/{name}", f"turn {position}" if position else ""
