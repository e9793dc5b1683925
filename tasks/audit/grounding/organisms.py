"""Organisms: what is said to have grown, what a culture's rows tell, and what only names a test."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from tasks.audit.grounding.polarity import Polarity, polarity
from tasks.audit.grounding.terms import (
    Mention,
    ReleaseTerms,
    concept,
    name_places,
    title_words,
)
from tasks.audit.grounding.text import Sentence, keys_of, sentence_of, word_set
from tasks.contracts.records import AdmissionBundle

_TESTS = word_set(
    "screen screening swab test testing pcr precaution antigen toxin antibody igg igm ab"
)
"""Behind an organism's name they make it the name of a test: ``MRSA screen``."""
_NOT_DENYING = word_set("gram coag coagulase lactose oxidase")
"""``Gram negative rods`` says nothing of absence."""
_ELSEWHERE = word_set("previous previously last earlier outside prior before history")
_TESTED = word_set("sensitive resistant intermediate susceptible")
_SAMPLES = word_set("culture sample specimen swab screen")
_PLAIN_CULTURES = word_set("culture sample specimen stain screen")


@dataclass(frozen=True, slots=True)
class Growth:
    """What the rows of one culture tell."""

    cultures: frozenset[str]
    """Names of the test and the specimen."""
    day: date
    organisms: frozenset[str]


def spoken_organism(
    sentence: Sentence,
    mention: Mention,
    mentions: Sequence[Mention],
    tests: Collection[tuple[str, ...]] = (),
    *,
    exact: bool,
) -> Polarity:
    """How an organism is spoken of; OTHER where its name is only part of a test's.

    ``exact`` leaves NONE for what is asked, feared or ambiguous, as for a turn.
    ``tests`` are the words of the names of tests and specimens.
    """
    around = [one for one in mentions if one.start <= mention.start and mention.end <= one.end]
    tested = sentence.keys[mention.end : mention.end + 1]
    if any(one.term.kind == "procedure" for one in around) or (
        not _TESTS.isdisjoint(tested) or _names_a_test(sentence, mention, tests)
    ):
        return Polarity.OTHER
    same = [one for one in around if one.term.kind == "organism"]
    start, end = min(one.start for one in same), max(one.end for one in same)
    told = polarity(sentence, start, end, exact=exact, names=name_places(mentions))
    if told is Polarity.DENIED and not _NOT_DENYING.isdisjoint(sentence.keys[:start]):
        return Polarity.NONE if exact else Polarity.AFFIRMED | Polarity.DENIED
    if told is Polarity.OTHER and exact:
        # ``ampicillin against E. coli tested resistant`` tells of what grew.
        against = sentence.keys[max(0, start - 1) : start] == ("against",)
        return (
            Polarity.AFFIRMED
            if against and not _TESTED.isdisjoint(sentence.keys)
            else Polarity.NONE
        )
    return told


def _names_a_test(sentence: Sentence, mention: Mention, tests: Collection[tuple[str, ...]]) -> bool:
    places = [place for place, key in enumerate(sentence.keys) if key]
    keys = tuple(sentence.keys[place] for place in places)
    start, end = places.index(mention.start), places.index(mention.end - 1) + 1
    return any(
        keys[first : first + len(words)] == words
        for words in tests
        for first in range(max(0, end - len(words)), start + 1)
    )


def test_names(bundle: AdmissionBundle) -> frozenset[tuple[str, ...]]:
    """The words of the names of the tests and specimens of a stay's rows."""
    named = {text for row in bundle.microbiology for text in (row.spec_type_desc, row.test_name)}
    return frozenset(words for words in map(keys_of, named) if words)


def growths(bundle: AdmissionBundle, terms: ReleaseTerms) -> Iterator[Growth]:
    """What each microbiology row says grew, and in which culture of which specimen."""
    for row in bundle.microbiology:
        named = f"{row.spec_type_desc} {row.test_name}. {row.test_name} {row.spec_type_desc}"
        cultures = {
            one
            for mention in terms.mentions(sentence_of(named))
            if mention.term.kind == "procedure"
            for one in mention.term.concepts
        }
        cultures |= {concept("procedure", words) for words in title_words(row.test_name)}
        organisms: set[str] = set()
        for text in (row.org_name, row.comments):
            sentence = sentence_of(text)
            mentions = terms.mentions(sentence)
            for one in mentions:
                if one.term.kind == "organism" and Polarity.AFFIRMED & spoken_organism(
                    sentence, one, mentions, exact=False
                ):
                    organisms.update(one.term.concepts)
        yield Growth(frozenset(cultures), row.normalized_time.date(), frozenset(organisms))


def grown_in(
    known: Sequence[Growth], sentence: Sentence, mentions: Sequence[Mention], days: Collection[date]
) -> frozenset[str] | None:
    """What grew in the cultures that a sentence names, or in the samples of the days it names.

    Null where no row is one of them, or the sentence speaks of another stay's.
    """
    if not _ELSEWHERE.isdisjoint(sentence.keys):
        return None
    cultures = {
        name
        for one in mentions
        if one.term.kind == "procedure"
        and not _PLAIN_CULTURES.issuperset(sentence.keys[one.start : one.end])
        for name in one.term.concepts
    }
    rows = [one for one in known if not cultures.isdisjoint(one.cultures)]
    if not rows and days and not _SAMPLES.isdisjoint(sentence.keys):
        rows = [one for one in known if one.organisms]
    rows = [one for one in rows if not days or one.day in days]
    return frozenset(organism for one in rows for organism in one.organisms) if rows else None
