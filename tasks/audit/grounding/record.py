"""What an admission's record says, indexed for the claims of its turns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from tasks.audit.grounding.dates import Clock, DayNamed, dates, hospital_days, moments
from tasks.audit.grounding.items import owned
from tasks.audit.grounding.numbers import SPANS, Quantity, figures
from tasks.audit.grounding.organisms import Growth, growths, spoken_organism, test_names
from tasks.audit.grounding.polarity import Polarity, polarity
from tasks.audit.grounding.sides import Side, sides
from tasks.audit.grounding.terms import (
    Mention,
    ReleaseTerms,
    concept,
    name_places,
    title_words,
    titles,
)
from tasks.audit.grounding.text import Sentence, note_sentences, sentence_of, spelled_out, word_set
from tasks.contracts.records import AdmissionBundle

K = TypeVar("K")
V = TypeVar("V")

VITALS = frozenset(
    f"measurement:{name}"
    for name in (
        "temperature",
        "blood pressure",
        "heart rate",
        "respiratory rate",
        "oxygen saturation",
    )
)
_VITALS_LINE = word_set("vs vss vital")
SAMPLE = "sample"
"""Stands for every specimen among the things that have days."""
_HEADLINE_WORDS = 20
_MOST_DAYS = 10_000
"""Days of the longest stay that a record counts."""
_NOT_DOSES = ("#", "*")
_MEANS_NO = {
    "afebrile": "finding:fever",
    "anicteric": "finding:jaundice",
    "normotensive": "diagnosis:hypotension",
    "nontender": "finding:abdominal pain",
}
"""Words that deny a finding without naming it."""


@dataclass(slots=True)
class RecordIndex:
    """Terms, numbers, dates and sides of a record; ids and codes are not read."""

    polarities: dict[str, Polarity] = field(default_factory=dict[str, Polarity])
    of_item: dict[str, set[Quantity]] = field(default_factory=lambda: defaultdict(set))
    quantities: dict[float, set[Quantity]] = field(default_factory=lambda: defaultdict(set))
    spans: list[tuple[frozenset[str], set[Quantity]]] = field(
        default_factory=list[tuple[frozenset[str], set[Quantity]]]
    )
    """The words of each sentence that tells a span of days, months or years, and the span."""
    days: set[date] = field(default_factory=set[date])
    days_named: set[DayNamed] = field(default_factory=set[DayNamed])
    earlier_days: set[date] = field(default_factory=set[date])
    clocks: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    days_of: dict[str, set[date]] = field(default_factory=lambda: defaultdict(set))
    test_names: frozenset[tuple[str, ...]] = frozenset()
    """Words of the names of tests and specimens, in which organisms' names say nothing grew."""
    grown: list[Growth] = field(default_factory=list[Growth])
    sides: list[Side] = field(default_factory=list[Side])
    sentences: list[Sentence] = field(default_factory=list[Sentence])
    words: list[frozenset[str]] = field(default_factory=list[frozenset[str]])

    def copy(self) -> RecordIndex:
        """The same index, to read more into."""
        return RecordIndex(
            polarities=self.polarities.copy(),
            of_item=_copied(self.of_item),
            quantities=_copied(self.quantities),
            spans=self.spans.copy(),
            days=self.days.copy(),
            days_named=self.days_named.copy(),
            earlier_days=self.earlier_days.copy(),
            clocks=self.clocks.copy(),
            days_of=_copied(self.days_of),
            test_names=self.test_names,
            grown=self.grown.copy(),
            sides=self.sides.copy(),
            sentences=self.sentences.copy(),
        )

    def read(self, sentence: Sentence, terms: ReleaseTerms) -> None:
        """Take a sentence in."""
        mentions = terms.mentions(sentence)
        names = name_places(mentions)
        for mention in mentions:
            spoken = Polarity.AFFIRMED
            if mention.term.kind in ("diagnosis", "finding"):
                spoken = polarity(sentence, mention.start, mention.end, exact=False, names=names)
            elif mention.term.kind == "organism":
                spoken = spoken_organism(sentence, mention, mentions, self.test_names, exact=False)
            self.mention(mention.term.concepts, spoken)
        for key in _MEANS_NO.keys() & sentence.keys:
            self.mention((_MEANS_NO[key],), Polarity.DENIED)
        self._read_numbers(sentence, mentions)
        self.sides.extend(sides(sentence, mentions))
        self.sentences.append(sentence)

    def _read_numbers(self, sentence: Sentence, mentions: Sequence[Mention]) -> None:
        found = figures(sentence)
        if not found:
            return
        vitals = not _VITALS_LINE.isdisjoint(sentence.keys)
        for figure, item in owned(sentence, mentions, found):
            if figure.start and sentence.tokens[figure.start - 1] in _NOT_DOSES:
                continue
            numbers = figure.as_known()
            for number in numbers:
                self.quantities[number.value].add(number)
            owners = item.concepts if item is not None else VITALS if vitals else ()
            for one in owners:
                self.of_item[one].update(numbers)
        spans = {one.quantity for one in found if one.quantity.unit in SPANS}
        if spans:
            self.spans.append((frozenset(sentence.keys), spans))

    def mention(self, concepts: tuple[str, ...], spoken: Polarity) -> None:
        """Note how things are spoken of."""
        for one in concepts:
            known = self.polarities.get(one, Polarity.NONE)
            # Joining flags is slow, and most things are always spoken of alike.
            if known is not spoken:
                self.polarities[one] = known | spoken

    def spoken_of(self, concepts: tuple[str, ...]) -> Polarity:
        """How the record speaks of any of these."""
        known = Polarity.NONE
        for one in concepts:
            known |= self.polarities.get(one, Polarity.NONE)
        return known

    def sentences_with(self, wanted: frozenset[str]) -> Iterator[Sentence]:
        """Sentences and rows that hold all of some words."""
        if len(self.words) < len(self.sentences):
            self.words = [frozenset(sentence.keys) for sentence in self.sentences]
        for sentence, known in zip(self.sentences, self.words, strict=True):
            if wanted <= known:
                yield sentence


def index_texts(bundle: AdmissionBundle, terms: ReleaseTerms) -> RecordIndex:
    """Read the text of a bundle's notes and events: most of the work of ``index_record``."""
    index = RecordIndex(test_names=test_names(bundle))
    for note in (*bundle.discharge_notes, *bundle.radiology_notes):
        _read_text(index, note.text, terms)
    for text in dict.fromkeys(_rows(bundle)):
        _read_text(index, text, terms)
    for kind, title in dict.fromkeys(titles(bundle)):
        for words in title_words(title):
            index.mention((concept(kind, words),), Polarity.AFFIRMED)
    return index


def index_record(
    bundle: AdmissionBundle, terms: ReleaseTerms, texts: RecordIndex | None = None
) -> RecordIndex:
    """Read a bundle's notes, events and times and the previous summary.

    ``texts`` is what ``index_texts`` made of the same notes and events; it isn't changed.
    """
    index = index_texts(bundle, terms) if texts is None else texts.copy()
    previous = bundle.previous_admission_summary
    if previous is not None:
        _read_text(index, previous.summary_paragraph, terms)
        for problem in previous.problems:
            index.read(sentence_of(problem), terms)
    _read_times(index, bundle)
    _read_events(index, bundle, terms)
    return index


def _copied(known: Mapping[K, set[V]]) -> defaultdict[K, set[V]]:
    return defaultdict(set, {key: values.copy() for key, values in known.items()})


def _rows(bundle: AdmissionBundle) -> Iterator[str]:
    for row in (*bundle.diagnoses, *bundle.procedures):
        yield row.long_title
    for event in bundle.microbiology:
        yield f"{event.spec_type_desc} {event.test_name}"
        yield f"{event.test_name} {event.spec_type_desc}"
        yield event.org_name
        yield event.ab_name
        yield event.comments


def _read_text(index: RecordIndex, text: str, terms: ReleaseTerms) -> None:
    plain, dated = dates(text)
    for one in dated:
        if isinstance(one.what, Clock):
            hour = one.what.hour % 12 + (12 if one.what.half == "p" else 0)
            index.clocks.add((hour if one.what.half else one.what.hour, one.what.minute or 0))
        else:
            index.days_named.add(one.what)
            index.days |= set(one.what.days())
    for sentence in note_sentences(plain):
        index.read(sentence, terms)


def _read_events(index: RecordIndex, bundle: AdmissionBundle, terms: ReleaseTerms) -> None:
    """On which days which procedures, tests and cultures were."""
    events = [(row.long_title, row.normalized_time.date()) for row in bundle.procedures]
    events += [
        (f"{row.spec_type_desc} {row.test_name}. {row.test_name} {row.spec_type_desc}. "
         f"{row.org_name}", row.normalized_time.date())
        for row in bundle.microbiology
    ]  # fmt: skip
    events += [
        (
            " ".join(spelled_out(note.text).split("INDICATION")[0].split()[:_HEADLINE_WORDS]),
            note.charttime.date(),
        )
        for note in bundle.radiology_notes
        if note.charttime is not None
    ]
    index.grown = list(dict.fromkeys(growths(bundle, terms)))
    index.days_of[SAMPLE] = {row.normalized_time.date() for row in bundle.microbiology}
    for text, day in set(events):
        for mention in terms.mentions(sentence_of(text)):
            for one in mention.term.concepts:
                index.days_of[one].add(day)
    named = [(row.long_title, row.normalized_time) for row in bundle.procedures]
    named += [(row.test_name, row.normalized_time) for row in bundle.microbiology]
    for name, time in dict.fromkeys(named):
        for words in title_words(name):
            index.days_of[concept("procedure", words)].add(time.date())
    if bundle.previous_admission_summary is not None:
        _, dated = dates(bundle.previous_admission_summary.summary_paragraph)
        index.earlier_days = {
            day for one in dated if isinstance(one.what, DayNamed) for day in one.what.days()
        }


def _read_times(index: RecordIndex, bundle: AdmissionBundle) -> None:
    for moment in moments(bundle):
        index.days.add(moment.date())
        index.clocks.add((moment.hour, moment.minute))
    counted = index.of_item.get("measurement:hospital day", ())
    index.days |= set(
        hospital_days(bundle, (int(one.value) for one in counted if one.value < _MOST_DAYS))
    )
