"""From a candidate to a question: a wording that is new to the patient, and the evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tasks.contracts.questions import ABSTENTION, Question, QuestionType, Scope
from tasks.qa.candidates import Candidate, was_or_were
from tasks.qa.forms import digest, forms_of
from tasks.qa.stays import PatientStays
from tasks.terminology.normalization import normalize_question, says

_STAYS = ("a", "b", "c", "ordinal")
_NAMES = ("target", "other")
_BETWEEN_NAMES = re.compile(r"\{target\}(.+?)\{other\}")


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
    """Words candidates so that no two questions are the same and none gives its answer away.

    Two questions about one target with the same answer from the same turns are the same, however
    they are worded.
    """

    def __init__(
        self,
        seed: str,
        prefix: str = "",
        taken: Iterable[str] = (),
        refused: Iterable[str] = (),
    ) -> None:
        self._seed = seed
        self._prefix = prefix
        self._taken = set(taken)
        self._refused = frozenset(refused)
        self._used: Counter[str] = Counter()
        self._asked: set[tuple[object, ...]] = set()

    @property
    def taken(self) -> frozenset[str]:
        """Normalized questions so far."""
        return frozenset(self._taken)

    def compose(self, candidate: Candidate, question_type: QuestionType) -> Draft | None:
        """The least used wording that is new; None where all are taken or give the answer away."""
        matter = _matter(candidate)
        if matter in self._asked:
            return None
        slots = {**candidate.slots, "was": was_or_were(candidate.slots.get("target", ""))}
        for form, wording in self._least_used(candidate.family):
            if _runs_together(wording, slots):
                continue
            text = wording.format_map(slots)
            question = self._prefix + (text if self._prefix else _capitalized(text))
            normalized = normalize_question(question)
            if normalized in self._refused:
                # Other words would not mend what is wrong with the matter.
                return None
            if normalized in self._taken:
                continue
            if not candidate.offers and says(question, candidate.answer):
                continue
            self._taken.add(normalized)
            self._used.update((form, wording))
            self._asked.add(matter)
            return Draft(question_type, question, candidate)
        return None

    def _least_used(self, family: str) -> Iterator[tuple[str, str]]:
        """Wordings with the name of their form: unused forms first, all wordings alike likely."""
        used = self._used
        known = [
            (f"{family}:{number}", wording)
            for number, wordings in forms_of(family)
            for wording in wordings
        ]
        known.sort(key=lambda one: (used[one[0]], used[one[1]], digest(f"{self._seed}|{one[1]}")))
        return iter(known)


def _matter(candidate: Candidate) -> tuple[object, ...]:
    """Equal for questions that come to the same; absent targets have no turns of their own."""
    labels = frozenset(candidate.labels())
    if candidate.answer == ABSTENTION:
        return (labels, *(candidate.slots.get(name, "") for name in _STAYS))
    answer = candidate.answer.replace(" versus ", " to ").casefold()
    return (labels, frozenset(candidate.cites), answer)


def _runs_together(wording: str, slots: Mapping[str, str]) -> bool:
    """Whether what stands between two names stands in one too: "A or B or C" reads in two ways."""
    found = _BETWEEN_NAMES.search(wording)
    return found is not None and any(found[1] in slots[name].casefold() for name in _NAMES)


def _capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
