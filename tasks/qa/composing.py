"""From a candidate to a question: a wording that is new to the patient, and the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tasks.contracts.questions import Question, QuestionType, Scope
from tasks.qa.candidates import Candidate
from tasks.qa.forms import phrasings
from tasks.qa.normalization import normalize_question, says
from tasks.qa.stays import PatientStays


@dataclass(frozen=True)
class Draft:
    """A worded candidate that awaits its id."""

    question_type: QuestionType
    question: str
    candidate: Candidate

    def numbered(self, patient: PatientStays, scope: Scope, stem: str, number: int) -> Question:
        """The question with its id and evidence."""
        return Question(
            qa_id=f"{stem}_q{number:02d}",
            scope=scope,
            question_type=self.question_type,
            question=self.question,
            answer=self.candidate.answer,
            evidence=patient.evidence(self.candidate.cites, scope),
        )


class Composer:
    """Words candidates so that no two questions are the same and none gives its answer away."""

    def __init__(self, seed: str, prefix: str = "", taken: Iterable[str] = ()) -> None:
        self._seed = seed
        self._prefix = prefix
        self._taken = set(taken)

    @property
    def taken(self) -> frozenset[str]:
        """Normalized questions so far."""
        return frozenset(self._taken)

    def compose(self, candidate: Candidate, question_type: QuestionType) -> Draft | None:
        """The first wording that is new; None where every wording is taken or gives the answer."""
        seed = f"{self._seed}|{len(self._taken)}|{candidate.family}"
        for wording in phrasings(candidate.family, candidate.slots, seed):
            question = self._prefix + (wording if self._prefix else _capitalized(wording))
            normalized = normalize_question(question)
            if normalized in self._taken:
                continue
            if not candidate.offers and says(question, candidate.answer):
                continue
            self._taken.add(normalized)
            return Draft(question_type, question, candidate)
        return None


def _capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
