"""Has faults of a dialogue mended: by the model as far as it can, then by code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tasks.contracts.chat import ChatModel, ChatReply, ChatRequest
from tasks.contracts.dialogue import CodeMends, DialogueInput, DialogueReply
from tasks.contracts.errors import ModelFailed, ReplyMalformed
from tasks.contracts.records import AdmissionSummary
from tasks.dialogue.drafts import DialogueDraft, read_draft
from tasks.dialogue.judging import Examined, Examiner
from tasks.dialogue.leaving_out import with_sound_summary, with_sound_turns, without_turns
from tasks.dialogue.messages import repair_answer, reply_text
from tasks.dialogue.patching import patched, turns_at_fault
from tasks.dialogue.retiming import with_rule_times, with_stay
from tasks.dialogue.violations import Place, Violation

MAXIMUM_REPAIRS = 3

_TOLD_AT_ONCE = 40
_OUTGROWN = ("truncated", "context_too_long")


@dataclass(frozen=True)
class Answer:
    """A reply as it came, as it was read and mended, and what is wrong with it.

    ``reply`` is null where it can't be read; ``can_patch`` is false once a patch changed nothing,
    ``can_go_back`` once a whole reply that was sent back came as it was.
    """

    content: str
    reply: DialogueReply | None
    found: Examined
    came: ChatReply[DialogueDraft] | None
    can_patch: bool = True
    can_go_back: bool = True
    mends: CodeMends = field(default_factory=CodeMends)

    @property
    def broken(self) -> tuple[Violation, ...]:
        """What is wrong with it."""
        return self.found.faults

    @property
    def places(self) -> frozenset[Place]:
        """What has to be written again."""
        return frozenset(one.place for one in self.broken)


def answer_to(request: ChatRequest[DialogueDraft], judge: Examiner, model: ChatModel) -> Answer:
    """Ask for a whole dialogue and judge it."""
    try:
        came = model.complete(request)
    except ReplyMalformed as error:
        shape = "malformed: the reply is no JSON of the asked shape"
        broken = tuple(Violation(shape, told) for told in error.violations)
        faults = broken or (Violation(shape, shape),)
        return Answer(error.content, None, Examined(faults, None), None)
    reply, faults = read_draft(came.parsed)
    if reply is None:
        return Answer(came.parsed.model_dump_json(), None, Examined(faults, None), came)
    return Answer(reply_text(reply), reply, judge.examine(reply), came)


def mended(
    answer: Answer, request: ChatRequest[DialogueDraft], judge: Examiner, model: ChatModel
) -> Answer:
    """The answer after as many repairs as it needs and may have, and what code can do.

    A repair that is too long for the model ends them. A whole reply that comes back as it was isn't
    sent again, as it would come back once more: its turns can still be patched.
    """
    if request.attempt:
        # Its times were laid out by code: no request is spent on others.
        answer = _retimed(answer, judge)
    tried = [answer]
    for _ in range(MAXIMUM_REPAIRS):
        if not answer.broken:
            return answer
        if not (answer.can_go_back or _can_be_patched(answer)):
            break
        try:
            answer = _repaired(answer, request, judge, model)
        except ModelFailed as failure:
            if failure.outcome not in _OUTGROWN:
                raise
            break
        tried.append(answer)
    if not answer.broken:
        return answer
    by_code = (_mended_by_code(one, judge) for one in _fewest_faults_first(tried))
    return next((one for one in by_code if not one.broken), answer)


def _repaired(
    answer: Answer, request: ChatRequest[DialogueDraft], judge: Examiner, model: ChatModel
) -> Answer:
    if answer.reply is not None and _can_be_patched(answer):
        return _with_patch(answer, answer.reply, request, judge, model)
    told = [one.told for one in answer.broken[:_TOLD_AT_ONCE]]
    after = answer_to(request.answered(answer.content, repair_answer(told)), judge, model)
    if after.content == answer.content:
        after = replace(after, can_patch=answer.can_patch, can_go_back=False)
    # Times that are wrong once more after the model was told are set for it.
    return _retimed(after, judge) if "frame" in answer.places & after.places else after


def _can_be_patched(answer: Answer) -> bool:
    """Whether the faults lie in the summary and in the texts of turns.

    Those of more than half of the turns are better mended in the whole, where that can be had.
    """
    if answer.reply is None or not answer.can_patch or answer.places & {"whole", "frame"}:
        return False
    if not answer.can_go_back:
        return True
    return 2 * len(turns_at_fault(answer.broken)) <= len(answer.reply.conversation_lines)


def _with_patch(
    answer: Answer,
    reply: DialogueReply,
    request: ChatRequest[DialogueDraft],
    judge: Examiner,
    model: ChatModel,
) -> Answer:
    shown = request.payload if isinstance(request.payload, DialogueInput) else judge.given
    changed = patched(reply, answer.broken, shown, model, request.attempt)
    return replace(_with_reply(answer, changed, judge), can_patch=changed != reply)


def _mended_by_code(answer: Answer, judge: Examiner) -> Answer:
    """The answer with times set where that leaves fewer faults, and faulty parts left out."""
    answer = _retimed(answer, judge)
    reply = answer.reply
    if reply is None or "whole" in answer.places:
        return answer
    if numbers := frozenset(turns_at_fault(answer.broken)):
        reply, sentences = with_sound_turns(
            reply, numbers, lambda changed: len(judge.examine(changed).faults)
        )
        answer = _with_reply(answer, reply, judge, sentences_left_out=sentences)
    if numbers := frozenset(turns_at_fault(answer.broken)):
        fewer = without_turns(reply, numbers)
        left_out = len(reply.conversation_lines) - len(fewer.conversation_lines)
        answer = _with_reply(answer, fewer, judge, turns_left_out=left_out)
        answer = _retimed(answer, judge)
    in_summary = all(one.place == "summary" for one in answer.broken)
    return _with_summary_left(answer, judge) if answer.broken and in_summary else answer


def _retimed(answer: Answer, judge: Examiner) -> Answer:
    """The answer with the stay's times and, if that isn't enough, new times of its turns."""
    for rule in (with_stay, with_rule_times):
        if answer.reply is None or not answer.broken:
            break
        timed = _with_reply(answer, rule(answer.reply, judge.given), judge, times_set=True)
        answer = timed if len(timed.broken) < len(answer.broken) else answer
    return answer


def _with_summary_left(answer: Answer, judge: Examiner) -> Answer:
    reply = answer.reply
    if reply is None:
        return answer

    def faults(summary: AdmissionSummary) -> int:
        return len(judge.examine(reply.model_copy(update={"summary": summary})).faults)

    summary, left_out = with_sound_summary(reply.summary, faults)
    changed = reply.model_copy(update={"summary": summary})
    return _with_reply(answer, changed, judge, summary_parts_left_out=left_out)


def _with_reply(
    answer: Answer, reply: DialogueReply, judge: Examiner, **mends: bool | int
) -> Answer:
    return replace(
        answer,
        content=reply_text(reply),
        reply=reply,
        found=judge.examine(reply),
        mends=answer.mends.model_copy(update=mends),
    )


def _fewest_faults_first(tried: Sequence[Answer]) -> list[Answer]:
    """The last of those with equally few faults first: it was told most."""
    return sorted(reversed(tried), key=lambda one: len(one.broken))
