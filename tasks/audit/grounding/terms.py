"""What counts as a drug, diagnosis, finding, procedure or organism in a release."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from tasks.audit.grounding.text import Sentence, keys_of, word_set
from tasks.contracts.records import AdmissionBundle
from tasks.terminology.synonyms import generic_words
from tasks.terminology.vocabulary import VocabularyName, as_written_only, vocabulary

TermKind = Literal["drug", "diagnosis", "finding", "procedure", "organism", "measurement"]

_BUILT_IN: tuple[tuple[VocabularyName, TermKind], ...] = (
    ("drugs", "drug"),
    ("diagnoses", "diagnosis"),
    ("findings", "finding"),
    ("procedures", "procedure"),
    ("organisms", "organism"),
    ("measurements", "measurement"),
)
_BRACKETS = re.compile(r"\s*[\[(][^\])]*[\])]")
_EMPTY_WORDS = re.compile(
    r"\b(?:other and unspecified|unspecified|not elsewhere classified|not otherwise specified|"
    r"other specified|other|NOS|NEC|elsewhere classified)\b,?",
    re.IGNORECASE,
)
_LIST_ENTRY = re.compile(
    r"^\s*(?:\d{1,2}[.)]|[-*#])\s*(?:HELD-\s*)?([A-Za-z][A-Za-z /'-]{2,60}?)[:,.]?\s*"
    r"(?:\([^)]*\)\s*)?(\d.*)?$"
)
_DOSE = re.compile(r"^[\d,.]+\s?(?:mg|mcg|g|gm|units?|meq|ml|tab|cap|puff|drop|spray|%)", re.I)
_MEDICINES = re.compile(r"^\s*(?:discharge medications?|medications? on admission)\b", re.I)
_DIAGNOSES = re.compile(r"^\s*(?:discharge diagnos[ie]s|past medical history)\b", re.I)
_HEADING = re.compile(r"^[A-Z][A-Za-z /&]{4,40}:\s*$")
_HARDLY_NAMES = word_set(
    "please take none primary secondary history prior presumed likely possible continue stable "
    "active issue chronic patient the your you a an of with see status new stop hold"
)
_CROSSES_COMMAS = 4
"""Words of the shortest name over a comma: ``vomiting, blood in my stools`` are two things."""
_SHORTEST_NAME = 7
"""Letters of the shortest name of one word: a title's ``Fall`` is a word of talk, too."""
_SHORT_NAME = 2
_LONGEST_LISTED = 6
"""Words of the longest list entry that is taken for a name."""


@dataclass(frozen=True, slots=True)
class Term:
    """A spelling in the lexicon."""

    words: tuple[str, ...]
    kind: TermKind
    meant: tuple[str, ...]
    """What it names."""
    concepts: tuple[str, ...]
    """And the kinds of thing that is: a record of COPD tells of a lung disease."""
    written: str = ""
    """How it has to be written; empty where case doesn't matter."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A term in a sentence, from token ``start`` up to ``end``."""

    term: Term
    start: int
    end: int


@dataclass(slots=True)
class ReleaseTerms:
    """Every term of a release by its first two words; those of one word by that and ``""``."""

    by_words: dict[str, dict[str, tuple[Term, ...]]] = field(
        default_factory=dict[str, dict[str, tuple[Term, ...]]]
    )

    def copy(self) -> ReleaseTerms:
        """The same terms, to add others to."""
        # Adding replaces what it changes: the rest can be shared.
        return ReleaseTerms(self.by_words.copy())

    def add(self, term: Term) -> None:
        """Take a spelling in."""
        first, second = (*term.words, "")[:2]
        beside = (*self._beside(term.words), term)
        self.by_words[first] = {**self.by_words.get(first, {}), second: beside}

    def add_name(self, kind: TermKind, words: tuple[str, ...]) -> None:
        """Take a name of the record for a term unless a spelling of it is known already."""
        if all(one.words != words for one in self._beside(words)):
            named = (concept(kind, words),)
            self.add(Term(words, kind, named, named))

    def _beside(self, words: tuple[str, ...]) -> tuple[Term, ...]:
        """The terms that begin with the same two words, or are the same single word."""
        first, second = (*words, "")[:2]
        return self.by_words.get(first, {}).get(second, ())

    def mentions(self, sentence: Sentence) -> list[Mention]:
        """Every mention in a sentence, those inside longer ones too."""
        found: list[Mention] = []
        places = [place for place, key in enumerate(sentence.keys) if key]
        keys = (*[sentence.keys[place] for place in places], "")
        for position in range(len(places)):
            by_second = self.by_words.get(keys[position])
            if by_second is None:
                continue
            start = places[position]
            for term in by_second.get("", ()):
                if not term.written or _is_written(term, sentence, start):
                    found.append(Mention(term, start, start + 1))
            following = keys[position + 1]
            for term in by_second.get(following, ()) if following else ():
                words = len(term.words)
                if keys[position : position + words] != term.words:
                    continue
                end = places[position + words - 1] + 1
                if words >= _CROSSES_COMMAS or "," not in sentence.tokens[start:end]:
                    found.append(Mention(term, start, end))
        return found


def _is_written(term: Term, sentence: Sentence, place: int) -> bool:
    """Whether a short spelling stands as written, and not as a heading: ``PE: no rash``."""
    return sentence.tokens[place] == term.written and sentence.tokens[place + 1 : place + 2] != (
        ":",
    )


def concept(kind: TermKind, words: tuple[str, ...]) -> str:
    """What a name of the record stands for where no built-in list knows it."""
    return f"{kind}:{' '.join(words)}"


def longest(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions that lie in no longer one, in the order of the sentence."""
    kept: list[Mention] = []
    reach = 0
    for mention in sorted(mentions, key=_by_place):
        if mention.end > reach or (mention.start, mention.end) == (kept[-1].start, kept[-1].end):
            kept.append(mention)
            reach = mention.end
    return kept


def _by_place(mention: Mention) -> tuple[int, int]:
    return mention.start, -mention.end


def build_terms(bundles: Iterable[AdmissionBundle]) -> ReleaseTerms:
    """The built-in lists, and the names in structured rows and note lists of all bundles."""
    built = _built_in().copy()
    seen: set[str] = set()
    for bundle in bundles:
        for kind, title in titles(bundle):
            if title not in seen:
                seen.add(title)
                for words in title_words(title):
                    built.add_name(kind, words)
        for note in bundle.discharge_notes:
            for kind, words in _listed(note.text):
                built.add_name(kind, words)
    return built


def titles(bundle: AdmissionBundle) -> Iterator[tuple[TermKind, str]]:
    """Names in a bundle's structured rows; test results in an organism's place are left out."""
    for diagnosis in bundle.diagnoses:
        yield "diagnosis", diagnosis.long_title
    for procedure in bundle.procedures:
        yield "procedure", procedure.long_title
    for event in bundle.microbiology:
        if not event.org_name.upper().startswith(("POSITIVE", "NEGATIVE", "CANCEL")):
            yield "organism", event.org_name
        yield "drug", event.ab_name
        yield "procedure", event.test_name


def title_words(title: str) -> list[tuple[str, ...]]:
    """Spellings of a title: as written, without brackets and empty words, and cut at commas."""
    plain = _BRACKETS.sub("", title)
    short = _EMPTY_WORDS.sub(" ", plain)
    cut = [short[: comma.start()] for comma in re.finditer(",", short)]
    spellings = dict.fromkeys(map(keys_of, (title, plain, short, *cut)))
    return [words for words in spellings if _is_name(words)]


def _is_name(words: tuple[str, ...]) -> bool:
    telling = [word for word in words if word not in generic_words() and len(word) > 2]
    if len(words) == 1 and len(words[0]) < _SHORTEST_NAME:
        return False
    return bool(telling) and not _HARDLY_NAMES.issuperset(telling)


def name_places(mentions: Iterable[Mention]) -> dict[int, int]:
    """Tokens of names of several words, each with the end of the longest name it is in.

    A ``without`` in a title denies nothing behind the title.
    """
    places: dict[int, int] = {}
    for one in mentions:
        if one.end - one.start > _SHORT_NAME and one.term.kind in ("diagnosis", "finding"):
            for place in range(one.start, one.end):
                places[place] = max(one.end, places.get(place, 0))
    return places


def _listed(note: str) -> Iterator[tuple[TermKind, tuple[str, ...]]]:
    """Medicines with a dose and diagnoses in the lists of a discharge note."""
    kind: TermKind | None = None
    for line in note.splitlines():
        if _HEADING.match(line):
            kind = (
                "drug"
                if _MEDICINES.match(line)
                else "diagnosis"
                if _DIAGNOSES.match(line)
                else None
            ) or (kind if line.lower().startswith(("primary", "secondary")) else None)
        entry = _LIST_ENTRY.match(line) if kind else None
        if entry is None or kind is None:
            continue
        dosed = _DOSE.match(entry[2] or "") is not None
        words = keys_of(entry[1])
        if (
            (kind == "drug") == dosed
            and 0 < len(words) <= _LONGEST_LISTED
            and _HARDLY_NAMES.isdisjoint(words)
            and _is_name(words)
        ):
            yield kind, words


@cache
def _built_in() -> ReleaseTerms:
    """The built-in lists; not to be changed."""
    named: dict[tuple[TermKind, tuple[str, ...], str], list[str]] = {}
    kinds: dict[tuple[TermKind, tuple[str, ...], str], list[str]] = {}
    for name, kind in _BUILT_IN:
        lists = vocabulary(name)
        for groups, concepts in ((lists.groups, named), (lists.kinds, kinds)):
            for group in groups:
                for spelling in group:
                    written = spelling if as_written_only(spelling) else ""
                    key = (kind, keys_of(spelling), written)
                    concepts.setdefault(key, []).append(f"{kind}:{group[0]}")
    built = ReleaseTerms()
    for key, meant in named.items():
        kind, words, written = key
        concepts = tuple(dict.fromkeys((*meant, *kinds.get(key, ()))))
        built.add(Term(words, kind, tuple(meant), concepts, written))
    return built
