"""A release's terms as they are stored between tasks: the names that only its records hold."""

from __future__ import annotations

from pydantic import Field

from tasks.audit.grounding_terms import ReleaseTerms, TermKind, build_terms
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
    known = build_terms(()).terms
    return TermNames(
        names=tuple(
            TermName(kind=term.kind, words=term.words)
            for key, found in terms.terms.items()
            for term in found
            if term not in known.get(key, ())
        )
    )


def terms_of(names: TermNames) -> ReleaseTerms:
    """The built-in terms and a release's own."""
    terms = build_terms(())
    for name in names.names:
        terms.add_name(name.kind, name.words)
    return terms
