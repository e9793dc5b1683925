"""Can adversarial questions, or the answers of the others, be told from the wording alone?"""

from __future__ import annotations

from collections.abc import Sequence

from tasks.audit.shares import share_of
from tasks.audit.texts.masking import Vocabulary, mask_dates, without_opening
from tasks.audit.texts.wording_guesses import Asked, guesses, stays_between
from tasks.audit.texts.wording_rows import Row
from tasks.audit.texts.wording_separability import separability
from tasks.audit.texts.wording_tables import first_words, lengths, telling_terms
from tasks.contracts.audit import AuditPatient, AuditWording, ShareOf
from tasks.terminology.normalization import normalize_question


class WordingAudit:
    """Takes a release patient by patient; the order of patients and questions doesn't matter."""

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self._vocabulary = vocabulary or Vocabulary()
        self._rows: list[Row] = []

    def add(self, patient: AuditPatient) -> None:
        """Take a patient's questions."""
        self._vocabulary.add(patient)
        starts = [session.admission_start.date() for session in patient.sessions]
        self._rows += [
            Row(
                patient.subject_id,
                one.qa_id,
                one.scope,
                one.question_type,
                one.question,
                one.answer,
                stays_between(one.question, starts),
            )
            for one in patient.questions
        ]

    def figures(self) -> AuditWording:
        """The figures of all patients taken so far."""
        rows = sorted(self._rows)
        overall, scopes = separability(rows)
        return AuditWording(
            overall=overall,
            scopes=scopes,
            first_words=first_words(rows),
            lengths=lengths(rows),
            telling_terms=telling_terms(rows),
            always_abstain=_always_abstain(rows),
            guesser=_guesser(rows, self._vocabulary),
        )


def _always_abstain(rows: Sequence[Row]) -> dict[str, ShareOf]:
    adversarial = sum(row.adversarial for row in rows)
    return {
        "overall": share_of(adversarial, len(rows)),
        "adversarial": share_of(adversarial, adversarial),
        "answerable": share_of(0, len(rows) - adversarial),
    }


def _guesser(rows: Sequence[Row], vocabulary: Vocabulary) -> dict[str, ShareOf]:
    asked = [
        Asked(
            row.subject_id,
            row.question_type.value,
            mask_dates(without_opening(row.text)),
            normalize_question(row.answer),
            row.stays,
        )
        for row in rows
    ]
    return guesses(asked, vocabulary.frame())
