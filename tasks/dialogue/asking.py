"""Has a language model write a dialogue: asks, judges, has faults mended, asks anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from tasks.contracts.chat import ChatModel, ChatReply, ChatRequest
from tasks.contracts.dialogue import DialogueInput, DialogueReply, ShortenedSource
from tasks.contracts.errors import ModelFailed, ReplyInvalid, ReplyMalformed
from tasks.dialogue.attribution import attributed
from tasks.dialogue.drafts import DialogueDraft, draft_of, read_draft
from tasks.dialogue.judging import Judge
from tasks.dialogue.messages import render_messages, repair_answer, reply_text
from tasks.dialogue.patching import patched, turns_at_fault
from tasks.dialogue.shortening import shortened
from tasks.dialogue.violations import Violation

MAXIMUM_REPAIRS = 3
MAXIMUM_REGENERATIONS = 2

_TOLD_AT_ONCE = 40
_NAMED = 3
_OUTGROWN = ("truncated", "context_too_long")


@dataclass(frozen=True)
class Written:
    """An accepted dialogue with its inferred sources, and the request it answers."""

    reply: DialogueReply
    request: ChatRequest[DialogueDraft]
    answer: ChatReply[DialogueDraft]
    left_out: ShortenedSource | None


@dataclass(frozen=True)
class _Answer:
    """A reply as it came, as it was read, and what is wrong with it.

    ``reply`` is null where it can't be read; ``can_patch`` is false once a patch changed nothing.
    """

    content: str
    reply: DialogueReply | None
    broken: tuple[Violation, ...]
    came: ChatReply[DialogueDraft] | None
    can_patch: bool = True


def write_by_model(judge: Judge, model: ChatModel) -> Written:
    """A dialogue without a fault, within three repairs and two further attempts.

    Raises ReplyInvalid where none came of it, and ModelFailed for a request that the model doesn't
    answer: a refusal ends the item at once.
    """
    opening, given = _Opening(judge, model), judge.given
    broken: tuple[Violation, ...] = ()
    for attempt in range(1 + MAXIMUM_REGENERATIONS):
        request, answer = opening.ask(attempt)
        answer = _mended(answer, request, judge, model)
        broken = answer.broken
        if not broken and answer.reply is not None and answer.came is not None:
            return Written(_sourced(answer.reply, given), request, answer.came, opening.left_out)
    raise ReplyInvalid(
        f"admission {given.record.bundle.hadm_id}: the dialogue breaks {len(broken)} rules after "
        f"{1 + MAXIMUM_REGENERATIONS} attempts: "
        + "; ".join(one.public for one in broken[:_NAMED]),
        tuple(one.public for one in broken),
    )


class _Opening:
    """The first request of every attempt, made smaller where the model can't take it."""

    def __init__(self, judge: Judge, model: ChatModel) -> None:
        self._judge = judge
        self._model = model
        self._levels = shortened(judge.given.record)
        record, self.left_out = next(self._levels)
        self._shown = judge.given.model_copy(update={"record": record})

    def ask(self, attempt: int) -> tuple[ChatRequest[DialogueDraft], _Answer]:
        """Ask for a whole dialogue; a shortened message stays so for later attempts.

        Raises ModelFailed where even the shortest message is too long, or the reply is cut also
        when the fewest turns are asked for.
        """
        while True:
            shown = self._shown
            request = ChatRequest(
                partial(render_messages, shown),
                shown,
                draft_of(shown.minimum_turns, shown.maximum_turns),
                attempt=attempt,
            )
            try:
                return request, _answer(request, self._judge, self._model)
            except ModelFailed as failure:
                if not self._made_smaller(failure):
                    raise

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


def _answer(request: ChatRequest[DialogueDraft], judge: Judge, model: ChatModel) -> _Answer:
    try:
        came = model.complete(request)
    except ReplyMalformed as error:
        shape = "malformed: the reply is no JSON of the asked shape"
        broken = tuple(Violation(shape, told) for told in error.violations)
        return _Answer(error.content, None, broken or (Violation(shape, shape),), None)
    reply, faults = read_draft(came.parsed)
    if reply is None:
        return _Answer(came.parsed.model_dump_json(), None, faults, came)
    return _Answer(reply_text(reply), reply, judge.faults_of(reply), came)


def _mended(
    answer: _Answer,
    request: ChatRequest[DialogueDraft],
    judge: Judge,
    model: ChatModel,
) -> _Answer:
    """The answer after as many repairs as it needs and may have.

    A repair that is too long for the model ends the attempt.
    """
    for _ in range(MAXIMUM_REPAIRS):
        if not answer.broken:
            break
        try:
            if answer.reply is not None and _is_small(answer):
                answer = _with_patch(answer, answer.reply, request, judge, model)
            else:
                told = [one.told for one in answer.broken[:_TOLD_AT_ONCE]]
                again = request.answered(answer.content, repair_answer(told))
                answer = _answer(again, judge, model)
        except ModelFailed as failure:
            if failure.outcome not in _OUTGROWN:
                raise
            break
    return answer


def _is_small(answer: _Answer) -> bool:
    """Whether the faults lie in the summary, or in the texts of at most half of the turns."""
    reply, places = answer.reply, [one.place for one in answer.broken]
    if reply is None or not answer.can_patch or "whole" in places:
        return False
    return 2 * len(turns_at_fault(answer.broken)) <= len(reply.conversation_lines)


def _with_patch(
    answer: _Answer,
    reply: DialogueReply,
    request: ChatRequest[DialogueDraft],
    judge: Judge,
    model: ChatModel,
) -> _Answer:
    shown = request.payload if isinstance(request.payload, DialogueInput) else judge.given
    mended = patched(reply, answer.broken, shown, model, request.attempt)
    return replace(
        answer,
        content=reply_text(mended),
        reply=mended,
        broken=judge.faults_of(mended),
        can_patch=mended != reply,
    )


def _sourced(reply: DialogueReply, given: DialogueInput) -> DialogueReply:
    record = given.record
    lines = attributed(reply.conversation_lines, record.facts, record.bundle)
    return reply.model_copy(update={"conversation_lines": lines})
