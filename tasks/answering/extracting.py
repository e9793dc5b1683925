"""The extractive reader: answers by rules from the lines that a strategy shows. No language model.

It looks for the line that shares the rarest words with the question, takes from it a value of the
kind asked for, and abstains where no line shares enough.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from tasks.answering.question_forms import (
    DATE,
    Wanted,
    asked_part,
    counts_stays,
    days_named,
    stay_named,
    wanted_of,
)
from tasks.answering.replies import AnswersInput, AnswersReply, NumberedAnswer
from tasks.answering.timeline import ContextLine
from tasks.contracts.clock import format_date
from tasks.contracts.questions import ABSTENTION
from tasks.terminology.splitting import split_words

ENOUGH = 0.5
"""Share of a question's words, weighed by rarity, that a line has to hold to be believed."""

LONGEST_NAME = 6
"""Words of a phrase that is taken from a line."""

_LONGEST_REASON = 8

_A_STAY_APART = timedelta(days=2)
_SENTENCE = re.compile(r"(?<=[.?!;])\s+")
_DIGITS = r"(?<![\d.])\d+(?:[.,/]\d+)*"
_AMOUNT = re.compile(
    rf"{_DIGITS}(?:\s?(?:-|to)\s?\d+(?:\.\d+)?)?\s?(?:mcg|µg|mg|g|kg|mL|ml|L|units?|mEq|mmol|"
    rf"mmHg|percent|%|tablets?|puffs?|drops?)(?:/\w+)?\b|{_DIGITS}"
)
_LENGTH = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven) (?:hour|day|week|month|year)s?\b"
)
_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*\b")
# "1.2" and "120/80" are one word; a mark at a word's end is none of it.
_NAME_PART = re.compile(r"[^\s,.;:?!]+(?:[.,:]\d[^\s,.;:?!]*)*|[,.;:?!]")
_REASON = re.compile(
    r"\b(?:(?:because|on account) of|due to|owing to|as a result of|caused by|in response to|"
    r"the reason (?:is|was)|because)\s+(?P<why>[^,.;:?!]+)",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"\bfor\s+(?P<why>[^,.;:?!]+)$", re.IGNORECASE)
_MEASURE = r"\d+(?:[.,/]\d+)*(?: (?!to\b|by\b|at\b|and\b)[\w%/]+)?"
_CHANGE = re.compile(
    rf"\b(?:(?:increased|decreased|raised|lowered|reduced|changed)(?: from {_MEASURE})?"
    rf"(?: to {_MEASURE})?|stopped|discontinued|held|continued|started|resumed)\b",
    re.IGNORECASE,
)
_INTERVAL = re.compile(
    r"\b(?:(?:once|twice|three times|four times) (?:a day|daily|a week|weekly)|every \w+(?: hours?|"
    r" days?)?|(?:once |twice )?daily|at bedtime|weekly|as needed)\b",
    re.IGNORECASE,
)
_STOP = frozenset((Path(__file__).parent / "stop_words.txt").read_text(encoding="utf-8").split())


def extract_answers(given: AnswersInput) -> AnswersReply:
    """The rules behind ``AnswersReply``: one answer for every question."""
    return AnswersReply(
        answers=[
            NumberedAnswer(number=number, answer=extract(question, given.lines, given.summary))
            for number, question in enumerate(given.questions, 1)
        ]
    )


def extract(question: str, lines: Sequence[ContextLine], summary: str = "") -> str:
    """An answer from the lines, or the abstention; a summary counts where no line does."""
    asked = _content(asked_part(question))
    read = _of_stay(question, lines)
    weights = _rarity(asked, read)
    scored = [(_share(asked, line.text, weights), place) for place, line in enumerate(read)]
    wanted = wanted_of(question)
    if wanted == "count" and counts_stays(question):
        return _stays_with([read[place] for share, place in scored if share >= ENOUGH])
    ordered = sorted(scored, key=lambda one: (-one[0], one[1]))
    believed = [read[place] for share, place in ordered if share >= ENOUGH]
    # Where no line says why, or what became of it, a phrase beside it is the next best.
    kinds: tuple[Wanted, ...] = (wanted, "name") if wanted in ("reason", "change") else (wanted,)
    for kind in kinds:
        values = (_value(kind, asked, line, question) for line in believed)
        if value := next(filter(None, values), ""):
            return value
    if summary and _share(asked, summary, _rarity(asked, ())) >= ENOUGH:
        return _name(asked, summary) or ABSTENTION
    return ABSTENTION


def _of_stay(question: str, lines: Sequence[ContextLine]) -> Sequence[ContextLine]:
    stay = stay_named(question)
    if stay is None:
        return lines
    return [line for line in lines if stay[0] <= format_date(line.time) <= stay[1]]


def _value(wanted: Wanted, asked: frozenset[str], line: ContextLine, question: str) -> str:
    """What a line offers of the kind asked for; empty where it offers nothing."""
    sentence = max(_SENTENCE.split(line.text), key=lambda one: len(asked & words_of(one)))
    match wanted:
        case "date":
            named = set(days_named(question))
            stated = [day for day in DATE.findall(line.text) if day not in named]
            return stated[0] if stated else format_date(line.time)
        case "days":
            return _nearest(_LENGTH, asked, sentence) or _nearest(_LENGTH, asked, line.text)
        case "reason":
            return _reason(sentence)
        case "change":
            return _nearest(_CHANGE, asked, sentence)
        case "count":
            return _nearest(_NUMBER, asked, sentence)
        case "amount":
            return _nearest(_AMOUNT, asked, sentence)
        case "interval":
            return _nearest(_INTERVAL, asked, sentence)
        case "yes_no":
            return "yes"
        case "name":
            return _name(asked, sentence) or _name(asked, line.text)


def _nearest(pattern: re.Pattern[str], asked: frozenset[str], text: str) -> str:
    """The match that stands nearest behind a word of the question, else before one."""
    undated = DATE.sub(lambda day: " " * len(day.group()), text)
    ends = [word.end() for word in _WORD.finditer(undated) if asked & words_of(word.group())]
    found = [(one.start(), one.group()) for one in pattern.finditer(undated)]
    behind = [(start - end, value) for start, value in found for end in ends if start >= end]
    before = [(end - start, value) for start, value in found for end in ends if start < end]
    return min(behind or before, default=(0, ""), key=lambda one: one[0])[1]


def _reason(sentence: str) -> str:
    """What a sentence gives as a reason, without its final mark; empty where it gives none."""
    text = sentence.rstrip(" .?!;")
    found = _REASON.search(text) or _PURPOSE.search(text)
    return " ".join(found["why"].split()[:_LONGEST_REASON]) if found else ""


def _name(asked: frozenset[str], text: str) -> str:
    """The longest run of words that neither the question nor every sentence has."""
    runs: list[list[str]] = [[]]
    for word in _NAME_PART.findall(text):
        parts = set(split_words(word))
        if not parts or parts <= asked or parts <= _STOP:
            runs.append([])
        else:
            runs[-1].append(word)
    best = max(runs, key=len)
    return " ".join(best[:LONGEST_NAME])


def _stays_with(lines: Sequence[ContextLine]) -> str:
    """How many stays the lines come from: those further apart than a gap are of two."""
    stays = 0
    last = None
    for line in lines:
        if last is None or line.time - last > _A_STAY_APART:
            stays += 1
        last = line.time
    if not stays:
        return ABSTENTION
    return f"{stays} hospitalization{'s' if stays > 1 else ''}"


def _share(asked: frozenset[str], text: str, weights: dict[str, float]) -> float:
    total = sum(weights.values())
    if not total:
        return 0.0
    return sum(weights[word] for word in asked & words_of(text)) / total


def _rarity(asked: frozenset[str], lines: Iterable[ContextLine]) -> dict[str, float]:
    """A weight for each word of a question: the fewer lines hold it, the more it counts."""
    held: Counter[str] = Counter()
    number = 0
    for line in lines:
        number += 1
        held.update(asked & words_of(line.text))
    return {word: math.log(1 + (1 + number) / (1 + held[word])) for word in asked}


def _content(text: str) -> frozenset[str]:
    return frozenset(
        word for word in split_words(text) if word not in _STOP and not DATE.match(word)
    )


@lru_cache(maxsize=16_384)
def words_of(text: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(split_words(text))
