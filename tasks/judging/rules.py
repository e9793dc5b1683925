"""The programmatic judge: verdicts by rules, offline. Not a language model.

An answer is right if it carries the gold answer, read by the clinical recipe, and nothing that
could take it back. In doubt it is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.judging.request import VerdictReply, VerdictTask
from tasks.scoring.recipes import tokens
from tasks.terminology.splitting import is_number, split_words

RULES_VERSION = "1"
MOST_OTHER_WORDS = 12
"""Words an answer may have beside those of the gold answer and the question."""

_PART = re.compile(r",(?!\d{3}(?!\d))|;|\band\b", re.IGNORECASE)
_NEGATIONS = frozenset(
    {"no", "not", "never", "none", "without", "neither", "nor", "cannot", "denies", "denied"}
    | {"negative", "absent", "nobody", "nothing"}
)
_ALTERNATIVES = frozenset({"or", "either", "versus", "vs", "maybe", "possibly"})
_OPPOSITES = (
    ({"left"}, {"right"}),
    ({"yes"}, {"no"}),
    ({"higher", "increased", "rose", "more", "up"}, {"lower", "decreased", "fell", "less", "down"}),
    ({"improved", "better"}, {"worsened", "worse"}),
    ({"before", "earlier", "first"}, {"after", "later", "last"}),
    ({"started", "resumed"}, {"stopped", "held", "discontinued"}),
    ({"positive"}, {"negative"}),
    ({"upper"}, {"lower"}),
)


def judge_by_rules(task: VerdictTask) -> VerdictReply:
    """Right if every part of the gold answer stands in the answer word for word, and it takes none
    of them back: beside what the question says, the answer adds no number, no alternative, no
    opposite, no negation and few other words.
    """
    gold = tokens("clinical", task.gold)
    answer = tokens("clinical", task.candidate)
    asked = frozenset(tokens("clinical", task.question))
    added = [word for word in answer if word not in gold and word not in asked]
    carried = (
        all(_holds(answer, tokens("clinical", part)) for part in _parts(task.gold))
        and _negations(answer) == _negations(gold)
        and not any(is_number(word) for word in added)
        and _ALTERNATIVES.isdisjoint(added)
        and not _opposed(gold, added)
        and len(added) <= MOST_OTHER_WORDS
    )
    return VerdictReply(correct=bool(gold) and (answer == gold or carried))


def _parts(gold: str) -> list[str]:
    return [part for part in _PART.split(gold) if split_words(part)] or [gold]


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether a part stands in the words as one run."""
    size = len(part)
    return any(tuple(words[at : at + size]) == tuple(part) for at in range(len(words) - size + 1))


def _negations(words: Sequence[str]) -> int:
    return sum(word in _NEGATIONS or word.endswith("n't") for word in words)


def _opposed(gold: Sequence[str], added: Sequence[str]) -> bool:
    return any(
        (not one.isdisjoint(gold) and not other.isdisjoint(added))
        or (not other.isdisjoint(gold) and not one.isdisjoint(added))
        for one, other in _OPPOSITES
    )
