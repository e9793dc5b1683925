"""What a turn says in dates and times of day, and whether the record or the clock bears it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from tasks.audit.grounding.claims import Checked, Turn
from tasks.audit.grounding.dates import Clock, Dated
from tasks.audit.grounding.record import SAMPLE, RecordIndex
from tasks.audit.grounding.terms import Mention, longest
from tasks.audit.grounding.text import Sentence, word_set
from tasks.contracts.audit import Claim

_LEAVING = word_set("discharge discharged leave")
_COMING = word_set("admission admitted")
_NEAR_ENDS = 4
_AROUND_ENDS = word_set("before after until since day days between")
_IN_STAY = word_set("stay hospitalized hospital here")
_ATTACHED = 6
_ATTACHING = word_set(
    "of from on dated taken done performed was were is the a carried out made drawn sent "
    "collected obtained that you had to routine culture screen result"
)
_PARTING = word_set("and but then before after since until when while because")


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
    near = before[-_NEAR_ENDS:]
    if not _AROUND_ENDS.isdisjoint(near):
        return set()
    for words, days in ((_LEAVING, ended), (_COMING, begun)):
        if not words.isdisjoint(near) or any(
            one in words and other == "date" for one, other in pairwise(behind[:6])
        ):
            return days
    in_stay = not _IN_STAY.isdisjoint((*before, *behind[:8]))
    if in_stay and before[-1:] == ("from",) and behind[:1] == ("to",):
        return begun
    return ended if in_stay and before[-2:] == ("from", "to") else set()


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
