"""What a turn says in numbers and dates, and whether the record or the clock bears it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from tasks.audit.grounding.claims import Checked, Turn
from tasks.audit.grounding.dates import length_of_stay, spans
from tasks.audit.grounding.items import Item, items, owner
from tasks.audit.grounding.numbers import DOSES, SPANS, Figure, Quantity, figures
from tasks.audit.grounding.record import RecordIndex
from tasks.audit.grounding.terms import Mention, longest
from tasks.audit.grounding.text import Sentence, word_set
from tasks.contracts.audit import Claim

_FORESEEN = word_set("in another next few")
"""Words before hours of small talk: ``in 2 hours``."""
_BOUNDED = word_set("in within for after over of every last past first by")
_REPEATS = word_set("daily a per each every weekly monthly")
_SAYINGS = {(24.0, 7.0), (50.0, 50.0)}
_OF_THE_DAY = word_set("tomorrow today tonight sharp")
_EMERGENCY = 911.0
_ORDINALS = ("st", "nd", "rd", "th")
_STAY_LENGTH = word_set("length stayed lasted")
_STAY = word_set("stay hospital hospitalization admission")
_OTHER_STAY = word_set("last previous earlier before")
_OF_ANY_VISIT = word_set(
    "clinic care appointment visit follow up see seen repeat have go to please need you your i "
    "i'll should will would like the a an of in within for with be come back again check at on "
    "this that is are it's what do make sure remember doctor level test and or after next know"
)
"""Words that tell no visit or test from another."""
_WEEK = 7
_MOLES = "mmol/"
_COUNTED_IN_MOLES = (
    "sodium", "potassium", "chloride", "bicarbonate", "lactate", "gap", "magnesium", "phosphate",
)  # fmt: skip
"""Whose bare numbers in American records are moles, or equivalents of about as much."""
_CARRIED = DOSES - {"ml", "%"}


def number_claims(
    turn: Turn, sentence: Sentence, mentions: Sequence[Mention], index: RecordIndex,
    carried: Item | None,
) -> Iterator[Checked]:  # fmt: skip
    """Each number of a sentence; ``carried`` is the medicine that an earlier sentence named."""
    found = figures(sentence)
    if not found or len(sentence.tokens) == 1:
        return
    known = items(sentence, mentions)
    named = [(one.start, one.end) for one in longest(mentions) if one.end - one.start > 1]
    for figure in found:
        inside = any(start <= figure.start < end for start, end in named)
        if inside or _is_talk(sentence, figure):
            continue
        item = owner(sentence, figure, known)
        if item is None and not known and figure.quantity.unit in _CARRIED:
            item = carried
        if item is None and figure.quantity == Quantity(100.0, "%"):
            continue
        yield Checked(
            Claim(kind="number", text=turn.words(sentence, figure.start, figure.end)),
            _borne_out(turn, sentence, figure, item, index),
        )


def last_medicine(sentence: Sentence, mentions: Sequence[Mention]) -> Item | None:
    """The medicine that a dose in the next sentence is meant for."""
    known = [item for item in items(sentence, mentions) if item.kind == "drug"]
    return known[-1] if known else None


def _is_talk(sentence: Sentence, figure: Figure) -> bool:
    """Whether a number is a manner of speaking that no record has to bear out."""
    keys = sentence.keys
    quantity = figure.quantity
    before = keys[figure.start - 1] if figure.start else ""
    behind = keys[figure.end] if figure.end < len(keys) else ""
    if figure.spelled:
        return _is_spoken_talk(quantity, before, behind)
    return (
        quantity.unit in ("minute", "second")
        or (quantity.unit == "hour" and before in _FORESEEN)
        or (quantity.value, quantity.second) in _SAYINGS
        or (quantity.value == _EMERGENCY and not quantity.unit)
        or (not quantity.unit and behind in (*_ORDINALS, "s"))
        or (not quantity.unit and before in ("at", "by") and behind in _OF_THE_DAY)
        or "scale" in keys
        or (quantity.value == 10 and keys[max(0, figure.start - 2) : figure.start] == ("out", "of"))
    )


def _is_spoken_talk(quantity: Quantity, before: str, behind: str) -> bool:
    """Number words count before a unit of medicine, or of a span that has a bound."""
    unit = quantity.unit
    if unit in DOSES or "/" in unit or unit.startswith("every "):
        return unit == "pill"
    if unit == "time":
        return behind not in _REPEATS
    if unit in ("day", "month", "year"):
        one_day = quantity == Quantity(1.0, "day")
        return one_day or not (before in _BOUNDED or behind in ("ago", "earlier"))
    return True


def _borne_out(
    turn: Turn, sentence: Sentence, figure: Figure, item: Item | None, index: RecordIndex
) -> bool:
    quantity = figure.quantity
    if item is not None:
        known = {
            one
            for one in _known(item.names, index) or _known(item.concepts, index)
            if one.is_frequency == quantity.is_frequency
        }
        if quantity.unit.startswith(_MOLES) and not _is_in_moles(item):
            return any(
                one.unit == quantity.unit and one.supports(quantity, same_item=True)
                for one in known
            )
        if any(one.supports(quantity, same_item=True) for one in known):
            return True
        if "measurement:hospital day" in item.names:
            return quantity.value in _day_numbers(turn, index)
        if known or (item.kind == "drug" and not quantity.is_frequency):
            return False
    if quantity.unit == "day" and _tells_stay(sentence, figure):
        return _is_stay_length(turn, quantity)
    elsewhere = any(
        one.supports(quantity, same_item=False) for one in index.quantities.get(quantity.value, ())
    )
    before = sentence.keys[figure.start - 1] if figure.start else ""
    ahead = before in ("in", "within")
    if ahead and elsewhere and quantity.unit in SPANS:
        return not _is_anothers(sentence, figure, index)
    if quantity.unit in SPANS | {"hour"} and not elsewhere:
        return quantity.value in spans(turn.bundle, turn.line.time, ahead=ahead)[quantity.unit]
    return elsewhere or _is_day(quantity, index)


def _is_in_moles(item: Item) -> bool:
    return any(name.endswith(_COUNTED_IN_MOLES) for name in item.names | item.concepts)


def _tells_stay(sentence: Sentence, figure: Figure) -> bool:
    """``the length of stay is …``, ``a stay of …``."""
    keys = sentence.keys
    if not _OTHER_STAY.isdisjoint(keys):
        return False
    told = not (_STAY_LENGTH.isdisjoint(keys) or _STAY.isdisjoint(keys))
    return told or keys[max(0, figure.start - 2) : figure.start] == ("stay", "of")


def _is_stay_length(turn: Turn, quantity: Quantity) -> bool:
    """Whether the stay lasted so many days, or rounds to so many weeks."""
    lengths = length_of_stay(turn.bundle)
    return quantity.value in lengths or quantity.value in {
        round(days / _WEEK) * _WEEK for days in lengths if days > _WEEK
    }


def _is_anothers(sentence: Sentence, figure: Figure, index: RecordIndex) -> bool:
    """Whether the record tells another span of what is said, and this one of other things only.

    ``primary care within one month`` where that is the time of the eye clinic.
    """
    said: set[str] = set()
    for key in reversed(sentence.keys[: figure.start]):
        if key in ("", "and", "then"):
            break
        said.add(key)
    said -= _OF_ANY_VISIT
    alike = [spans for words, spans in index.spans if said & words]
    return bool(alike) and all(figure.quantity not in spans for spans in alike)


def _known(concepts: frozenset[str], index: RecordIndex) -> set[Quantity]:
    return {number for one in concepts for number in index.of_item.get(one, ())}


def _day_numbers(turn: Turn, index: RecordIndex) -> set[int]:
    first = turn.bundle.admission_start.date()
    days: set[date] = {*index.days, turn.line.time.date()}
    return {(day - first).days + 1 for day in days}


def _is_day(quantity: Quantity, index: RecordIndex) -> bool:
    """Whether a pair of numbers is the month and day of a date of the record."""
    pair = (quantity.value, quantity.second)
    return quantity.second is not None and any(
        pair in ((day.month, day.day), (day.day, day.month)) for day in index.days
    )
