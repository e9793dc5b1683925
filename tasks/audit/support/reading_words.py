"""Texts as words, numbers and dates that can be compared, with the breaks between them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

SENTENCE = 1000
"""What the end of a sentence adds to the distance of two words; a comma adds 2, an “and” 1."""

_BREAKS = ((re.compile(r"\n|[.!?…](?=\s|$|[\"'”)])"), SENTENCE), (re.compile(r";"), 4))
_COMMA = re.compile(r",|\s[-\u2013\u2014]\s")
_JOINING = frozenset({"and", "or", "but", "while", "whereas"})
_JOINTS = ("-", "/", "\u2013")
LINKING = frozenset(
    [
        "of",
        "in",
        "with",
        "without",
        "and",
        "to",
        "for",
        "by",
        "a",
        "on",
        "or",
        "than",
        "due",
        "at",
        "as",
        "from",
    ]
)
"""Words that link others and name nothing."""

_SKIPPED = frozenset({"the", "an"})
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sep sept", "october oct", "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_TOKEN = re.compile(
    r"(?P<iso>\d{4}-\d{1,2}-\d{1,2})(?!\d)"
    r"|(?P<us>\d{1,2}/\d{1,2}/\d{4})(?!\d)"
    rf"|(?P<named>\b(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b(?!:))"
    rf"|(?P<day>\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b\.?(?:,? \d{{4}})?)"
    r"|(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|(?<![\w.])\.\d+)"
    r"|(?P<word>[^\W\d_]+(?:['\u2019][^\W\d_]+)?)",
    re.IGNORECASE,
)
_SPELLED = {
    "a fib": "afib", "a-fib": "afib", "w/o": "without", "w/": "with", "&": " and ",
    "%": " percent ", "+": " plus ",
}  # fmt: skip
_SPELLING = re.compile(
    r"\ba[ -]fib\b|\bw/o\b|\bw/(?=[\s\d])|&|%|\+(?=\s|$|[.,;:?!)])", re.IGNORECASE
)
_ALIASES = {
    "abd": "abdomen", "bilat": "bilateral", "lat": "lateral", "ext": "extremity",
    "exts": "extremity", "unilat": "unilateral",
    "yr": "year", "hr": "hour", "hrs": "hour", "wk": "week", "min": "minute", "mins": "minute",
    "milligram": "mg", "gram": "g", "microgram": "mcg", "milliliter": "ml", "tab": "tablet",
    "cap": "capsule", "pill": "tablet", "iv": "intravenous",
    "admitted": "admission", "discharged": "discharge", "denial": "denied", "denies": "denied",
    "xray": "radiograph",
}  # fmt: skip
NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
}
_KEPT = frozenset(
    [
        "this",
        "his",
        "its",
        "was",
        "has",
        "does",
        "as",
        "is",
        "us",
        "yes",
        "plus",
        "always",
        "perhaps",
        "less",
        "across",
        "during",
        "evening",
        "morning",
        "nothing",
        "something",
        "anything",
        "everything",
        "thing",
        "being",
        "bring",
        "spring",
        "king",
        "ring",
        "sing",
        "red",
        "bed",
        "need",
        "bleed",
        "feed",
        "speed",
        "weed",
        "shed",
        "led",
        "status",
        "virus",
        "was",
        "sinus",
        "focus",
        "versus",
        "thus",
    ]
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or date: ``key`` is what is compared, ``breaks`` what lies before it."""

    kind: str
    key: str
    breaks: int
    aside: bool = False
    """Stands right behind an opening bracket."""
    start: int = 0
    end: int = 0
    """Where it stands in the text."""
    joined: bool = False
    """Hangs on the word before it by a hyphen or stroke."""


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A text as tokens, with the places of each key."""

    tokens: tuple[Token, ...]
    plain: str
    places: dict[str, tuple[int, ...]]

    def distance(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """Breaks between two stretches of tokens; 0 where they touch or overlap."""
        first, last = sorted((one, other))
        if last[0] < first[1]:
            return 0
        return self.tokens[last[0]].breaks - self.tokens[first[1] - 1].breaks

    def find(self, keys: Sequence[str]) -> list[tuple[int, int]]:
        """Where keys follow one another."""
        size = len(keys)
        return [
            (start, start + size)
            for start in (self.places.get(keys[0], ()) if keys else ())
            if start + size <= len(self.tokens)
            and all(self.tokens[start + n].key == keys[n] for n in range(1, size))
        ]


@lru_cache(maxsize=65536)
def read_text(text: str, year: int | None = None) -> Text:
    """Read a text; ``year`` completes dates that are spoken without one."""
    plain = unicodedata.normalize("NFKC", text)
    plain = _SPELLING.sub(lambda found: _SPELLED[found[0].lower()], plain)
    tokens: list[Token] = []
    breaks = end = 0
    for found in _TOKEN.finditer(plain):
        gap = plain[end : found.start()]
        breaks += _break(gap, tokens)
        end = found.end()
        kind, key = _token(found, year)
        if kind == "word" and key in _SKIPPED:
            continue
        breaks += key in _JOINING
        tokens.append(Token(kind, key, breaks, gap.endswith("("), *found.span(), gap in _JOINTS))
    places: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        places.setdefault(token.key, []).append(place)
    return Text(tuple(tokens), plain, {key: tuple(found) for key, found in places.items()})


def _break(gap: str, before: list[Token]) -> int:
    initial = bool(before) and len(before[-1].key) == 1 and before[-1].kind == "word"
    for pattern, weight in _BREAKS:
        if pattern.search(gap) and not (initial and gap.strip() == "."):
            return weight
    return 2 if _COMMA.search(gap) else 0


def _token(found: re.Match[str], year: int | None) -> tuple[str, str]:
    kind = found.lastgroup or "word"
    if kind == "number":
        return "number", number_key(found[0])
    if kind == "clock":
        return "clock", found[0]
    if kind == "word":
        return "word", stem(found[0])
    day = _day(kind, found[0], year)
    return ("date", day.isoformat()) if day else ("word", found[0].casefold())


def _day(kind: str, text: str, year: int | None) -> date | None:
    numbers = [int(one) for one in re.findall(r"\d+", text)]
    try:
        if kind == "iso":
            return date(*numbers)
        if kind == "us":
            return date(numbers[2], numbers[0], numbers[1])
        name = next(one for one in re.findall(r"[a-z]+", text.casefold()) if one in _MONTHS)
        given = numbers[1] if len(numbers) > 1 else year
        return date(given, _MONTHS[name], numbers[0]) if given else None
    except (ValueError, TypeError):
        return None


def number_key(text: str) -> str:
    """A number by its value: ``1,000`` is ``1000`` and ``0.50`` is ``0.5``."""
    value = float(text.replace(",", ""))
    return f"{value:.6f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without case and endings, so that ``started`` and ``starts`` are one."""
    plain = word.casefold().replace("\u2019", "'")
    plain = plain.removesuffix("'s").removesuffix("'")
    if plain in NUMBER_WORDS:
        return NUMBER_WORDS[plain]
    if plain in _ALIASES:
        return stem(_ALIASES[plain])
    if plain in _KEPT or len(plain) < 4 or not plain.isalpha():
        return plain
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch")):
        if plain.endswith(ending) and len(plain) > len(ending) + 2:
            return stem(plain.removesuffix(ending) + instead)
    if plain.endswith("s") and plain[-2] not in "sui":
        return stem(plain[:-1])
    return _verb(plain)


def _verb(plain: str) -> str:
    for ending in ("ing", "ed"):
        root = plain.removesuffix(ending)
        if root != plain and len(root) > 2 and re.search(r"[aeiouy]", root):
            if root[-1] == root[-2] and root[-1] not in "ls":
                return root[:-1]
            return root
    if plain.endswith("e") and plain[-2] not in "aeu" and len(plain) > 4:
        return plain[:-1]
    return plain


def keys_of(text: str) -> tuple[str, ...]:
    """The keys of a text in order."""
    return tuple(token.key for token in read_text(text).tokens)
