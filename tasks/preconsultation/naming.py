"""Finds a disease by any of its spellings, by one stated rule (docs/preconsultation.md)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from tasks.contracts.preconsultation import Placed

_PARENTHESES = re.compile(r"\(([^()]*)\)")
_BRACKETS = str.maketrans("[]{}", "()()")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_ENDS = " .,;:'\"\u2018\u2019\u201c\u201d"
_DIVIDERS = re.compile(r"[,;/|]|\s-\s")
_INVERTED = re.compile(r"([^,]+),([^,]+)")
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_BETWEEN_LETTERS = re.compile(r"[\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_BRITISH = re.compile("[ao]e")
_PLURAL = 5
"""Letters of the shortest word whose last s is taken for a plural's: not that of AIDS."""
_FEWEST_LETTERS = 2
_QUALIFIER = re.compile(
    r"acute|chronic|sub-?acute|recurrent|primary|secondary|mild|moderate|severe|active|benign"
    r"|malignant|congenital|idiopathic|unspecified|uncomplicated|other|nos|left|right|bilateral"
    r"|adult|child|childhood|(?:type|stage|grade) ?(?:\d|i{1,3}|iv|[ab])"
    r"|급성|만성|재발성|기타|상세불명|제?\s?\d형|\d기"
)
"""What only qualifies a name: "Sepsis, acute" is no "Hepatitis, acute"."""


@dataclass(frozen=True)
class Placement:
    """The disease that a spelling means, or why it can't be told."""

    disease: str = ""
    how: Placed = "exact"
    reason: str = ""


@dataclass(frozen=True)
class Known:
    """Names that mean the same disease, and those of its kinds."""

    names: tuple[str, ...]
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Names:
    """The diseases of the guidelines by every part of their names.

    ``aliases`` maps further spellings to diseases, in any spelling that the rule itself finds;
    ``known`` tells which names mean the same, for those that are in neither.
    """

    diseases: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    known: tuple[Known, ...] = ()

    def place(self, spelling: str) -> Placement:
        """The disease a spelling means: as it is, by the aliases, by its parts, by any table.

        A spelling whose parts lead to two diseases is refused, as is one that leads to none.
        """
        if spelling in self.diseases:
            return Placement(spelling)
        found, how = self._whole(spelling), "repaired"
        if not found and (stated := self._stated(spelling)):
            found, how = stated, "alias"
        if not found:
            found = self._by_parts(spelling)
        if not found:
            found = self._by_alias(spelling) or self._by_known(spelling)
            how = "alias"
        if len(found) == 1:
            return Placement(next(iter(found)), how)
        return Placement(reason=f"{self._why(spelling, found)} in a file of --aliases")

    def _why(self, spelling: str, found: set[str]) -> str:
        if found:
            reason = f"the disease name fits {len(found)} diseases of the guidelines"
        elif any(keys(spelling) & keys(alias) for alias in self.aliases):
            reason = "the disease that the alias of its name leads to is none of the guidelines"
        else:
            reason = "the disease name fits no disease of the guidelines"
        return f"{reason}: name the right one"

    def _whole(self, spelling: str) -> set[str]:
        key = letters(spelling)
        return {one for one in self.diseases if key and letters(one) == key}

    def _by_parts(self, spelling: str) -> set[str]:
        wanted = keys(spelling)
        return self._whole(spelling) or {one for one in self.diseases if wanted & keys(one)}

    def _stated(self, spelling: str) -> set[str]:
        """By an alias that is the whole spelling: whoever wrote it knows more than the rule."""
        key = letters(spelling)
        return self._led_to(alias for alias in self.aliases if key and letters(alias) == key)

    def _by_alias(self, spelling: str) -> set[str]:
        """By aliases that share a part with the spelling."""
        return self._led_to(alias for alias in self.aliases if keys(spelling) & keys(alias))

    def _led_to(self, aliases: Iterable[str]) -> set[str]:
        targets = [self.aliases[alias] for alias in aliases]
        return {one for name in targets for one in self._by_parts(name) or self._by_known(name)}

    def _by_known(self, spelling: str) -> set[str]:
        """By a table in which the spelling and the guidelines' name mean the same, else a kind."""
        wanted = keys(spelling)
        same = [one for one in self.known if wanted & _all_keys(one.names)]
        kinds = [one for one in self.known if wanted & _all_keys(one.kinds)]
        return self._of(same) or self._of(kinds)

    def _of(self, meanings: Iterable[Known]) -> set[str]:
        meant = {key for one in meanings for key in _all_keys(one.names)}
        return {one for one in self.diseases if meant & keys(one)}


def fold(name: str) -> str:
    """A name without case, width, kinds of dashes and brackets, extra blanks, marks at its ends."""
    text = unicodedata.normalize("NFKC", name).translate(_BRACKETS)
    return " ".join(_DASHES.sub("-", text).casefold().split()).strip(_ENDS)


def parts(name: str) -> Iterator[str]:
    """The folded name and its parts: outside and inside brackets, and between dividers.

    Dividers are commas, semicolons, slashes and dashes with blanks around them; what a comma
    inverts (*colitis, ulcerative*) is turned round too. A part that only qualifies a name, as
    *acute* or *type 2*, is none.
    """
    text = fold(name)
    yield text
    pieces: Iterable[str] = (_PARENTHESES.sub(" ", text), *_PARENTHESES.findall(text))
    for piece in pieces:
        inverted = _INVERTED.fullmatch(piece)
        turned = () if inverted is None else (f"{inverted[2]} {inverted[1]}",)
        for one in (piece, *turned, *_DIVIDERS.split(piece)):
            plain = " ".join(one.split()).strip(_ENDS)
            if len(plain) >= _FEWEST_LETTERS and not _QUALIFIER.fullmatch(plain):
                yield plain


@lru_cache(maxsize=4096)
def letters(name: str) -> str:
    """A name's letters and digits alone, the same for all its spellings.

    So hyphens, blanks, dots, apostrophes, accents, plurals and *ae* or *oe* for *e* make no other
    name: *A-Fib* is *AFib*, and Korean words may be written together.
    """
    return "".join(plain_words(name))


@lru_cache(maxsize=4096)
def keys(name: str) -> frozenset[str]:
    """The letters of a name and of each of its parts; none for a name without any."""
    return frozenset(key for part in parts(name) if (key := letters(part)))


def plain_words(text: str) -> tuple[str, ...]:
    """The words whose letters ``letters`` joins."""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", _POSSESSIVE.sub("", fold(text))))
    words = _BETWEEN_LETTERS.split(unicodedata.normalize("NFC", plain))
    return tuple(_singular(word) for word in words if word)


def _all_keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(keys, names))


def _singular(word: str) -> str:
    if not word.isascii():
        return word
    if len(word) >= _PLURAL and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
    return _BRITISH.sub("e", word)
