"""Has a language model write a dialogue: asks, judges, has faults mended, asks anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tasks.contracts.chat import ChatModel, ChatReply, ChatRequest
from tasks.contracts.dialogue import CodeMends, DialogueReply, ShortenedSource
from tasks.contracts.errors import ModelFailed, ReplyInvalid
from tasks.dialogue.drafts import DialogueDraft, draft_of
from tasks.dialogue.judging import Examiner
from tasks.dialogue.mending import Answer, answer_to, mended
from tasks.dialogue.messages import render_messages, render_outlined
from tasks.dialogue.outlining import outline_of
from tasks.dialogue.shortening import shortened
from tasks.dialogue.violations import Violation

MAXIMUM_REGENERATIONS = 2

_NAMED = 3


@dataclass(frozen=True)
class Written:
    """An accepted dialogue with its inferred sources, and the request it answers.

    ``mends`` is null where the model alone made it.
    """

    reply: DialogueReply
    request: ChatRequest[DialogueDraft]
    answer: ChatReply[DialogueDraft]
    left_out: ShortenedSource | None
    mends: CodeMends | None


def write_by_model(judge: Examiner, model: ChatModel) -> Written:
    """A dialogue without a fault, within three repairs and two further attempts.

    Raises ReplyInvalid where none came of it, and ModelFailed for a request that the model doesn't
    answer: a refusal ends the item at once.
    """
    opening = _Opening(judge, model)
    broken: tuple[Violation, ...] = ()
    for attempt in range(1 + MAXIMUM_REGENERATIONS):
        try:
            request, answer = opening.ask(attempt)
        except ModelFailed as failure:
            # A reply that found no end may find one where every turn of it is laid out.
            if failure.outcome != "truncated" or attempt > 0:
                raise
            continue
        answer = mended(answer, request, judge, model)
        broken = answer.broken
        if answer.found.sourced is not None and answer.came is not None:
            mends = None if answer.mends == CodeMends() else answer.mends
            return Written(answer.found.sourced, request, answer.came, opening.left_out, mends)
    hadm_id = judge.given.record.bundle.hadm_id
    raise ReplyInvalid(
        f"admission {hadm_id}: the dialogue breaks {len(broken)} rules after "
        f"{1 + MAXIMUM_REGENERATIONS} attempts: "
        + "; ".join(one.public for one in broken[:_NAMED]),
        tuple(one.public for one in broken),
    )


class _Opening:
    """The first request of every attempt, made smaller where the model can't take it."""

    def __init__(self, judge: Examiner, model: ChatModel) -> None:
        self._judge = judge
        self._model = model
        self._levels = shortened(judge.given.record)
        record, self.left_out = next(self._levels)
        self._shown = judge.given.model_copy(update={"record": record})

    def ask(self, attempt: int) -> tuple[ChatRequest[DialogueDraft], Answer]:
        """Ask for a whole dialogue; a shortened message stays so for later attempts.

        Raises ModelFailed where even the shortest message is too long, or the reply is cut also
        when the fewest turns are asked for.
        """
        while True:
            request = self._request(attempt)
            try:
                return request, answer_to(request, self._judge, self._model)
            except ModelFailed as failure:
                if not self._made_smaller(failure):
                    raise

    def _request(self, attempt: int) -> ChatRequest[DialogueDraft]:
        """The first attempt is free; what failed so is laid out turn by turn in the next."""
        shown = self._shown
        if attempt == 0:
            shape = draft_of(shown.minimum_turns, shown.maximum_turns)
            return ChatRequest(partial(render_messages, shown), shown, shape)
        outline = outline_of(shown)
        shape = draft_of(len(outline), len(outline))
        return ChatRequest(partial(render_outlined, shown, outline), shown, shape, attempt=attempt)

    def _made_smaller(self, failure: ModelFailed) -> bool:
        if failure.outcome == "context_too_long":
            record, self.left_out = next(self._levels, (None, self.left_out))
            if record is None:
                return False
            self._shown = self._shown.model_copy(update={"record": record})
            return True
        fewest = self._judge.given.minimum_turns
        if failure.outcome != "truncated" or self._shown.maximum_turns == fewest:
            return False
        self._shown = self._shown.model_copy(update={"maximum_turns": fewest})
        return True
