"""Which accepted question an unanswerable one copies, and what it asks about instead."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tasks.contracts.questions import AdmissionQuestionsInput, Question, QuestionType
from tasks.qa.absence import AbsentTargets
from tasks.qa.candidates import Candidate
from tasks.qa.generated.counterparts import counterpart
from tasks.qa.generated.free_questions import question_id
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.replies import Swap
from tasks.qa.lexicon import read_frequencies
from tasks.qa.single import single_candidates
from tasks.qa.stays import PatientStays, Stay
from tasks.terminology.normalization import normalize_question, says

_MOST_DRAWS = 8
"""Absent targets tried for one host: in its words a drawn one may be told of after all."""


@dataclass(frozen=True)
class Counterpart:
    """An unanswerable question in the words of code, and what it was made of."""

    host: Question
    swaps: tuple[Swap, ...]
    question: Question


def single_counterpart(
    given: AdmissionQuestionsInput,
    patient: PatientStays,
    stay: Stay,
    hosts: Sequence[Question],
    judge: QuestionJudge,
) -> Counterpart | None:
    """A copy of one of the hosts about a target that the stay surely lacks, drawn by frequency.

    Null where no host names a target that any family of forms knows.
    """
    rng = random.Random(f"{patient.subject_id}:{stay.hadm_id}:counterpart")
    absent = AbsentTargets(patient, read_frequencies(given.lexicon), rng, stay)
    shuffled = list(hosts)
    rng.shuffle(shuffled)
    qa_id = question_id(given, QuestionType.ADVERSARIAL)
    for common in (False, True):
        for host in shuffled:
            for swap in _swaps(_named_by(host, patient, stay), absent, common=common):
                question = counterpart(host, (swap,))
                if question is None or normalize_question(question.question) in given.refused:
                    continue
                named = question.model_copy(update={"qa_id": qa_id})
                if not judge.faults(named):
                    return Counterpart(host.model_copy(update={"qa_id": qa_id}), (swap,), named)
    return None


def _named_by(host: Question, patient: PatientStays, stay: Stay) -> list[Candidate]:
    """Candidates with a target that the question names, as their only one; the likeliest first."""
    cited = set(host.evidence.turn_ids or ())
    found = [
        replace(candidate, targets=(name,))
        for candidates in single_candidates(patient, stay).values()
        for candidate in candidates
        for name in candidate.targets
        if says(host.question, candidate.slots[name])
    ]
    found.sort(
        key=lambda one: (
            one.answer.casefold() != host.answer.casefold(),
            cited.isdisjoint(cite.turn for cite in one.cites),
            -len(one.slots[one.targets[0]]),
        )
    )
    return found[:1]


def _swaps(
    candidates: Sequence[Candidate], absent: AbsentTargets, *, common: bool
) -> Iterator[Swap]:
    for candidate in candidates:
        name = candidate.targets[0]
        for _ in range(_MOST_DRAWS):
            copy = absent.copy(candidate, common=common)
            if copy is None:
                break
            yield Swap(old=candidate.slots[name], new=copy.slots[name])
