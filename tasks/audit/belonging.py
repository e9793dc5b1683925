"""Which value of a turn belongs to the thing asked about: 40 mg is the furosemide's, not the other's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.audit.cues import ACTIONS, PHASES, Cue, cues_of
from tasks.audit.question_reading import Reading, Term
from tasks.audit.reading_words import SENTENCE, Text
from tasks.audit.spoken import Span, Turn, mentions
from tasks.audit.values import Answer, Value, values_in

_FAR = 2 * SENTENCE
"""A value more than a sentence away from a thing is not the thing's."""


@dataclass(frozen=True)
class Asked:
    """A question with what is needed to look for its thing in turns."""

    reading: Reading
    things: tuple[Term, ...]
    """Other things of the patient's questions, whose values could be mistaken for the answer."""
    said: frozenset[str]
    """Every word of the patient's timeline and record."""
    cache: dict[tuple[str, tuple[str, ...]], list[Span]] = field(
        default_factory=dict, compare=False
    )

    def spans(self, turn: Turn, term: Term) -> list[Span]:
        """Where a turn names a thing."""
        key = (turn.place, term.keys)
        if key not in self.cache:
            self.cache[key] = mentions(turn.text, term, required=self.said)
        return self.cache[key]


def fits(asked: Asked, turn: Turn) -> bool:
    """Whether a turn can be about what is asked: not the home list for a discharge dose."""
    wanted = asked.reading.cues & PHASES
    if not wanted or wanted & turn.cues:
        return True
    spoken = turn.cues & PHASES
    if wanted == {Cue.DISCHARGE}:
        return turn.late or not spoken
    if Cue.DISCHARGE in wanted:
        return True
    return not (Cue.DISCHARGE in spoken and turn.late)


def acts(asked: Asked, turn: Turn, span: Span) -> bool:
    """Whether the sentence around a place tells of the action asked about, or of none."""
    wanted = asked.reading.cues & ACTIONS
    if not wanted:
        return True
    told = cues_of(_sentence(turn.text, span)) & ACTIONS
    return not told or bool(told & wanted)


def _sentence(text: Text, span: Span) -> str:
    return " ".join(
        token.key
        for place, token in enumerate(text.tokens)
        if text.distance((place, place + 1), span) < SENTENCE
    )


def owned(asked: Asked, turn: Turn, answer: Answer, terms: Sequence[Term]) -> list[Value]:
    """The values of an answer's kind that belong to one of the things in a turn."""
    candidates = values_in(turn.text, answer.kind, answer)
    if not terms:
        return candidates
    spans = [span for term in terms for span in asked.spans(turn, term)]
    candidates = [
        one for one in candidates if not any(_within(one.span, span) for span in spans)
    ]
    kept = [
        value
        for value in candidates
        if any(_nearest(turn.text, span, value.span, candidates) for span in spans)
    ]
    return [value for value in kept if acts(asked, turn, value.span)]


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _nearest(text: Text, thing: Span, value: Span, rivals: Sequence[Value]) -> bool:
    """No rival of a value is nearer to a thing; what follows it wins over what precedes it."""
    distance = text.distance(thing, value)
    if distance >= _FAR:
        return False
    for rival in rivals:
        if rival.span == value:
            continue
        other = text.distance(thing, rival.span)
        if other < distance:
            return False
        if other == distance and rival.span[0] >= thing[1] and value[1] <= thing[0]:
            return False
    return True


def states(asked: Asked, turn: Turn, answer: Answer, terms: Sequence[Term]) -> list[Span]:
    """Where a turn says an answer word for word, of one of the things."""
    places = turn.text.find(answer.keys)
    if not places or not terms:
        return places
    things = [span for term in terms for span in asked.spans(turn, term)]
    rivals = [
        one
        for one in values_in(turn.text, answer.kind, answer)
        if not any(_within(one.span, span) for span in things)
    ]
    if answer.kind == "frequency":
        widest = {one.span for one in rivals}
        places = [place for place in places if place in widest]
    kept: list[Span] = []
    for place in places:
        beside = [one for one in rivals if not _overlap(one.span, place)]
        others = [] if answer.kind != "text" else _others(asked, turn, terms, place)
        if acts(asked, turn, place) and any(
            _overlap(span, place)
            or (
                _nearest(turn.text, span, place, beside)
                and not _claimed(turn.text, span, place, others)
            )
            for span in things
        ):
            kept.append(place)
    return kept


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _others(asked: Asked, turn: Turn, terms: Sequence[Term], place: Span) -> list[Span]:
    """Where a turn names other things that an answer in words could be about."""
    own = {term.keys for term in terms}
    mine = [span for term in terms for span in asked.spans(turn, term)]
    return [
        span
        for thing in asked.things
        if thing.keys not in own
        for span in turn.text.find(thing.keys)
        if not _overlap(span, place) and not any(_overlap(span, one) for one in mine)
    ]


def _claimed(text: Text, thing: Span, place: Span, others: Sequence[Span]) -> bool:
    """Another thing stands nearer to the words, on the same side of them."""
    distance = text.distance(thing, place)
    return any(
        text.distance(other, place) < distance
        and (other[0] < place[0]) == (thing[0] < place[0])
        for other in others
    )
