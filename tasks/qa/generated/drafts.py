"""From a model's draft about one stay to a question: opening dates, citation, answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from tasks.audit.texts.masking import without_opening
from tasks.contracts.questions import CitedTurn, Evidence, Question, QuestionType
from tasks.qa.generated.answers import AnswerCheck
from tasks.qa.generated.computing import computed_answer
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.replies import QuestionDraft
from tasks.qa.stays import Stay
from tasks.terminology.normalization import says

_MOST_CITED = 5
_MOST_FOUND = 6
_ASKING = frozenset([
    "after", "at", "before", "by", "for", "from", "how", "in", "on", "the", "to", "what", "when",
    "where", "which", "who", "whom", "whose", "why", "with",
])  # fmt: skip


class Asked(NamedTuple):
    """What a draft was asked for: the id that its question gets, and its type."""

    qa_id: str
    kind: QuestionType


def read_draft(
    draft: QuestionDraft, asked: Asked, stay: Stay, judge: QuestionJudge
) -> tuple[Question | None, tuple[str, ...]]:
    """The question of a draft with the fewest turns that carry it; else what is wrong with it.

    Turns that can be spared are left out. Where none of the cited ones carries the answer, turns
    that say it word for word are tried.
    """
    cited = sorted(set(draft.cited_turns))
    unknown = [number for number in cited if number not in stay.shown]
    if unknown or not cited or len(cited) > _MOST_CITED:
        return None, tuple(_citation_faults(cited, unknown))
    question = _question(draft, asked, stay, tuple(cited))
    check = AnswerCheck(stay, judge.record)
    if faults := tuple(check.faults(question.answer, judge.read(question))):
        return None, faults
    # The whole citation passes only where none of its turns can be spared.
    first: tuple[str, ...] = ()
    for numbers in (tuple(cited), *_fewer(cited), *_saying(draft.answer, cited, stay)):
        question = _question(draft, asked, stay, numbers)
        faults = judge.faults(question)
        if not faults:
            return question, ()
        first = first or faults
    return None, first


def _citation_faults(cited: list[int], unknown: list[int]) -> Iterator[str]:
    if not cited:
        yield "no turn is cited"
    if unknown:
        yield f"there is no turn {', '.join(map(str, unknown))}"
    if len(cited) > _MOST_CITED:
        yield f"{len(cited)} turns are cited, more than four"


def _fewer(cited: list[int]) -> Iterator[tuple[int, ...]]:
    for size in range(1, len(cited)):
        yield from combinations(cited, size)


def _saying(answer: str, cited: list[int], stay: Stay) -> Iterator[tuple[int, ...]]:
    """Other turns that say the answer, alone and beside each of the cited ones."""
    said = _cleaned(answer)
    found = [
        number
        for number, turn in stay.shown.items()
        if number not in cited and said and says(turn.line.text, said)
    ][:_MOST_FOUND]
    yield from ((number,) for number in found)
    yield from (tuple(sorted((one, other))) for one in found for other in cited)


def _question(draft: QuestionDraft, asked: Asked, stay: Stay, numbers: tuple[int, ...]) -> Question:
    text = opened(draft.question, stay.prefix)
    body = text.removeprefix(stay.prefix)
    computed = computed_answer(body, [stay.shown[number] for number in numbers])
    return Question(
        qa_id=asked.qa_id,
        scope="single_admission",
        question_type=asked.kind,
        question=text,
        answer=computed or _cleaned(draft.answer) or "-",
        evidence=Evidence(
            admissions=(stay.hadm_id,),
            turn_ids=numbers,
            turns=tuple(CitedTurn(hadm_id=stay.hadm_id, turn_number=one) for one in numbers),
        ),
    )


def opened(question: str, prefix: str) -> str:
    """A question behind the opening dates of its stay, whether or not it has them already."""
    text = " ".join(question.split())
    if text.startswith(prefix):
        return text
    body = without_opening(text)
    word = body.partition(" ")[0]
    if word.casefold() in _ASKING:
        body = body[:1].lower() + body[1:]
    return f"{prefix}{body}"


def _cleaned(answer: str) -> str:
    return " ".join(answer.split()).strip(" .\"'“”")
