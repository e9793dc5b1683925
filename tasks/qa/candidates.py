"""Question candidates: a family of forms with its slots filled, the answer and the turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from tasks.qa.aspects import Reading
from tasks.qa.casing import spoken
from tasks.qa.stays import Cite

CALENDAR = "calendar"
"""Group of candidates about the dates of stays; their target is a later stay."""

ORDINALS = ("next", "second following", "third following")
"""How questions name a stay by its place after another one."""

_SINGULAR_ENDINGS = ("ss", "us", "is", "as", "os")


@dataclass(frozen=True)
class Candidate:
    """Something that can be asked and answered.

    ``targets`` names the slots that an adversarial copy may fill with something absent; ``group``
    is the vocabulary such targets come from. ``offers``: the question itself names the answer as
    one of its options. ``fallback``: asked only where the record supplies nothing better.
    ``filler``: says nothing of what its type is about, asked last and counted as a substitution.
    ``plain``: reads one statement back without relating it to anything, asked rarely.
    ``guessable``: the answer is that of somebody who only counts the stays which the question
    spans; asked where nothing better is left. ``among`` names a part of the group that alone suits
    the question.
    """

    family: str
    slots: Mapping[str, str]
    targets: tuple[str, ...]
    group: str
    answer: str
    cites: tuple[Cite, ...]
    offers: bool = False
    fallback: bool = False
    filler: bool = False
    plain: bool = False
    guessable: bool = False
    among: str = ""

    @property
    def vocabulary(self) -> str:
        """Name of the targets that suit the question: those of its family, unit and magnitude.

        Insulin is not taken in mg, and no potassium lies above 140.
        """
        parts = (
            self.family,
            self.among,
            self.slots.get("unit", ""),
            _magnitude(self.slots.get("bound", "")),
        )
        return " ".join(part for part in parts if part)

    @property
    def counts(self) -> bool:
        """Whether the answer is the number of the cited turns."""
        number, _, counted = self.answer.partition(" ")
        return counted.startswith(("hospitalizations", "different ")) and number.isdigit()

    def labels(self) -> Iterable[str]:
        """The targets asked about, without regard to case."""
        return (self.slots[name].casefold() for name in self.targets)


def lookup(
    reading: Reading, *, fallback: bool = False, filler: bool = False, plain: bool = False
) -> Candidate:
    """Ask for the answer of one reading; aspects without a vocabulary have no target."""
    aspect = reading.aspect
    slots = (
        {"target": spoken(reading.target), **reading.slots} if aspect.group else dict(reading.slots)
    )
    return Candidate(
        family=aspect.family,
        slots=slots,
        targets=("target",) if aspect.group else (),
        group=aspect.group,
        answer=reading.answer,
        cites=(reading.cite,),
        offers=aspect.offers,
        fallback=fallback,
        filler=filler,
        plain=plain,
    )


def _magnitude(bound: str) -> str:
    """The power of ten of a number: ``e1`` for 25; nothing where there is none."""
    return f"e{Decimal(bound).adjusted()}" if bound else ""


def days_phrase(days: int) -> str:
    """``1 day``, ``12 days``."""
    return f"{days} day" if days == 1 else f"{days} days"


def was_or_were(target: str) -> str:
    """The verb that a target takes: ``were`` for several things or a plural."""
    last = target.rpartition(" ")[2].casefold()
    several = " and " in target and " against " not in target
    plural = len(last) > 4 and last.endswith("s") and not last.endswith(_SINGULAR_ENDINGS)
    return "were" if several or plural else "was"
