"""Whether a record mentions something: the ground for calling a target absent or a count right."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from tasks.contracts.questions import ChartAdmission
from tasks.qa.normalization import words
from tasks.qa.vocabulary import generic_words, spellings

_SHARE_OF_WORDS = 0.6
_SENTENCE_END = re.compile(r"(?<=[.;:!?#])\s+|\n\s*\n")


class RecordText:
    """An index of sentences, rows and turns that is generous in finding a mention.

    A label counts as mentioned when a sentence holds most of its specific words (or of a synonym's
    or abbreviation's), so that only what is surely absent is called absent.
    """

    def __init__(self, chunks: Iterable[str]) -> None:
        self._chunks_by_word: dict[str, set[int]] = defaultdict(set)
        for position, chunk in enumerate(chunks):
            for word in words(chunk):
                self._chunks_by_word[_stem(word)].add(position)

    def mentions(self, label: str) -> bool:
        """Whether the label, a synonym or an abbreviation of it occurs."""
        return any(self._has(spelling) for spelling in spellings(label))

    def _has(self, spelling: str) -> bool:
        wanted = dict.fromkeys(_stem(word) for word in words(spelling))
        specific = [word for word in wanted if word not in generic_words()]
        needed = math.ceil(_SHARE_OF_WORDS * len(specific)) if specific else len(wanted)
        hits = Counter(
            position
            for word in specific or wanted
            for position in self._chunks_by_word.get(word, ())
        )
        return max(hits.values(), default=0) >= needed


def admission_chunks(admission: ChartAdmission) -> Iterator[str]:
    """Sentences of the notes, event rows, facts, the previous summary and the turns of a stay."""
    bundle = admission.bundle
    for note in (*bundle.discharge_notes, *bundle.radiology_notes):
        yield from _SENTENCE_END.split(note.text)
    for row in (*bundle.diagnoses, *bundle.procedures):
        yield row.long_title
    for event in bundle.microbiology:
        yield f"{event.spec_type_desc} {event.test_name}"
        yield f"{event.org_name} {event.ab_name}"
        yield event.comments
    for fact in admission.facts:
        yield f"{fact.label} {fact.value}"
    for line in admission.lines:
        yield from _SENTENCE_END.split(line.text)
    if bundle.previous_admission_summary is not None:
        yield from _SENTENCE_END.split(bundle.previous_admission_summary.summary_paragraph)
        yield from bundle.previous_admission_summary.problems


def _stem(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word
