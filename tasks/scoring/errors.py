"""Kinds of wrong answers to answerable questions, told by where the answer's words stand."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.contracts.evaluation import ErrorKind
from tasks.contracts.questions import Question
from tasks.scoring.abstention import abstains
from tasks.scoring.recipes import tokens
from tasks.scoring.timeline import Place, TimelineIndex, Words
from tasks.terminology.splitting import is_number

_COMMON = (
    "a about after all also an and any are as at be because been before being between both but by "
    "did do does due during each first following for from given had has have he her him his how if "
    "in into is it its last many more most no not of on or other out over patient same she since "
    "so some than that the their them then there these they this those to too until up was were "
    "what when where which while who why will with would admission admissions hospital "
    "hospitalization hospitalizations stay stays time times"
)
_COMMON_WORDS = frozenset(_COMMON.split())


def error_kind(question: Question, answer: str, timeline: TimelineIndex) -> ErrorKind:
    """Kind of a wrong answer to an answerable question; the first that fits, in this order.

    wrong_abstention: it abstains · stale_value: what it adds to the gold answer stands in a turn
    before the last cited one, beside what is asked about · other_admission: it stands in an
    admission that isn't cited, and not in the cited ones · unsupported: a number of it, or without
    numbers most of its words, stand nowhere · other.
    """
    if abstains("clinical", answer):
        return "wrong_abstention"
    own = _own_words(question, answer)
    if not own:
        return "other"
    if any(own <= words for words in _earlier_mentions(question, timeline)):
        return "stale_value"
    cited = set(timeline.cited_sessions(question.evidence))
    in_cited = frozenset[str]().union(*(timeline.sessions[at] for at in cited))
    elsewhere = (words for at, words in timeline.sessions.items() if at not in cited)
    if not own <= in_cited and any(own <= words for words in elsewhere):
        return "other_admission"
    nowhere = own - timeline.words
    if nowhere and (any(map(is_number, nowhere)) or 2 * len(nowhere) > len(own)):
        return "unsupported"
    return "other"


def _own_words(question: Question, answer: str) -> Words:
    """What an answer says beside question and gold answer: its numbers, else its words."""
    known = {*tokens("clinical", question.question), *tokens("clinical", question.answer)}
    own = frozenset(tokens("clinical", answer)) - known - _COMMON_WORDS
    return frozenset(filter(is_number, own)) or own


def _earlier_mentions(question: Question, timeline: TimelineIndex) -> Iterator[Words]:
    """Turns before the last cited one that speak of what is asked about, but for cited ones.

    Where a release cites no turns: turns of sessions before the last cited one.
    """
    sessions = timeline.cited_sessions(question.evidence)
    turns = timeline.cited_turns(question.evidence)
    if not sessions:
        return
    last: Place = turns[-1] if turns else (sessions[-1], 0)
    target = _target(question, [timeline.turns[turn] for turn in turns if turn in timeline.turns])
    for place, words in timeline.turns.items():
        if place < last and place not in turns and not target.isdisjoint(words):
            yield words


def _target(question: Question, cited: list[Words]) -> Words:
    """Words of the question that the cited turns say too; all of its words if there are none."""
    words = tokens("clinical", question.question)
    asked = frozenset(word for word in words if not is_number(word)) - _COMMON_WORDS
    return asked & frozenset[str]().union(*cited) or asked
