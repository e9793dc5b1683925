"""What a model would be asked for a patient's answers, reckoned without asking.

The same code asks as in an evaluation, and stand-ins replace what isn't known yet: answers,
memories and summaries as long as they may become.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from pydantic import BaseModel

from tasks.adapters.embedders import Embedder
from tasks.adapters.programmatic import Rules
from tasks.adapters.tokens import count_tokens
from tasks.answering.asking import AnsweringModel
from tasks.answering.blocks import FENCE_TOKENS, Block, Shown
from tasks.answering.counting import CountedModel
from tasks.answering.memory_building import SIMILAR_SHOWN, MemoryBuilder, memory_line
from tasks.answering.memory_shapes import (
    MOST_CANDIDATES,
    MOST_SUMMARY_CHARACTERS,
    Candidate,
    CandidatesReply,
    DecisionsReply,
    SummaryReply,
    TypedCandidate,
    TypedCandidatesReply,
)
from tasks.answering.memory_view import MEMORIES_SHOWN
from tasks.answering.patients import ReadyPatient
from tasks.answering.ranking import (
    Document,
    Ranker,
    Ranking,
    RememberingEmbedder,
    ranker_maker,
)
from tasks.answering.replies import AnswersInput, AnswersReply, Asked, NumberedAnswer
from tasks.answering.systems import SystemSpec
from tasks.answering.timeline import TimelineText, context_line
from tasks.answering.views import TURNS_SHOWN, View
from tasks.contracts.chat import ChatModel
from tasks.contracts.evaluation import Prediction
from tasks.contracts.memories import MemoryStore

TOKENS_OF_THE_UNKNOWN = 64
"""Of an answer, which is asked for in at most ten words, and of a memory, which is one sentence."""

MARK_TOKENS = 10
"""A fence has the same mark twice. It depends on the text within; its six digits take up to four
tokens more in one mark than in another.
"""

ANSWER = " ".join(["word"] * (TOKENS_OF_THE_UNKNOWN + MARK_TOKENS))
"""Stands for an answer that isn't known."""

_MEMORY = " word" * TOKENS_OF_THE_UNKNOWN
_SUMMARY = " ".join(["so"] * (MOST_SUMMARY_CHARACTERS // 3))


def stand_ins() -> Mapping[type[BaseModel], Rules]:
    """The longest replies by shape. No two memories are the same, so none is left out."""
    numbers = count(1)

    def text() -> str:
        return f"{next(numbers)}{_MEMORY}"

    def facts(_: BaseModel) -> CandidatesReply:
        found = [Candidate(time="", text=text()) for _ in range(MOST_CANDIDATES)]
        return CandidatesReply(candidates=found)

    def typed(_: BaseModel) -> TypedCandidatesReply:
        found = [
            TypedCandidate(time="", text=text(), kind="episodic") for _ in range(MOST_CANDIDATES)
        ]
        return TypedCandidatesReply(candidates=found)

    return {
        AnswersReply: _answers,
        CandidatesReply: facts,
        TypedCandidatesReply: typed,
        DecisionsReply: lambda _: DecisionsReply(decisions=[]),
        SummaryReply: lambda _: SummaryReply(summary=_SUMMARY),
    }


def _answers(given: AnswersInput) -> AnswersReply:
    numbers = range(1, len(given.questions) + 1)
    return AnswersReply(answers=[NumberedAnswer(number=n, answer=ANSWER) for n in numbers])


def unknown_answers(asked: Sequence[Asked]) -> tuple[Prediction, ...]:
    """Stand-ins for answers to some questions."""
    return tuple(Prediction(qa_id=one.qa_id, outcome="answered", answer=ANSWER) for one in asked)


def expected_answers(
    system: SystemSpec,
    ready: ReadyPatient,
    asked: Sequence[Asked],
    model: ChatModel,
    is_known: Callable[[], bool],
) -> tuple[Prediction, ...]:
    """Predictions for some questions as an evaluation would make them of the model's replies.

    ``is_known`` says, once the questions are embedded, whether it is known what will be shown;
    else as much is shown as there may be.
    """
    view: View = ready.view([one.question for one in asked])
    if not is_known():
        view = _Longest(most_shown_tokens(ready), len(ready.timeline.turns))
    answering = AnsweringModel(CountedModel(model), view, system.budget)
    return answering.answer(asked, system.questions_a_call)


def most_shown_tokens(ready: ReadyPatient) -> int:
    """Tokens that a strategy shows at most, whatever it finds, where there is room."""
    timeline = ready.timeline
    if ready.memories is not None:
        lines = (context_line(memory_line(one)) for one in ready.memories.active)
        best = sorted(map(count_tokens, lines), reverse=True)[:MEMORIES_SHOWN]
        return sum(best) + count_tokens(ready.memories.summary) + 2 * FENCE_TOKENS
    if ready.strategy != "dense-turns":
        return timeline.tokens_before[-1] + FENCE_TOKENS
    best = sorted((one.tokens for one in timeline.turns), reverse=True)[:TURNS_SHOWN]
    headers = sorted((one.header_tokens for one in timeline.sessions), reverse=True)[:TURNS_SHOWN]
    return sum(best) + sum(headers) + FENCE_TOKENS


def expected_store(
    subject_id: str,
    system: SystemSpec,
    timeline: TimelineText,
    model: ChatModel,
    embedder: Embedder | None,
) -> MemoryStore:
    """The largest memories that a model's replies could make of a timeline.

    Raises ItemFailed where nothing can be remembered.
    """
    remembering = RememberingEmbedder(embedder) if embedder else None

    def spread(documents: Sequence[Document]) -> Ranker:
        return _Spread(ranker_maker(remembering)(documents), len(documents))

    builder = MemoryBuilder(system.strategy, CountedModel(model), system.budget, spread)
    return builder.build(subject_id, system.name, timeline)


@dataclass(frozen=True)
class _Longest:
    """Shows as many tokens as there are or fit."""

    tokens: int
    all_turns: int

    def show(self, question: str, room_tokens: int) -> Shown:
        """Nothing that could be read: only its size is right."""
        block = Block("", min(self.tokens, max(0, room_tokens)), ())
        return Shown(block, turns=0, all_turns=self.all_turns, truncated=False, sessions=())


@dataclass(frozen=True)
class _Spread:
    """Finds other documents for every question, so that together they are as many as can be.

    The ranker itself is asked too: what it embeds is counted.
    """

    ranker: Ranker
    documents: int

    @property
    def split_documents(self) -> int:
        """Documents that were scored in parts."""
        return self.ranker.split_documents

    def rank(self, questions: Sequence[str]) -> list[Ranking]:
        """A ranking of all documents for each question."""
        self.ranker.rank(questions)
        places = range(self.documents)
        starts = (
            SIMILAR_SHOWN * number % max(1, self.documents) for number in range(len(questions))
        )
        return [(*places[start:], *places[:start]) for start in starts]
