"""What the figures of wording, variety and duplicates must not exceed (docs/audits-wording.md)."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.contracts.audit import (
    AuditDuplicates,
    AuditVariety,
    AuditWording,
    FormVariety,
    Separability,
    ShareOf,
)

MOST_AUROC = 0.60
CHANCE = 0.50
MOST_COPIED = 0.01
"""Share of turns that may hold a long verbatim run of a note."""

MOST_REPEATED = 0.01
"""Share of turns that may repeat a text of their own session."""

MOST_ACROSS = 0.10
"""Share of questions that may be asked of another patient with the same answer."""


def wording_faults(figures: AuditWording) -> tuple[str, ...]:
    """What in the wording gives adversarial questions away; empty where nothing does.

    An AUROC counts where it exceeds its bound and its interval excludes chance: a handful of
    questions proves nothing.
    """
    read = {"overall": figures.overall, **figures.scopes}
    return tuple(
        f"wording: {name}: adversarial questions can be told by their text alone: AUROC "
        f"{one.auroc} [{one.lower}, {one.upper}], at most {MOST_AUROC} is accepted"
        for name, one in read.items()
        if _gives_away(one)
    )


def _gives_away(one: Separability) -> bool:
    if one.auroc is None or one.lower is None:
        return False
    return one.auroc > MOST_AUROC and one.lower > CHANCE


def variety_faults(figures: AuditVariety) -> tuple[str, ...]:
    """Forms and texts that occur too often, and long copies; empty where there are none."""
    found = [
        *(
            fault
            for kind, one in figures.questions.items()
            for fault in _too_often(f"one form of {kind.value} questions", one)
        ),
        *_too_often("one text of a turn", figures.turn_texts),
        *_too_often("one form of a turn", figures.turn_forms),
        *_too_many(
            "turns repeat a text of their session", figures.repeated_in_session, MOST_REPEATED
        ),
        *_too_many("turns copy a note word by word", figures.copied, MOST_COPIED),
    ]
    return tuple(f"variety: {fault}" for fault in found)


def _too_often(what: str, one: FormVariety) -> Iterator[str]:
    if one.largest > one.allowed:
        yield f"{what} occurs {one.largest} times in {one.n}, at most {one.allowed} are accepted"


def _too_many(what: str, one: ShareOf, accepted: float) -> Iterator[str]:
    """Shares of few items have a floor of three, as forms have."""
    allowed = max(3, int(one.n * accepted))
    if one.count > allowed:
        yield f"{one.count} of {one.n} {what}, at most {allowed} are accepted"


def duplicates_faults(figures: AuditDuplicates) -> tuple[str, ...]:
    """Questions and sessions that repeat others; empty where there are none."""
    found = [
        *(
            f"{one.count} of {one.n} {what}"
            for what, one in (
                ("questions repeat an earlier one of their patient", figures.within_patients),
                ("sessions nearly equal another one", figures.sessions),
            )
            if one.count
        ),
        *_too_many(
            "questions are asked of another patient with the same answer",
            figures.across_patients,
            MOST_ACROSS,
        ),
    ]
    return tuple(f"duplicates: {fault}" for fault in found)
