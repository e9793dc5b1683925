"""One patient's part in the estimate of an evaluation: every request, made to nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel

from flows.evaluation_systems import asks_a_model, questions_a_task
from flows.model_sessions import replies_folder, vectors_folder
from tasks.adapters.embedders import Embedder, open_embedder
from tasks.adapters.llm.embeddings import EndpointEmbedder
from tasks.adapters.llm.reply_store import KeptReplies
from tasks.adapters.llm.unsent import Unsent, UnsentSession
from tasks.adapters.llm.unsent_vectors import UnsentVectors
from tasks.adapters.llm.vector_store import KeptVectors
from tasks.adapters.models import ModelSpec, WorkItem, open_model
from tasks.adapters.programmatic import Rules
from tasks.answering.answers import answer_by_model, answer_unread, asked_of
from tasks.answering.estimating import (
    expected_answers,
    expected_store,
    stand_ins,
    unknown_answers,
)
from tasks.answering.memory_building import build_store
from tasks.answering.patients import ReadyPatient
from tasks.answering.replies import Asked
from tasks.answering.rules import RULES
from tasks.answering.systems import UNREAD, SystemSpec
from tasks.answering.timeline import TimelineText, timeline_text
from tasks.contracts.errors import ItemFailed
from tasks.contracts.evaluation import BenchmarkPatient, Prediction, PredictionSet
from tasks.contracts.memories import MemoryStore
from tasks.judging.asking import judge_predictions
from tasks.judging.judges import judge_name
from tasks.judging.request import VerdictReply

RULED = ModelSpec(provider="programmatic")
_VERDICTS: Mapping[type[BaseModel], Rules] = {VerdictReply: lambda _: VerdictReply(correct=True)}


@dataclass(frozen=True)
class Memories:
    """What a patient's memories take, and the memories: null where none can be made.

    Unless they are ``known``, stand-ins as large as memories may become.
    """

    store: MemoryStore | None
    requests: Unsent
    known: bool


@dataclass(frozen=True)
class Answers:
    """What a system's answers to a patient's questions take.

    Unless all of them are ``known``, some are stand-ins. Unless the prompts are ``shown`` as they
    will be, they are as long as they may become.
    """

    predictions: tuple[Prediction, ...]
    known: bool
    requests: Unsent = field(default_factory=Unsent)
    memories: Memories | None = None
    shown: bool = True


@dataclass
class PatientExpectations:
    """A patient whose questions are asked of nobody; ``replies`` is where earlier ones are kept.

    Each answer is judged ``repeats`` times, by nobody without a ``judge``. ``embeddings`` counts
    what an endpoint is sent for all systems together: vectors are kept.
    """

    patient: BenchmarkPatient
    replies: Path
    judge: ModelSpec | None = None
    repeats: int = 1
    embeddings: Unsent = field(default_factory=Unsent)
    _embedded: set[str] = field(default_factory=set[str])
    _fresh: dict[str, Answers] = field(default_factory=dict[str, Answers])
    _judged: dict[tuple[str, ...], Unsent] = field(default_factory=dict[tuple[str, ...], Unsent])

    def answers(self, system: SystemSpec) -> Answers:
        """What a system's answers take.

        Models without any reply of this patient are asked the same: that is counted once.
        """
        if system.model is None or not asks_a_model(system):
            return self._answered_by_rules(system)
        kept = KeptReplies(replies_folder(self.replies, system.model))
        if kept.holds_any(self.patient.subject_id):
            return self._asked(system, system.model, kept)
        found = self._fresh.get(system.strategy)
        if found is None:
            found = self._fresh[system.strategy] = self._asked(system, system.model, kept)
        return found

    def judgments(self, system: SystemSpec, answers: Answers) -> Unsent:
        """What the verdicts on a system's answers take; the same answers are counted once."""
        if self.judge is None:
            return Unsent()
        if self._has_verdicts:
            return self._judge(system, answers, self.judge)
        said = tuple(f"{one.outcome} {one.answer}" for one in answers.predictions)
        if said not in self._judged:
            self._judged[said] = self._judge(system, answers, self.judge)
        return self._judged[said]

    @cached_property
    def _timeline(self) -> TimelineText:
        return timeline_text(self.patient)

    @cached_property
    def _has_verdicts(self) -> bool:
        if self.judge is None:
            return False
        folder = replies_folder(self.replies, self.judge)
        return KeptReplies(folder).holds_any(self.patient.subject_id)

    def _answered_by_rules(self, system: SystemSpec) -> Answers:
        """Answers that cost nothing themselves.

        Reading a timeline by rules takes longer than all else here: where no verdict is kept that
        could be about its answers, stand-ins take their place.
        """
        asked = asked_of(self.patient, 0, len(self.patient.questions))
        if system.strategy in UNREAD:
            return Answers(answer_unread(self.patient, system, asked).predictions, known=True)
        if self._has_verdicts:
            return Answers(self._read_by_rules(system, asked), known=True)
        return Answers(unknown_answers(asked), known=False)

    def _read_by_rules(self, system: SystemSpec, asked: Sequence[Asked]) -> tuple[Prediction, ...]:
        subject_id = self.patient.subject_id
        model = open_model(RULED, RULES)
        embedder = open_embedder(system.embedder, subject_id) if system.embedder else None
        store = None
        if system.remembers:
            store = build_store(subject_id, system, self._timeline, model, embedder)
        ready = ReadyPatient(self._timeline, system.strategy, embedder, store)
        return answer_by_model(subject_id, system, ready, asked, model).predictions

    def _asked(self, system: SystemSpec, model: ModelSpec, kept: KeptReplies) -> Answers:
        memories = self._memories(system, model, kept) if system.remembers else None
        if memories is not None and memories.store is None:
            return Answers((), known=True, memories=memories)
        vectors = self._vectors(system)
        ready = ReadyPatient(
            self._timeline,
            system.strategy,
            self._embedder(system, vectors),
            memories.store if memories else None,
        )

        def is_known() -> bool:
            return (memories is None or memories.known) and not (vectors and vectors.missing)

        bound = bool(vectors) or not is_known()
        session = UnsentSession(model, kept, stand_ins(), bound)
        number = len(self.patient.questions)
        size = questions_a_task(system, number)
        predictions: list[Prediction] = []
        for first in range(0, number, size):
            asked = asked_of(self.patient, first, size)
            handle = session.handle(self._work("answers", f"{system.name} {first}"))
            predictions += expected_answers(system, ready, asked, handle, is_known)
        return Answers(
            tuple(predictions),
            not session.requests.requests,
            session.requests,
            memories,
            shown=is_known(),
        )

    def _memories(self, system: SystemSpec, model: ModelSpec, kept: KeptReplies) -> Memories:
        """The memories that kept replies make, where they make all of them."""
        work = self._work("memories", system.name)
        if kept.holds_any(self.patient.subject_id):
            session = UnsentSession(model, kept, stand_ins())
            vectors = self._vectors(system, counted=False)
            embedder = self._embedder(system, vectors)
            try:
                store = build_store(
                    self.patient.subject_id, system, self._timeline, session.handle(work), embedder
                )
            except ItemFailed:
                store = None
            if not session.requests.requests and not (vectors and vectors.missing):
                return Memories(store, session.requests, known=True)
        session = UnsentSession(model, kept, stand_ins(), bound=True)
        vectors = self._vectors(system)
        store = expected_store(
            self.patient.subject_id,
            system,
            self._timeline,
            session.handle(work),
            self._embedder(system, vectors),
        )
        return Memories(store, session.requests, known=False)

    def _judge(self, system: SystemSpec, answers: Answers, judge: ModelSpec) -> Unsent:
        kept = KeptReplies(replies_folder(self.replies, judge))
        session = UnsentSession(judge, kept, _VERDICTS, bound=not answers.known)
        predictions = PredictionSet(
            subject_id=self.patient.subject_id,
            system=system.name,
            predictions=answers.predictions,
        )
        model = session.handle(self._work("judgments", system.name))
        judge_predictions(self.patient, predictions, model, judge_name(judge), self.repeats)
        return session.requests

    def _work(self, stage: str, item: str) -> WorkItem:
        return WorkItem(stage=stage, subject_id=self.patient.subject_id, item=item)

    def _vectors(self, system: SystemSpec, *, counted: bool = True) -> UnsentVectors | None:
        """The endpoint of a system that embeds by one."""
        spec = system.embedder
        if spec is None or spec.provider == "offline":
            return None
        kept = KeptVectors(vectors_folder(self.replies))
        if counted:
            return UnsentVectors(spec, kept, self._embedded, self.embeddings)
        return UnsentVectors(spec, kept)

    def _embedder(self, system: SystemSpec, vectors: UnsentVectors | None) -> Embedder | None:
        if vectors is not None:
            return EndpointEmbedder(vectors, self.patient.subject_id)
        return open_embedder(system.embedder, self.patient.subject_id) if system.embedder else None
