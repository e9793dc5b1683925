"""Words, numbers and sentences of turns and notes, as the grounding audit compares them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?|(?<!\d)\.\d+"
    r"|[^\W\d_](?:[^\W_]|['\u2019](?=[^\W\d_]))*"
    r"|[-.,;:?!()/%*#<>+\u2013°]"
)
# What must not stand in front is looked for last: it is the slow part, and full stops are few.
_SENTENCE_END = re.compile(
    r"[.?!](?=[\s\"')]|$)(?<![\s.][A-Za-z].)(?<!\b[DM]r.)(?<!\bMs.)(?<!\bMrs.)(?<!\bvs.)|[;\n]"
)
_NEW_ENTRY = re.compile(
    r"\s*(?:\d{1,2}[.)]\s|\[[ x_]*\]|[-*#\u2022=]|_{2,}|[A-Z][\w /&()-]{0,40}:|$)"
)
_ENUMERATOR = re.compile(r"^\s*\d{1,2}[.)]\s+(?=\D)")
_HEADING = re.compile(r"^[A-Z][A-Za-z /&]{2,40}:\s*$")
_SHORT_FORMS = {
    "w/o": "without",
    "w/": "with ",
    "r/o": "rule out",
    "b/l": "bilateral",
    "u.s.": "US",
}
_SHORT_FORM = re.compile(r"(?<!\w)(?:w/o|r/o|b/l|u\.s\.)(?!\w)|(?<!\w)w/", re.IGNORECASE)
_WORDS_MEANT = {"abd": "abdomen", "bilat": "bilateral", "unilat": "unilateral"}
_SHORTEST_GREEK = len("oedema")
"""Letters of the shortest word with a British ``ae`` or ``oe``; ``toe`` has none."""
_KEYS_KEPT = 1 << 16


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, list entry or row: its tokens, and for each the form that is compared."""

    tokens: tuple[str, ...]
    keys: tuple[str, ...]
    starts: tuple[int, ...] = ()
    """Where each token of a turn stands in the turn; empty for a record's sentences."""
    asks: bool = False
    """It ends in a question mark."""
    of_family: bool = False
    """It stands under the heading of the family's history."""


def sentence_of(text: str, *, asks: bool = False, of_family: bool = False) -> Sentence:
    """A text that is one sentence of a record."""
    tokens = tuple(_TOKEN.findall(text))
    return Sentence(tokens, tuple(map(key_of, tokens)), asks=asks, of_family=of_family)


def turn_sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a turn; positions count from the turn's start."""
    for start, end, asks in _cut(text):
        found = [(match[0], match.start()) for match in _TOKEN.finditer(text, start, end)]
        if found:
            tokens, starts = zip(*found, strict=True)
            yield Sentence(tokens, tuple(map(key_of, tokens)), starts, asks)


def note_sentences(text: str) -> Iterator[Sentence]:
    """Sentences and list entries of a note, whose lines are wrapped at a width."""
    for entry, of_family in _entries(spelled_out(text)):
        for start, end, asks in _cut(entry):
            if start < end:
                yield sentence_of(entry[start:end], asks=asks, of_family=of_family)


def spelled_out(text: str) -> str:
    """A note's text without the short forms that hold slashes and full stops."""
    return _SHORT_FORM.sub(lambda found: _SHORT_FORMS[found[0].lower()], text)


def _cut(text: str) -> Iterator[tuple[int, int, bool]]:
    start = 0
    for stop in _SENTENCE_END.finditer(text):
        if stop.start() > start:
            yield start, stop.start(), stop[0] == "?"
        start = stop.end()
    if text[start:].strip():
        yield start, len(text), False


def _entries(text: str) -> Iterator[tuple[str, bool]]:
    """Paragraphs and list entries on one line each, and whether they stand under the family."""
    collected: list[str] = []
    of_family = False
    for line in text.splitlines():
        if _NEW_ENTRY.match(line):
            if collected:
                yield " ".join(collected), of_family
            collected = []
        if _HEADING.match(line):
            of_family = "family" in line.lower()
        if line.strip():
            number = _ENUMERATOR.match(line)
            collected.append((line[number.end() :] if number else line).strip())
    if collected:
        yield " ".join(collected), of_family


@lru_cache(maxsize=_KEYS_KEPT)
def key_of(token: str) -> str:
    """A word without case, possessive, plural and British spelling; empty for punctuation."""
    if not token[0].isalnum():
        return token if token[0] == "." and len(token) > 1 else ""
    # In capitals it is a scan, in small letters it's us.
    word = "ultrasound" if token == "US" else token.casefold()
    word = _WORDS_MEANT.get(word, word).replace("\u2019", "'").removesuffix("'s")
    if word[0].isdigit():
        return word
    if len(word) >= _SHORTEST_GREEK:
        word = word.replace("ae", "e").replace("oe", "e")
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


def keys_of(text: str) -> tuple[str, ...]:
    """The words of a text in the form that is compared, without punctuation."""
    return tuple(key for key in map(key_of, _TOKEN.findall(text)) if key)


def word_set(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())
