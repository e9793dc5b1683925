"""What a turn says in numbers and dates, and whether the record or the clock bears it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from tasks.audit.grounding_claims import Checked, Turn
from tasks.audit.grounding_dates import Clock, Dated, length_of_stay, spans
from tasks.audit.grounding_items import Item, items, owner
from tasks.audit.grounding_numbers import DOSES, Figure, Quantity, figures
from tasks.audit.grounding_record import SAMPLE, RecordIndex
from tasks.audit.grounding_terms import Mention, longest
from tasks.audit.grounding_text import Sentence, word_set
from tasks.contracts.audit import Claim

_SPANS = frozenset(("day", "hour", "month", "year"))
_FORESEEN = word_set("in another next few")
"""Words before hours of small talk: ``in 2 hours``."""
_BOUNDED = word_set("in within for after over of every last past first by")
_REPEATS = word_set("daily a per each every weekly monthly")
_SAYINGS = {(24.0, 7.0), (50.0, 50.0)}
_OF_THE_DAY = word_set("tomorrow today tonight sharp")
_EMERGENCY = 911.0
_ORDINALS = ("st", "nd", "rd", "th")
_STAY_LENGTH = frozenset(("length", "stayed", "lasted"))
_WEEK = 7
_ATTACHED = 6
_ATTACHING = word_set(
    "of from on dated taken done performed was were is the a carried out made drawn sent "
    "collected obtained that you had to routine culture screen result"
)
_PARTING = word_set("and but then before after since until when while because")
_CARRIED = DOSES - {"ml", "%"}


def number_claims(
    turn: Turn, sentence: Sentence, mentions: Sequence[Mention], index: RecordIndex,
    carried: Item | None,
) -> Iterator[Checked]:  # fmt: skip
    """Each number of a sentence; ``carried`` is the medicine that an earlier sentence named."""
    known = items(sentence, mentions)
    named = [(one.start, one.end) for one in longest(mentions) if one.end - one.start > 1]
    found = figures(sentence)
    if len(sentence.tokens) == 1:
        return
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
        if any(one.supports(quantity, same_item=True) for one in known):
            return True
        if "measurement:hospital day" in item.names:
            return quantity.value in _day_numbers(turn, index)
        if known or (item.kind == "drug" and not quantity.is_frequency):
            return False
    if quantity.unit == "day" and not _STAY_LENGTH.isdisjoint(sentence.keys):
        return _is_stay_length(turn, quantity)
    elsewhere = any(
        one.supports(quantity, same_item=False) for one in index.quantities.get(quantity.value, ())
    )
    if quantity.unit in _SPANS and not elsewhere:
        before = sentence.keys[figure.start - 1] if figure.start else ""
        ahead = before in ("in", "within")
        return quantity.value in spans(turn.bundle, turn.line.time, ahead=ahead)[quantity.unit]
    return elsewhere or _is_day(quantity, index)


def _is_stay_length(turn: Turn, quantity: Quantity) -> bool:
    """Whether the stay lasted so many days, or rounds to so many weeks."""
    lengths = length_of_stay(turn.bundle)
    return quantity.value in lengths or quantity.value in {
        round(days / _WEEK) * _WEEK for days in lengths if days > _WEEK
    }


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


def date_claims(
    turn: Turn, dated: Sequence[Dated], sentences: Sequence[tuple[Sentence, list[Mention]]],
    index: RecordIndex,
) -> Iterator[Checked]:  # fmt: skip
    """Each date and time of day of a turn; a date said of an event has to be that event's."""
    for one in dated:
        if isinstance(one.what, Clock):
            supported = one.what.is_among(index.clocks) or one.what.is_near(turn.line.time)
        else:
            days = _days_meant(turn, one, sentences, index)
            supported = one.what.is_among(days or {*index.days, turn.line.time.date()}) or (
                not days and one.what in index.days_named
            )
        yield Checked(Claim(kind="date", text=one.text), supported)


def _days_meant(
    turn: Turn, dated: Dated, sentences: Sequence[tuple[Sentence, list[Mention]]],
    index: RecordIndex,
) -> set[date]:  # fmt: skip
    """The days of the event that a date is said of; none where it stands by itself."""
    around = [known for known in sentences if known[0].starts[0] < dated.start] or sentences[:1]
    if not around:
        return set()
    sentence, mentions = around[-1]
    place = sum(1 for start in sentence.starts if start < dated.start)
    before, behind = sentence.keys[:place], sentence.keys[place:]
    days = _ends_meant(turn, before, behind)
    if days or "previous" in before[-_ATTACHED:]:
        return days
    events = [one for one in longest(mentions) if one.term.kind in ("procedure", "organism")]
    names = [
        name
        for one in events
        if _leads_on(before[one.end :], one.end <= place)
        or _leads_back(behind[: max(0, one.start - place)], one.start >= place)
        for name in one.term.concepts
    ]
    if not events and before[-2:-1] in (("sample",), ("specimen",), ("culture",)):
        names = [SAMPLE]
    days = {day for name in names for day in index.days_of.get(name, ())}
    return days | index.earlier_days if days else days


def _ends_meant(turn: Turn, before: Sequence[str], behind: Sequence[str]) -> set[date]:
    """The day a stay began or ended, where a date is said to be that."""
    stays = [turn.bundle, turn.bundle.previous_admission_summary]
    begun = {one.admission_start.date() for one in stays if one is not None}
    ended = {one.admission_end.date() for one in stays if one is not None}
    told = before[-3:]
    in_stay = "stay" in before or "hospitalized" in before
    for words, days in (("discharge", ended), ("admission", begun)):
        if told[-2:] == (words, "date") or told == (words, "date", "is"):
            return days
        if (words, "date") in pairwise(behind[:6]):
            return days
    if told[-2:] == ("discharged", "on"):
        return ended
    if told[-2:] == ("admitted", "on") or (in_stay and behind[:1] == ("to",)):
        return begun
    return ended if in_stay and told[-1:] == ("to",) else set()


def _leads_on(between: Sequence[str], is_before: bool) -> bool:
    """``the CT of the head taken on …``: the words between an event and its date."""
    words = [key for key in between if key]
    return (
        is_before
        and 0 < len(words) <= _ATTACHED
        and words[-1] in _ATTACHING
        and _PARTING.isdisjoint(words)
    )


def _leads_back(between: Sequence[str], is_behind: bool) -> bool:
    """``on … you had a colonoscopy``: the words between a date and its event."""
    words = [key for key in between if key]
    return is_behind and len(words) <= _ATTACHED and _ATTACHING.issuperset(words)
