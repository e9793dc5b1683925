"""Unanswerable questions: an accepted question, asked again about something absent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.audit.texts.masking import text_tokens
from tasks.contracts.questions import ABSTENTION, Question, QuestionType
from tasks.qa.candidates import was_or_were
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.repairing import Violation
from tasks.qa.generated.replies import HostQuestion, Swap
from tasks.qa.generated.wording import Wish
from tasks.terminology.normalization import says

_MASK = "#"
_SMALL = frozenset(["a", "an", "are", "did", "do", "does", "had", "has", "have", "is", "the", "was",
                    "were", _MASK])  # fmt: skip


def counterpart(host: Question, swaps: Sequence[Swap]) -> Question | None:
    """The host asked about what the record lacks, by code; null where it doesn't name the target.

    Answer and id are an unanswerable question's; the cited turns stay, as those of the nearest true
    fact.
    """
    text = host.question
    for swap in swaps:
        if not says(text, swap.old):
            return None
        text = _pattern(swap.old).sub(lambda found, to=swap.new: _in_place(found, to), text)
    return host.model_copy(
        update={
            "question": _agreeing(text, swaps),
            "question_type": QuestionType.ADVERSARIAL,
            "answer": ABSTENTION,
        }
    )


def counterpart_wish(
    host: Question, swaps: Sequence[Swap], planned: Question, judge: QuestionJudge
) -> Wish:
    """A counterpart to be written by a model, which may change the target and nothing else."""
    return Wish(
        planned=planned,
        shown=HostQuestion(number=1, question=host.question, replace=tuple(swaps)),
        check=lambda worded: (
            tuple(_differences(host, worded, swaps))
            or tuple(map(Violation.plain, judge.faults(worded)))
        ),
    )


def _differences(host: Question, worded: Question, swaps: Sequence[Swap]) -> Iterator[Violation]:
    """Whether the new question is the old one about what it is to be about."""
    before, after = host.question, worded.question
    for swap in swaps:
        if not says(after, swap.new):
            yield Violation("it lacks its new target", f"it has to name `{swap.new}`")
        if says(after, swap.old) and not says(swap.new, swap.old):
            yield Violation("it still names the old target", f"it must not name `{swap.old}`")
        before, after = _masked(before, swap.old), _masked(after, swap.new)
    if _frame(before) != _frame(after) or before.count(_MASK) != after.count(_MASK):
        yield Violation.plain("more is changed than what stands under `old`")


def _frame(text: str) -> list[str]:
    return [token for token in text_tokens(text) if token not in _SMALL]


def _masked(text: str, label: str) -> str:
    return _pattern(label).sub(_MASK, text)


def _pattern(label: str) -> re.Pattern[str]:
    spaced = r"\s+".join(map(re.escape, label.split()))
    return re.compile(rf"(?<![\w])(?<!\d\.){spaced}(?!\w)(?!\.\d)", re.IGNORECASE)


def _in_place(found: re.Match[str], new: str) -> str:
    """The new target, with a capital where it opens the question."""
    opens = found.start() == 0 and found[0][:1].isupper()
    return new[:1].upper() + new[1:] if opens else new


def _agreeing(text: str, swaps: Sequence[Swap]) -> str:
    """Verbs and articles beside a new target that agree with it."""
    for swap in swaps:
        if was_or_were(swap.old) != was_or_were(swap.new):
            verb, label = was_or_were(swap.new), re.escape(swap.new)
            text = re.sub(rf"\b(?:was|were) (?={label}\b)", f"{verb} ", text, flags=re.IGNORECASE)
            text = re.sub(rf"(?i)\b({label}) (?:was|were)\b", rf"\1 {verb}", text)
        vowel = swap.new[:1].casefold() in "aeiou"
        text = re.sub(
            rf"\b(a)n? (?={re.escape(swap.new)}\b)",
            lambda found, vowel=vowel: f"{found[1]}{'n' if vowel else ''} ",
            text,
            flags=re.IGNORECASE,
        )
    return text
