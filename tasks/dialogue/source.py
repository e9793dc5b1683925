"""What a language model is shown of a stay: fenced, without ids, in as few words as can be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from tasks.adapters.prompts import fenced
from tasks.contracts.clock import format_time
from tasks.contracts.records import (
    AdmissionBundle,
    AdmissionRecord,
    AdmissionSummary,
    Fact,
    FactKind,
    MicrobiologyEvent,
)
from tasks.dialogue.rules import identifiers_of

_MARK_OF_REMOVAL = "___"
_TREATED = ("action", "dose", "link")
TOLD_KINDS = {
    FactKind.STAY: "the stay",
    FactKind.CHIEF_COMPLAINT: "complaint",
    FactKind.HISTORY: "history",
    FactKind.PAST_CONDITION: "earlier illnesses",
    FactKind.ALLERGY: "allergies",
    FactKind.HOME_MEDICATION: "medicines at home",
    FactKind.EXAM: "examination",
    FactKind.LAB: "laboratory",
    FactKind.IMAGING: "imaging",
    FactKind.PROCEDURE: "procedures",
    FactKind.CULTURE: "cultures",
    FactKind.SUSCEPTIBILITY: "susceptibility",
    FactKind.TREATMENT: "treatment, = its reason",
    FactKind.COURSE: "course",
    FactKind.DIAGNOSIS: "diagnoses",
    FactKind.MEDICATION_CHANGE: "changes of medicines",
    FactKind.DISCHARGE_MEDICATION: "medicines after discharge",
    FactKind.DISPOSITION: "destination",
    FactKind.CONDITION: "condition at discharge",
    FactKind.INSTRUCTION: "instructions",
    FactKind.FOLLOW_UP: "follow-up",
}
"""Kinds of facts as the model reads them, in the order in which a stay comes to them."""


def source_text(record: AdmissionRecord) -> str:
    """Facts, previous stay, notes and rows of a record, each in a fence of its own."""
    bundle = record.bundle
    return _without_ids(_all_parts(record), bundle)


def facts_text(record: AdmissionRecord) -> str:
    """The facts and the previous stay alone, for small repairs."""
    parts = (*_facts(record.facts), *_previous(record.bundle.previous_admission_summary))
    return _without_ids(parts, record.bundle)


def masker(bundle: AdmissionBundle) -> Callable[[str], str]:
    """Puts ``___`` in the place of every id of the stay, its patient and its notes."""
    identifiers: re.Pattern[str] = identifiers_of(bundle)
    return lambda text: identifiers.sub(_MARK_OF_REMOVAL, text)


def _without_ids(parts: Iterable[tuple[str, str]], bundle: AdmissionBundle) -> str:
    masked = masker(bundle)
    return "\n\n".join(fenced(masked(text.strip()), label) for label, text in parts)


def _all_parts(record: AdmissionRecord) -> Iterator[tuple[str, str]]:
    """Labels and texts, in the order in which a reader needs them."""
    bundle = record.bundle
    yield from _facts(record.facts)
    yield from _previous(bundle.previous_admission_summary)
    for note in bundle.discharge_notes:
        yield "the story of the stay", note.text
    for note in bundle.radiology_notes:
        taken = f", {format_time(note.charttime)}" if note.charttime else ""
        yield f"imaging report{taken}", note.text
    yield from _rows("diagnoses", (one.long_title for one in bundle.diagnoses))
    yield from _rows(
        "procedures",
        (f"{one.chartdate} | {one.long_title}" for one in bundle.procedures if one.long_title),
    )
    yield from _rows(
        "microbiology; S susceptible, I intermediate, R resistant", _tests(bundle.microbiology)
    )


def _facts(facts: Sequence[Fact]) -> Iterator[tuple[str, str]]:
    lines: list[str] = []
    for kind, told in TOLD_KINDS.items():
        of_kind = [_fact(fact) for fact in facts if fact.kind is kind]
        lines += [f"{told}:", *of_kind] if of_kind else []
    yield from _rows("facts", lines)


def _fact(fact: Fact) -> str:
    what = fact.label if fact.value == fact.label else f"{fact.label} = {fact.value}"
    detail = fact.detail
    more = [
        f"known from {detail['reported']}" if "reported" in detail else "",
        f"on {detail['date']}" if "date" in detail and detail["date"] != fact.value else "",
        " ".join(detail[name] for name in _TREATED if name in detail) if "action" in detail else "",
    ]
    return f"- {what}" + "".join(f" ({one})" for one in more if one)


def _previous(summary: AdmissionSummary | None) -> Iterator[tuple[str, str]]:
    if summary is not None:
        stay = f"{format_time(summary.admission_start)} to {format_time(summary.admission_end)}"
        problems = "\n".join(f"- {problem}" for problem in summary.problems)
        yield (
            "the previous stay",
            f"{stay}\n{summary.summary_paragraph}\nproblems:\n{problems}",
        )


def _rows(label: str, rows: Iterable[str]) -> Iterator[tuple[str, str]]:
    text = "\n".join(row for row in rows if row)
    if text:
        yield label, text


def _tests(events: Sequence[MicrobiologyEvent]) -> Iterator[str]:
    """A line a test and organism, with the antibiotics tested against it."""
    for parts, same in groupby(events, key=_test):
        tested = ", ".join(
            f"{one.ab_name} {one.interpretation}".strip() for one in same if one.ab_name
        )
        *named, comments = parts
        yield " | ".join(part for part in (*named, tested, comments) if part)


def _test(event: MicrobiologyEvent) -> tuple[str, ...]:
    recorded = event.time_provenance == "recorded"
    taken = format_time(event.normalized_time)
    return (
        taken if recorded else taken.split(" ")[0],
        event.spec_type_desc,
        event.test_name,
        event.org_name,
        " ".join(event.comments.split()),
    )
