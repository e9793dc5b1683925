"""A release's terms as they are stored between tasks: the names that only its records hold."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from tasks.audit.grounding.terms import ReleaseTerms, Term, TermKind, build_terms
from tasks.contracts.base import Contract


class TermName(Contract):
    """A name from structured rows or lists of notes."""

    kind: TermKind = Field(description="What it names")
    words: tuple[str, ...] = Field(description="Its words as they are compared")


class TermNames(Contract):
    """Names that the built-in lists lack, in the order in which they were found."""

    names: tuple[TermName, ...] = Field(description="From the records of the whole release")


def names_of(terms: ReleaseTerms) -> TermNames:
    """What a release adds to the built-in terms."""
    known = set(_all(build_terms(())))
    return TermNames(
        names=tuple(
            TermName(kind=term.kind, words=term.words) for term in _all(terms) if term not in known
        )
    )


def terms_of(names: TermNames) -> ReleaseTerms:
    """The built-in terms and a release's own."""
    terms = build_terms(())
    for name in names.names:
        terms.add_name(name.kind, name.words)
    return terms


def _all(terms: ReleaseTerms) -> Iterator[Term]:
    for by_second in terms.by_words.values():
        for found in by_second.values():
            yield from found
