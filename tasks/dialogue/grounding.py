"""What turns and summary claim that the record doesn't bear out, by the grounding audit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from tasks.audit.grounding.record import index_texts
from tasks.audit.grounding.terms import ReleaseTerms
from tasks.audit.grounding.turns import audit_turns
from tasks.contracts.audit import AuditSession
from tasks.contracts.clock import format_date, parse_date
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import AdmissionBundle, AdmissionSummary, Fact, FactKind
from tasks.dialogue.spelled import in_figures
from tasks.dialogue.violations import Violation, of_turn
from tasks.terminology.normalization import words

_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_NEAR = r"[^.?!;,\d]{0,40}?"
_LENGTH = re.compile(
    rf"\blength of stay\b{_NEAR}(\d+|less than one) days?\b|"
    r"\b(\d+|less than one) days? as (?:your|the) length of stay",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(r"[^.?!;]*\b(?:chief|presenting|main) complaint(?: of|:) ([^.?!;]+)", re.I)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_LOOKS_BACK = re.compile(r"\b(?:last|previous|earlier|before|prior)\b", re.IGNORECASE)


def _end_form(end: str) -> re.Pattern[str]:
    return re.compile(
        rf"\b{end} date\b{_NEAR}(\d{{4}}-\d\d-\d\d)|(\d{{4}}-\d\d-\d\d) as (?:your|the) {end} date",
        re.IGNORECASE,
    )


_ADMISSION, _DISCHARGE = _end_form("admission"), _end_form("discharge")


def claim_violations(
    lines: Sequence[SourcedLine],
    summary: AdmissionSummary,
    bundle: AdmissionBundle,
    terms: ReleaseTerms,
) -> Iterator[Violation]:
    """Claims of turns and summary that neither the record nor the previous summary makes.

    The next stay would take a summary's for true: what it says of this stay has to stand in this
    stay's record. ``terms`` say what counts as a name: those of all records that end up in one
    release, as the audit of the release knows them.
    """
    of_now, looking_back = _as_lines(summary, bundle)
    this_stay = bundle.model_copy(update={"previous_admission_summary": None})
    # Reading the record costs more than reading what is said of it.
    texts = index_texts(bundle, terms)
    said = [line.model_copy(update={"text": in_figures(line.text)}) for line in lines]
    audited = [
        *audit_turns(AuditSession.of(bundle, [*said, *looking_back]), terms, texts),
        *audit_turns(AuditSession.of(this_stay, of_now), terms, texts),
    ]
    for turn in audited[: len(lines)]:
        for claim in turn.unsupported:
            yield of_turn(
                f"unsupported_claim ({claim.kind})",
                turn.turn_number,
                f"says `{claim.text}` ({claim.kind}), which the source doesn't bear out: leave it "
                "out, or say what the source says",
            )
    for turn in audited[len(lines) :]:
        for claim in turn.unsupported:
            yield Violation(
                f"unsupported_claim ({claim.kind}): summary",
                f"summary: `{claim.text}` ({claim.kind}) is not borne out by the source: leave it "
                "out, or say what the source says",
                "summary",
            )


def complaint_violations(
    lines: Sequence[SourcedLine], summary: AdmissionSummary, facts: Sequence[Fact]
) -> Iterator[Violation]:
    """Chief complaints that share no word with the stay's, such as the previous stay's."""
    known = [fact.value for fact in facts if fact.kind is FactKind.CHIEF_COMPLAINT]
    expected = {word for value in known for word in words(value)}
    if not expected:
        return
    told = f"misstates the chief complaint: it is {'; '.join(known)}"
    for line in lines:
        if _has_other_complaint(line.text, expected):
            yield of_turn("misstated_complaint", line.turn_number, told)
    if _has_other_complaint(summary.summary_paragraph, expected):
        yield Violation("misstated_complaint: summary", f"summary: it {told}", "summary")


def _has_other_complaint(text: str, expected: set[str]) -> bool:
    # The form begins with anything: it tries every letter of a text that holds none.
    return "complaint" in text.casefold() and any(
        expected.isdisjoint(words(found[1])) and not _LOOKS_BACK.search(found[0])
        for found in _COMPLAINT.finditer(text)
    )


def _as_lines(
    summary: AdmissionSummary, bundle: AdmissionBundle
) -> tuple[list[SourcedLine], list[SourcedLine]]:
    """What a summary says of its own stay, and its sentences that look back at earlier ones."""
    sentences = _SENTENCE_END.split(summary.summary_paragraph)
    back = [one for one in sentences if _LOOKS_BACK.search(one)]
    now = [one for one in sentences if one not in back]
    texts = ([" ".join(now), *summary.problems], [" ".join(back)])
    of_now, looking_back = (
        [
            SourcedLine(turn_number=at, time=bundle.admission_end, speaker="Doctor", text=text)
            for at, text in enumerate(filter(str.strip, part), start=1)
        ]
        for part in texts
    )
    return of_now, looking_back


def day_violations(lines: Sequence[SourcedLine], bundle: AdmissionBundle) -> Iterator[Violation]:
    """Dates that the record doesn't have, and a stay's dates and length said otherwise than it."""
    first, last = bundle.admission_start.date(), bundle.admission_end.date()
    nights = (last - first).days
    ends = (
        (_ADMISSION, "admission date", format_date(first)),
        (_DISCHARGE, "discharge date", format_date(last)),
        (_LENGTH, "length of stay", str(nights) if nights else "less than one"),
    )
    known, written = _known_days(bundle)
    for line in lines:
        for said in _DATE.findall(line.text):
            if said not in written and not _is_among(said, known):
                yield of_turn(
                    "unknown_date", line.turn_number, f"says {said}, a date the source doesn't have"
                )
        for form, name, expected in ends:
            if any((one[1] or one[2]).lower() != expected for one in form.finditer(line.text)):
                yield of_turn(
                    "misstated_stay", line.turn_number, f"misstates the {name}: it is {expected}"
                )


def _known_days(bundle: AdmissionBundle) -> tuple[list[tuple[date, date]], frozenset[str]]:
    """Spans of days that may be named, and dates that stand in a note."""
    notes = (*bundle.discharge_notes, *bundle.radiology_notes)
    previous = bundle.previous_admission_summary
    stays = (bundle, previous) if previous else (bundle,)
    spans = [(one.admission_start.date(), one.admission_end.date()) for one in stays]
    moments = [one.normalized_time for one in (*bundle.procedures, *bundle.microbiology)]
    moments += [note.charttime for note in notes if note.charttime]
    spans += [(moment.date(), moment.date()) for moment in moments]
    return spans, frozenset(found for note in notes for found in _DATE.findall(note.text))


def _is_among(said: str, spans: Sequence[tuple[date, date]]) -> bool:
    try:
        day = parse_date(said)
    except ValueError:
        return False
    return any(first <= day <= last for first, last in spans)
