"""The three questions about one admission, by rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    AdmissionQuestionsReply,
    QuestionType,
)
from tasks.qa.absence import AbsentTargets
from tasks.qa.composing import Composer, Draft
from tasks.qa.drafting import Drafter
from tasks.qa.lexicon import Frequencies, read_frequencies
from tasks.qa.selection import Picker
from tasks.qa.single import single_candidates, stand_ins
from tasks.qa.stays import PatientStays, Stay, patient_stays

_ANSWERABLE = (QuestionType.MEDICAL_REASONING, QuestionType.CARE_PLAN_RATIONALE)


def write_admission_questions(request: AdmissionQuestionsInput) -> AdmissionQuestionsReply:
    """One medical-reasoning, one care-plan and one adversarial question (spec section 7).

    A type that the stay can't supply is filled with a question about its dates and counted.
    Raises ItemFailed where the dialogue states nothing that could be asked about.
    """
    return plan_admission_questions(request).reply


@dataclass(frozen=True)
class AdmissionPlan:
    """An admission's three questions and, in the same order, the drafts behind them."""

    reply: AdmissionQuestionsReply
    drafts: tuple[Draft, ...]


def plan_admission_questions(request: AdmissionQuestionsInput) -> AdmissionPlan:
    """What ``write_admission_questions`` asks, with targets and slots."""
    patient = patient_stays(request.chart)
    stay = patient.stays[patient.position_of(request.hadm_id)]
    frequencies = read_frequencies(request.lexicon)
    taken: frozenset[str] = frozenset()
    for twin in patient.twins(stay):
        if twin.position < stay.position and twin.admission.lines:
            taken = _write(patient, twin, frequencies, taken, request.refused)[1]
    drafts, _ = _write(patient, stay, frequencies, taken, request.refused)
    filled = (draft.question_type for draft in drafts if draft.candidate.filler)
    stem = f"{patient.subject_id}_{stay.hadm_id}"
    reply = AdmissionQuestionsReply(
        qas=tuple(
            draft.numbered(patient, "single_admission", stem, number)
            for number, draft in enumerate(drafts, start=1)
        ),
        substitutions={str(kind): 1 for kind in filled if kind in _ANSWERABLE},
    )
    return AdmissionPlan(reply, drafts)


def _write(
    patient: PatientStays,
    stay: Stay,
    frequencies: Frequencies,
    taken: frozenset[str],
    refused: Sequence[str],
) -> tuple[tuple[Draft, ...], frozenset[str]]:
    seed = f"{patient.subject_id}:{stay.hadm_id}:questions"
    rng = random.Random(seed)
    candidates = single_candidates(patient, stay)
    composer = Composer(seed, stay.prefix, taken, refused)
    absent = AbsentTargets(patient, frequencies, rng, stay)
    drafters = {
        kind: Drafter(
            patient, candidates[kind], Picker(candidates[kind], frequencies, rng), composer
        )
        for kind in _ANSWERABLE
    }
    answerable = tuple(_answerable(drafters[kind], kind, stay) for kind in _ANSWERABLE)
    copied = rng.randrange(len(_ANSWERABLE))
    bare = stand_ins(answerable[0].candidate.cites)
    spare = Drafter(patient, bare, Picker((), frequencies, rng), composer)
    hosts = [answerable[copied].candidate]
    adversarial = drafters[_ANSWERABLE[copied]].adversarial(absent, hosts)
    for drafter in (*drafters.values(), spare):
        adversarial = adversarial or drafter.adversarial(absent)
    if adversarial is None:
        raise ItemFailed(f"admission {stay.hadm_id}: no target is surely absent from the record")
    return (*answerable, adversarial), composer.taken


def _answerable(drafter: Drafter, kind: QuestionType, stay: Stay) -> Draft:
    draft = drafter.answerable(kind) or drafter.answerable(kind, filler=True)
    if draft is None:
        raise ItemFailed(
            f"admission {stay.hadm_id}: the dialogue states nothing that a {kind} question"
            " could ask about"
        )
    return draft
