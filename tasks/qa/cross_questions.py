"""The 3n questions across a patient's n admissions, by rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import CrossQuestionsInput, CrossQuestionsReply, QuestionType
from tasks.qa.absence import AbsentTargets
from tasks.qa.composing import Composer, Draft
from tasks.qa.cross import cross_candidates, cross_stand_ins
from tasks.qa.drafting import Drafter
from tasks.qa.lexicon import Frequencies, read_frequencies
from tasks.qa.selection import Picker
from tasks.qa.stays import PatientStays, patient_stays

ORDER = (
    QuestionType.LONGITUDINAL_PROGRESSION,
    QuestionType.CROSS_ADMISSION_COMPARISON,
    QuestionType.FREQUENCY_PATTERN,
)


def wanted_counts(admissions: int) -> dict[QuestionType, int]:
    """Answerable questions of each type for n admissions: n, ⌈n/2⌉ and ⌊n/2⌋ (spec section 7)."""
    return dict(zip(ORDER, (admissions, (admissions + 1) // 2, admissions // 2), strict=True))


def write_cross_questions(request: CrossQuestionsInput) -> CrossQuestionsReply:
    """3n questions that each need two admissions or more (spec section 7).

    A type that the record can't supply is filled from another one, else with a question about the
    dates of the stays, and counted. Raises ItemFailed for fewer than two admissions and where
    nothing can fill the gap.
    """
    return plan_cross_questions(request).reply


@dataclass(frozen=True)
class CrossPlan:
    """A patient's cross-admission questions and, in the same order, the drafts behind them."""

    reply: CrossQuestionsReply
    drafts: tuple[Draft, ...]


def plan_cross_questions(request: CrossQuestionsInput) -> CrossPlan:
    """What ``write_cross_questions`` asks, with targets and slots."""
    patient = patient_stays(request.chart)
    if len(patient.stays) < 2:
        raise ItemFailed(
            f"patient {patient.subject_id}: {len(patient.stays)} admission has a dialogue,"
            " cross-admission questions need two"
        )
    work = _Work(patient, read_frequencies(request.lexicon), request.refused)
    drafts = tuple(work.drafts())
    stem = f"{patient.subject_id}_cross"
    reply = CrossQuestionsReply(
        qas=tuple(
            draft.numbered(patient, "cross_admission", stem, number)
            for number, draft in enumerate(drafts, start=1)
        ),
        substitutions={str(kind): work.short[kind] for kind in ORDER if work.short[kind]},
    )
    return CrossPlan(reply, drafts)


class _Work:
    """Drafts in the making, and how many each type fell short."""

    def __init__(
        self, patient: PatientStays, frequencies: Frequencies, refused: Iterable[str]
    ) -> None:
        self._patient = patient
        seed = f"{patient.subject_id}:cross:questions"
        self._rng = random.Random(seed)
        self._absent = AbsentTargets(patient, frequencies, self._rng)
        composer = Composer(seed, refused=refused)
        self._drafters = {
            kind: Drafter(patient, candidates, Picker(candidates, frequencies, self._rng), composer)
            for kind, candidates in cross_candidates(patient).items()
        }
        bare = cross_stand_ins(patient)
        self._spare = Drafter(patient, bare, Picker((), frequencies, self._rng), composer)
        self.short: Counter[QuestionType] = Counter()

    def drafts(self) -> list[Draft]:
        """All questions: answerable ones by type, then adversarial ones."""
        count = len(self._patient.stays)
        wanted = wanted_counts(count)
        copied = self._types_to_copy(wanted, count)
        answerable: list[Draft] = []
        adversarial: list[Draft] = []
        for kind in ORDER:
            drafter = self._drafters[kind]
            found = [drafter.answerable(kind) for _ in range(wanted[kind])]
            drafted = [draft for draft in found if draft is not None]
            answerable += drafted
            self.short[kind] += wanted[kind] - len(drafted)
            hosts = [draft.candidate for draft in drafted]
            self._rng.shuffle(hosts)
            copies = [drafter.adversarial(self._absent, hosts) for _ in range(copied[kind])]
            adversarial += [draft for draft in copies if draft is not None]
        answerable += [self._substitute(kind) for kind in ORDER for _ in range(self.short[kind])]
        answerable.sort(key=lambda draft: ORDER.index(draft.question_type))
        while len(adversarial) < count:
            filler = any(draft.candidate.filler for draft in answerable)
            adversarial.append(self._any_adversarial(filler=filler))
        return answerable + adversarial

    def _types_to_copy(self, wanted: dict[QuestionType, int], count: int) -> Counter[QuestionType]:
        """Types of the adversarial questions, drawn as often as answerable ones have them."""
        pool = [kind for kind in ORDER for _ in range(wanted[kind])]
        self._rng.shuffle(pool)
        return Counter(pool[:count])

    def _substitute(self, short: QuestionType) -> Draft:
        """A question of another type; where no type has one left, one about dates of stays."""
        for filler in (False, True):
            for kind in (short, *ORDER):
                draft = self._drafters[kind].answerable(kind, filler=filler)
                if draft is not None:
                    return draft
        raise self._failed("answerable")

    def _any_adversarial(self, *, filler: bool) -> Draft:
        for kind in ORDER:
            draft = self._drafters[kind].adversarial(self._absent, filler=filler)
            if draft is not None:
                return draft
        draft = self._spare.adversarial(self._absent)
        if draft is None:
            raise self._failed("adversarial")
        return draft

    def _failed(self, missing: str) -> ItemFailed:
        return ItemFailed(
            f"patient {self._patient.subject_id}: the dialogues supply too few {missing} questions"
            f" across {len(self._patient.stays)} admissions"
        )
