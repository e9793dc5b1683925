"""Which value of a turn belongs to the thing asked about: 40 mg is the furosemide's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.audit.support.cues import ACTIONS, PHASES, Cue, cues_of
from tasks.audit.support.question_reading import Reading
from tasks.audit.support.question_terms import Term
from tasks.audit.support.reading_words import SENTENCE, Text
from tasks.audit.support.spoken import Span, Turn, mentions
from tasks.audit.support.values import Answer, Value, is_some_day, values_in

_SEMICOLON = 4
_CLAUSE = 2
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
    pairs: frozenset[tuple[str, str]] = frozenset()
    """Neighbouring words of the names in the record: “primary” of a name is no rank."""
    cache: dict[tuple[str, tuple[str, ...]], list[Span]] = field(
        default_factory=dict[tuple[str, tuple[str, ...]], list[Span]], compare=False
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
    if wanted == frozenset({Cue.DISCHARGE}):
        return turn.late or not spoken
    if Cue.DISCHARGE in wanted:
        return True
    return not (Cue.DISCHARGE in spoken and turn.late)


def acts(asked: Asked, turn: Turn, span: Span) -> bool:
    """Whether the sentence around a place tells of the action asked about, or of none."""
    wanted = asked.reading.cues & ACTIONS
    if not wanted:
        return True
    return all(
        not told or bool(told & wanted)
        for told in (
            cues_of(sentence(turn.text, span, within)) & ACTIONS for within in (_CLAUSE, SENTENCE)
        )
    )


def sentence(text: Text, span: Span, within: int = SENTENCE) -> str:
    """The words of the sentence around a place, or of the clause: up to breaks of some weight."""
    inside = [
        token
        for place, token in enumerate(text.tokens)
        if text.distance((place, place + 1), span) < within
    ]
    return text.plain[inside[0].start : inside[-1].end] if inside else ""


def _candidates(asked: Asked, turn: Turn, answer: Answer) -> list[Value]:
    found = values_in(turn.text, answer.kind, answer)
    if answer.kind != "word":
        return found
    tokens = turn.text.tokens
    return [
        one
        for one in found
        if one.span[1] >= len(tokens)
        or (tokens[one.span[0]].key, tokens[one.span[1]].key) not in asked.pairs
    ]


def owned(asked: Asked, turn: Turn, answer: Answer, terms: Sequence[Term]) -> list[Value]:
    """The values of an answer's kind that belong to one of the things in a turn."""
    candidates = _candidates(asked, turn, answer)
    if not terms:
        return candidates
    spans = [span for term in terms for span in asked.spans(turn, term)]
    candidates = [one for one in candidates if not any(_within(one.span, span) for span in spans)]
    kept = [
        value
        for value in candidates
        if any(
            _nearest(turn.text, span, value.span, candidates, answer.kind == "word")
            for span in spans
        )
    ]
    return [value for value in kept if acts(asked, turn, value.span)]


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _nearest(
    text: Text, thing: Span, value: Span, rivals: Sequence[Value], governing: bool = False
) -> bool:
    """No rival of a value is nearer to a thing; what follows it wins over what precedes it."""
    distance = text.distance(thing, value)
    if distance >= _FAR:
        return False
    if governing:
        return value == _governor(text, thing, [value, *(rival.span for rival in rivals)])
    for rival in rivals:
        if rival.span == value:
            continue
        other = text.distance(thing, rival.span)
        if other < distance:
            return False
        if other == distance and rival.span[0] >= thing[1] and value[1] <= thing[0]:
            return False
    return True


def _governor(text: Text, thing: Span, values: Sequence[Span]) -> Span | None:
    """The word that a list stands under: “reported a, b and c and denied d”.

    A word that follows a thing without a break (“c denied”) comes first, then the last one before
    the thing in its sentence, then the next one behind it.
    """
    behind = sorted(span for span in values if span[0] >= thing[1])
    before = sorted(span for span in values if span[1] <= thing[0])
    if behind and text.distance(thing, behind[0]) == 0:
        return behind[0]
    if before and _widest(text, before[-1], thing) < SENTENCE:
        apart = behind and _widest(text, thing, behind[0]) < _SEMICOLON
        if not apart or _widest(text, before[-1], thing) < _SEMICOLON:
            return before[-1]
    return min(values, key=lambda span: text.distance(thing, span), default=None)


def _widest(text: Text, one: Span, other: Span) -> int:
    """The widest single break between two stretches."""
    places = range(one[1], other[0] + 1)
    return max((text.tokens[n].breaks - text.tokens[n - 1].breaks for n in places), default=0)


def under(asked: Asked, turn: Turn, place: Span, word: Answer) -> bool | None:
    """Whether what stands at a place is told to be so: listed under “denied”, tested “resistant”.

    None where nothing of the kind is told of it.
    """
    spans = {value.span: value.key for value in _candidates(asked, turn, word)}
    near = [span for span in spans if turn.text.distance(span, place) < SENTENCE]
    governor = _governor(turn.text, place, near)
    return None if governor is None else spans[governor] == word.keys


def states(asked: Asked, turn: Turn, answer: Answer, terms: Sequence[Term]) -> list[Span]:
    """Where a turn says an answer word for word, of one of the things."""
    places = [one for one in turn.text.find(answer.keys) if not is_some_day(turn.text, one[0])]
    if not places or not terms:
        return places
    things = [span for term in terms for span in asked.spans(turn, term)]
    rivals = [
        one
        for one in _candidates(asked, turn, answer)
        if not any(_within(one.span, span) for span in things)
    ]
    if answer.kind == "frequency":
        widest = [one.span for one in rivals]
        places = [
            place
            for place in places
            if any(start == place[0] and place[1] <= end for start, end in widest)
        ]
    elif answer.kind == "word" and len(answer.keys) == 1:
        places = [place for place in places if any(one.span == place for one in rivals)]
    things = _rarest(asked, turn, terms)
    kept: list[Span] = []
    for place in places:
        beside = [one for one in rivals if not _overlap(one.span, place)]
        others = [] if answer.kind != "text" else _others(asked, turn, terms, place)
        nearest = min((turn.text.distance(span, place) for span in things), default=0)
        if acts(asked, turn, place) and any(
            _overlap(span, place)
            or (
                _nearest(turn.text, span, place, beside, answer.kind == "word")
                and not _claimed(turn.text, span, place, others)
            )
            for span in things
            if answer.kind != "word" or turn.text.distance(span, place) == nearest
        ):
            kept.append(place)
    return kept


def _rarest(asked: Asked, turn: Turn, terms: Sequence[Term]) -> list[Span]:
    """Places of the things that a turn names least often: those that tell its values apart."""
    named = [spans for term in terms if (spans := asked.spans(turn, term))]
    fewest = min((len(spans) for spans in named), default=0)
    return [span for spans in named if len(spans) == fewest for span in spans]


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
        text.distance(other, place) < distance and (other[0] < place[0]) == (thing[0] < place[0])
        for other in others
    )
