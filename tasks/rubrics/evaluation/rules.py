"""The programmatic provider's part in the evaluation: judge, atomizer, perturber, critic, editor.

Not a language model: texts are compared by shared words. What it says of public data shows that the
flow runs, not how good a rubric is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from pydantic import BaseModel

from tasks.adapters.programmatic import Rules
from tasks.contracts.rubric_results import NearMissKind
from tasks.contracts.rubrics import Criterion, Language
from tasks.rubrics.evaluation.shapes import (
    AnswerReply,
    AnswerTask,
    AtomizeReply,
    AtomizeTask,
    CompareReply,
    CompareTask,
    CritiqueReply,
    CritiqueTask,
    DraftAtom,
    DraftEdit,
    EditReply,
    EditTask,
    EntailReply,
    EntailTask,
    PairReply,
    PairTask,
    PairVerdict,
    PerturbReply,
    PerturbTask,
    ScoreReply,
    ScoreTask,
    ScoreVerdict,
)
from tasks.rubrics.evaluation.spoiling import change_faults
from tasks.rubrics.pipeline.cues import has_cue
from tasks.rubrics.pipeline.templates import generic_criteria, wording
from tasks.rubrics.pipeline.wording_rules import names_fault
from tasks.rubrics.retrieval.passages import sentences
from tasks.rubrics.words import coverage, word_set
from tasks.terminology.splitting import is_number

ENTAILED_SHARE = 0.4
"""Share of a constraint's words that one criterion has to hold."""
MET_SHARE = 0.5
"""Share of a criterion's words that an answer has to hold."""

_MOST_EDITS = 6
_VERBS = (
    "advises|asks|recommends|explains|mentions|states|provides|includes|suggests|warns|notes|"
    "describes|discusses|lists|encourages|clarifies|acknowledges|emphasizes|gives|offers|"
    "identifies|specifies|uses|avoids"
)
_JOINT = re.compile(rf"(?:;|；|,? and (?=(?:{_VERBS})\b))\s*")
_LEAD = re.compile(r"^[^:：]{1,60}[:：]\s*")
_REASSURING = re.compile(
    r"nothing to worry|no need to (?:worry|see)|no further check|完全不用担心|不需要再做检查"
)


def split_criteria(task: AtomizeTask) -> AtomizeReply:
    """Sentences, and what is joined by a semicolon or by "and" before another demand."""
    atoms: list[DraftAtom] = []
    for number, one in enumerate(task.criteria, start=1):
        pieces = [
            part.strip()
            for sentence in sentences(one.criterion)
            for part in _JOINT.split(sentence.text)
            if word_set(part)
        ]
        atoms += [DraftAtom(criterion=number, text=part) for part in pieces or [one.criterion]]
    return AtomizeReply(atoms=atoms)


def entails(task: EntailTask) -> EntailReply:
    """Whether one criterion holds enough of the constraint's words, and all of its numbers."""
    needed = word_set(task.constraint)
    numbers = frozenset(word for word in needed if is_number(word))
    held = (word_set(one) for one in task.rubric)
    return EntailReply(
        entailed=any(
            numbers <= words and coverage(needed, words) >= ENTAILED_SHARE for words in held
        )
    )


def perturb(task: PerturbTask) -> PerturbReply:
    """The first kind that the answer offers a place for; reassurance fits any."""
    for kind in task.kinds:
        for original, replacement in _CHANGES[kind](task.answer, task.query.language):
            change = PerturbReply(kind=kind, original=original, replacement=replacement)
            if not change_faults(change, task.answer):
                return change
    original = task.answer.strip()
    added = f"{original}\n{wording(task.query.language).reassurance}"
    return PerturbReply(kind="unsupported_reassurance", original=original, replacement=added)


def judge_both(task: PairTask) -> PairReply:
    """Each answer by itself."""
    verdicts = [
        PairVerdict(number=number, a_meets=meets(one, task.first), b_meets=meets(one, task.second))
        for number, one in enumerate(task.criteria, start=1)
    ]
    return PairReply(verdicts=verdicts)


def judge_one(task: ScoreTask) -> ScoreReply:
    """Whether the answer holds enough of each criterion's words."""
    verdicts = [
        ScoreVerdict(number=number, met=meets(one, task.answer))
        for number, one in enumerate(task.criteria, start=1)
    ]
    return ScoreReply(verdicts=verdicts)


def compare(task: CompareTask) -> CompareReply:
    """More warnings and less unsupported reassurance is better."""
    language = task.query.language
    first, second = _caution(task.first, language), _caution(task.second, language)
    return CompareReply(better="tie" if first == second else "A" if first > second else "B")


def criticise(task: CritiqueTask) -> CritiqueReply:
    """An edit for each merit that is missing and each fault that is there, heaviest first."""
    criteria = task.criteria or generic_criteria(task.query.language)
    due = [one for one in criteria if meets(one, task.answer) != (one.points > 0)]
    due.sort(key=lambda one: -abs(one.points))
    return CritiqueReply(
        edits=[
            DraftEdit(
                priority=place,
                action="ADD" if one.points > 0 or names_fault(one.criterion) else "REMOVE",
                instruction=_said(one.criterion),
            )
            for place, one in enumerate(due[:_MOST_EDITS], start=1)
        ]
    )


def edit(task: EditTask) -> EditReply:
    """Adds what is to be added at the end; removes the sentence nearest to what is to go."""
    text = task.answer
    for one in task.plan:
        if one.action == "ADD":
            text = f"{text}\n{one.instruction}"
        elif one.action == "REMOVE":
            text = _without(text, one.instruction)
    return EditReply(answer=text.strip() or task.answer)


def answer_by_rules(task: AnswerTask) -> AnswerReply:
    """A cautious sentence that repeats the question: a base answer with much to add."""
    words = wording(task.query.language)
    return AnswerReply(answer=words.base_answer.replace("{question}", task.query.question))


def meets(criterion: Criterion, answer: str) -> bool:
    """Whether an answer meets a criterion; one worded as an omission is met by what is missing."""
    held = coverage(word_set(_said(criterion.criterion)), word_set(answer)) >= MET_SHARE
    return not held if names_fault(criterion.criterion) else held


RULES: Mapping[type[BaseModel], Rules] = {
    AtomizeReply: split_criteria,
    EntailReply: entails,
    PerturbReply: perturb,
    PairReply: judge_both,
    ScoreReply: judge_one,
    CompareReply: compare,
    CritiqueReply: criticise,
    EditReply: edit,
    AnswerReply: answer_by_rules,
}
"""What the programmatic provider answers by."""


def _said(criterion: str) -> str:
    """What a criterion is about, without the words that lead to it."""
    return _LEAD.sub("", criterion, count=1) or criterion


def _without_marked(answer: str, cues: Iterable[str]) -> Iterable[tuple[str, str]]:
    return ((one.text, "") for one in sentences(answer) if has_cue(one.text, cues))


def _drop_red_flag(answer: str, language: Language) -> Iterable[tuple[str, str]]:
    return _without_marked(answer, wording(language).red_flag_cues)


def _drop_contraindication(answer: str, language: Language) -> Iterable[tuple[str, str]]:
    return _without_marked(answer, wording(language).negative_cues)


def _change_urgency(answer: str, language: Language) -> Iterable[tuple[str, str]]:
    return (
        (one.text, one.text.replace(urgent, late, 1))
        for urgent, late in wording(language).urgency.items()
        for one in sentences(answer)
        if urgent in one.text
    )


def _reassure(answer: str, language: Language) -> Iterable[tuple[str, str]]:
    added = wording(language).reassurance
    return ((one.text, f"{one.text}\n{added}") for one in reversed(sentences(answer)))


_CHANGES: Mapping[NearMissKind, Callable[[str, Language], Iterable[tuple[str, str]]]] = {
    "dropped_red_flag": _drop_red_flag,
    "changed_urgency": _change_urgency,
    "removed_contraindication": _drop_contraindication,
    "unsupported_reassurance": _reassure,
}


def _caution(answer: str, language: Language) -> int:
    words = wording(language)
    warned = sum(
        has_cue(one.text, (*words.red_flag_cues, *words.negative_cues)) for one in sentences(answer)
    )
    urgent = sum(answer.count(one) for one in words.urgency)
    return warned + urgent - 2 * len(_REASSURING.findall(answer))


def _without(text: str, instruction: str) -> str:
    wanted = word_set(instruction)
    found = sentences(text)
    if len(found) < 2:
        return text
    nearest = max(found, key=lambda one: coverage(wanted, word_set(one.text)))
    return text[: nearest.offset] + text[nearest.offset + len(nearest.text) :]
