"""What a turn says of drugs, diagnoses, findings, procedures, organisms and sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile

from tasks.audit.grounding.dates import DayNamed, dates
from tasks.audit.grounding.organisms import grown_in, spoken_organism
from tasks.audit.grounding.polarity import Polarity, polarity
from tasks.audit.grounding.record import RecordIndex
from tasks.audit.grounding.sides import Side, agrees, sides
from tasks.audit.grounding.terms import Mention, longest, name_places
from tasks.audit.grounding.text import Sentence, word_set
from tasks.contracts.audit import Claim, ClaimKind
from tasks.contracts.dialogue import ConversationLine
from tasks.contracts.records import AdmissionBundle
from tasks.terminology.synonyms import generic_words

_LINKING = word_set(
    "of and or the a an in with to for by on at without due from your my its some any"
)
_NO_FINDING = word_set(
    "i you he she we it they that this is was are were have had has having been be do did will "
    "would can could knowing know need want anything else everything"
)
_DENYING = word_set("denied denie deny denying")
_LISTED_WORDS = 4
_TELLING = 4
"""Letters of the shortest word that alone tells what a side is said of."""
_OTHER_SIDE = {"left": "right", "right": "left"}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn, and the admission it was said in."""

    line: ConversationLine
    bundle: AdmissionBundle

    def words(self, sentence: Sentence, start: int, end: int) -> str:
        """The turn's own words from token ``start`` up to ``end`` of a sentence."""
        stop = sentence.starts[end - 1] + len(sentence.tokens[end - 1])
        return self.line.text[sentence.starts[start] : stop]


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim, and whether the record bears it out."""

    claim: Claim
    supported: bool


def term_claims(
    turn: Turn, sentence: Sentence, mentions: Sequence[Mention], index: RecordIndex
) -> Iterator[Checked]:
    """What is named in a sentence, each by its longest name."""
    if not mentions:
        return
    names = name_places(mentions)
    for (start, end), same in groupby(longest(mentions), key=lambda one: (one.start, one.end)):
        named = list(same)
        kinds = {one.term.kind for one in named}
        concepts = tuple(concept for one in named for concept in one.term.meant)
        words = turn.words(sentence, start, end)
        if "measurement" in kinds or sentence.keys[end : end + 2] == ("", "like"):
            continue
        if kinds & {"diagnosis", "finding"}:
            checked = _finding(sentence, start, end, concepts, index, names)
            if checked is not None:
                spoken, supported = checked
                is_finding = spoken is Polarity.DENIED or kinds == {"finding"}
                yield Checked(
                    Claim(kind="negation" if is_finding else "diagnosis", text=words), supported
                )
            continue
        if kinds == {"organism"}:
            supported = _grew(turn, sentence, named[0], mentions, index)
            yield Checked(Claim(kind="organism", text=words), supported)
            continue
        kind = _kind(kinds)
        known = index.spoken_of(concepts) is not Polarity.NONE
        yield Checked(
            Claim(kind=kind, text=words), known or _in_words(sentence.keys[start:end], index)
        )


def _kind(kinds: Iterable[str]) -> ClaimKind:
    order: tuple[ClaimKind, ...] = ("drug", "organism", "procedure")
    return next(kind for kind in order if kind in kinds)


def _finding(
    sentence: Sentence,
    start: int,
    end: int,
    concepts: tuple[str, ...],
    index: RecordIndex,
    names: Mapping[int, int],
) -> tuple[Polarity, bool] | None:
    """How a finding is told and whether the record tells it so; null where nothing is claimed."""
    told = polarity(sentence, start, end, exact=True, names=names)
    if told is Polarity.OTHER:
        return None
    known = index.spoken_of(concepts)
    if told is Polarity.NONE:
        return told, known is not Polarity.NONE or _in_words(sentence.keys[start:end], index)
    return told, bool(known & told) or _in_words(sentence.keys[start:end], index, told)


def _grew(
    turn: Turn, sentence: Sentence, named: Mention, mentions: Sequence[Mention], index: RecordIndex
) -> bool:
    """Whether the record tells an organism so, and of the culture that the sentence names."""
    told = spoken_organism(sentence, named, mentions, index.test_names, exact=True)
    keys = sentence.keys[named.start : named.end]
    known = index.spoken_of(named.term.meant)
    if told is Polarity.OTHER or not told:
        supported = known is not Polarity.NONE or _in_words(keys, index)
    else:
        supported = bool(known & told) or _in_words(keys, index, told)
    if not supported or told is not Polarity.AFFIRMED:
        return supported
    if sentence.asks:
        return True
    days = {
        day
        for one in dates(turn.line.text)[1]
        if isinstance(one.what, DayNamed)
        for day in one.what.days()
    }
    grown = grown_in(index.grown, sentence, mentions, days)
    if grown is None or not grown.isdisjoint(named.term.concepts):
        return True
    # A note can tell of a culture that has no rows, as one from elsewhere.
    return not grown and any(
        "culture" in one.keys or "grew" in one.keys
        for one in index.sentences_with(frozenset(key for key in keys if key))
    )


def _in_words(keys: Sequence[str], index: RecordIndex, told: Polarity = Polarity.NONE) -> bool:
    """Whether one sentence or row of the record holds every telling word of a longer name."""
    wanted = [key for key in keys if key and key not in _LINKING]
    if len(wanted) < 2 or generic_words().issuperset(wanted):
        return False
    for known in index.sentences_with(frozenset(wanted)):
        place = known.keys.index(wanted[0])
        if not told or polarity(known, place, place + 1, exact=False) & told:
            return True
    return False


def denial_claims(
    turn: Turn, sentence: Sentence, mentions: Sequence[Mention], index: RecordIndex
) -> Iterator[Checked]:
    """``You denied X, Y or Z``: the things denied that no list knows."""
    if sentence.asks or _DENYING.isdisjoint(sentence.keys):
        return
    known = {place for one in mentions for place in range(one.start, one.end)}
    for start, end in _denied_parts(sentence):
        places = [place for place in range(start, end) if sentence.keys[place]]
        keys = [sentence.keys[place] for place in places]
        if (
            not 0 < len(keys) <= _LISTED_WORDS
            or not known.isdisjoint(places)
            or not _NO_FINDING.isdisjoint(keys)
        ):
            continue
        wanted = frozenset(key for key in keys if key not in _LINKING)
        supported = not wanted or any(
            polarity(one, place, place + 1, exact=False) & Polarity.DENIED
            for one in index.sentences_with(wanted)
            for place in [min(one.keys.index(key) for key in wanted)]
        )
        text = turn.words(sentence, places[0], places[-1] + 1)
        yield Checked(Claim(kind="negation", text=f"denied {text}"), supported)


def _denied_parts(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """The parts of the list behind ``denied``, from token to token."""
    keys = sentence.keys
    start = None
    for place, key in enumerate(keys):
        if key in _DENYING:
            start = place + 1
        elif start is not None and (key in ("", "and", "or", "nor", "but") or place == len(keys)):
            if start < place:
                yield start, place
            start = None if key == "but" or sentence.tokens[place] not in ",andornor" else place + 1
    if start is not None and start < len(keys):
        yield start, len(keys)


def side_claims(
    turn: Turn, sentence: Sentence, mentions: Sequence[Mention], index: RecordIndex
) -> Iterator[Checked]:
    """Left and right, where they are said of the body or of what is found or done."""
    found = list(sides(sentence, mentions))
    if not found and _OTHER_SIDE.keys().isdisjoint(sentence.keys):
        return
    told: set[str] = set()
    for side in (*found, *_swapped(sentence, found, index)):
        if polarity(sentence, side.start, side.end, exact=True) is Polarity.OTHER:
            continue
        text = turn.words(sentence, side.start, side.end)
        if f"{side.side} {text}" not in told:
            told.add(f"{side.side} {text}")
            supported = any(agrees(side, known) for known in index.sides) or (
                side.is_of_thing and any(index.sentences_with(side.parts | {side.side}))
            )
            supported = supported and not _other_side(sentence, side, index)
            yield Checked(Claim(kind="laterality", text=text), supported)


def _swapped(sentence: Sentence, found: Sequence[Side], index: RecordIndex) -> Iterator[Side]:
    """Sides of words that no list knows, where the record has the word with the other side."""
    taken = {side.start for side in found}
    for place, (key, word) in enumerate(pairwise(sentence.keys)):
        if key not in _OTHER_SIDE or place in taken or word in _LINKING or len(word) < _TELLING:
            continue
        side = Side(key, frozenset((word,)), place, place + 2)
        if _other_side(sentence, side, index):
            yield side


def _other_side(sentence: Sentence, side: Side, index: RecordIndex) -> bool:
    """Whether the record has just these words of the other side only."""
    keys = sentence.keys[side.start : side.end + 2]
    if keys[0] not in _OTHER_SIDE:
        return False
    words = tuple(takewhile(lambda key: key and key not in _LINKING, keys[1:]))
    before = next((key for key in reversed(sentence.keys[: side.start]) if key not in _LINKING), "")
    other = (_OTHER_SIDE[keys[0]], *words)
    contexts = [frozenset(words)] + ([frozenset((before, *words))] if before else [])
    return bool(words) and any(
        any(_holds(one.keys, other) for one in index.sentences_with(context | {other[0]}))
        and not any(index.sentences_with(context | {keys[0]}))
        for context in contexts
    )


def _holds(keys: Sequence[str], phrase: Sequence[str]) -> bool:
    size = len(phrase)
    return any(keys[at : at + size] == phrase for at in range(len(keys) - size + 1))
