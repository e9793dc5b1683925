"""Finds a disease by any of its spellings, by one stated rule (docs/preconsultation.md)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tasks.contracts.preconsultation import Placed

_PARENTHESES = re.compile(r"\(([^()]*)\)")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
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
class Names:
    """The diseases of the guidelines by every part of their names.

    ``aliases`` maps further spellings to diseases, in any spelling that the rule itself finds;
    ``fallback`` does for those that are in neither.
    """

    diseases: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    fallback: Mapping[str, str] = field(default_factory=dict[str, str])

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
            found = self._by_table(spelling, self.aliases) or self._by_table(
                spelling, self.fallback
            )
            how = "alias"
        if len(found) == 1:
            return Placement(next(iter(found)), how)
        if found:
            reason = f"the disease name fits {len(found)} diseases of the guidelines"
        elif self._aliases_of(spelling, self.aliases):
            reason = "the disease that the alias of its name leads to is none of the guidelines"
        else:
            reason = "the disease name fits no disease of the guidelines"
        return Placement(reason=f"{reason}: name the right one in a file of --aliases")

    def _whole(self, spelling: str) -> set[str]:
        folded = fold(spelling)
        return {one for one in self.diseases if fold(one) == folded}

    def _stated(self, spelling: str) -> set[str]:
        """By an alias that is the whole spelling: whoever wrote it knows more than the rule."""
        folded = fold(spelling)
        targets = [target for alias, target in self.aliases.items() if fold(alias) == folded]
        return {one for target in targets for one in self._by_parts(target)}

    def _by_parts(self, spelling: str) -> set[str]:
        wanted = set(parts(spelling))
        return self._whole(spelling) or {one for one in self.diseases if wanted & set(parts(one))}

    def _by_table(self, spelling: str, table: Mapping[str, str]) -> set[str]:
        return {
            one for target in self._aliases_of(spelling, table) for one in self._by_parts(target)
        }

    @staticmethod
    def _aliases_of(spelling: str, table: Mapping[str, str]) -> list[str]:
        wanted = set(parts(spelling))
        return [target for alias, target in table.items() if wanted & set(parts(alias))]


def fold(name: str) -> str:
    """A name without case, width, kinds of dashes, extra blanks and punctuation at its ends."""
    text = unicodedata.normalize("NFKC", name)
    return " ".join(_DASHES.sub("-", text).casefold().split()).strip(" .,;:")


def parts(name: str) -> Iterator[str]:
    """The folded name and its parts: outside and inside parentheses, and between commas.

    A part that only qualifies a name, as *acute* or *type 2*, is none.
    """
    text = fold(name)
    yield text
    pieces: Iterable[str] = (_PARENTHESES.sub(" ", text), *_PARENTHESES.findall(text))
    for piece in pieces:
        for one in (piece, *piece.split(",")):
            plain = " ".join(one.split())
            if len(plain) >= _FEWEST_LETTERS and not _QUALIFIER.fullmatch(plain):
                yield plain
