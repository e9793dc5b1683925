"""Does a prompt record belong to its admission? Length of stay, turn range and source rows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from tasks.contracts.dialogue import AdmissionDialogue, ShortenedSource
from tasks.contracts.records import AdmissionBundle, MicrobiologyEvent

_DAY = timedelta(days=1)
_FENCED = re.compile(r"^<<<([0-9a-f]+) ([a-z ]+)[^\n]*\n(.*?)\n\1>>>$", re.MULTILINE | re.DOTALL)
_WHOLE = ShortenedSource(radiology_notes=0, microbiology=0)


def request_differs(dialogue: AdmissionDialogue, turns: tuple[int, int]) -> bool:
    """Length of stay or turn range isn't the stay's, or the message doesn't carry the bundle.

    What the prompt record says was left out, at the end of the radiology notes and the
    microbiology rows, must not be in the message.
    """
    bundle, record = dialogue.bundle, dialogue.prompt_record
    days = round((bundle.admission_end - bundle.admission_start) / _DAY, 2)
    return (
        record.stay_days != days
        or record.recommended_turn_range != turns
        or not _carries(record.task_message, bundle, record.shortened or _WHOLE)
    )


def _carries(message: str, bundle: AdmissionBundle, left_out: ShortenedSource) -> bool:
    told = _sections(message)
    notes = bundle.radiology_notes
    shown = notes[: max(0, len(notes) - left_out.radiology_notes)]
    rows = bundle.microbiology
    return (
        told["the story of the stay"]
        == _plain(bundle, (one.text for one in bundle.discharge_notes))
        and told["imaging report"] == _plain(bundle, (one.text for one in shown))
        and told["diagnoses"] == _listed(bundle, (one.long_title for one in bundle.diagnoses))
        and told["procedures"]
        == _listed(
            bundle,
            (f"{one.chartdate} | {one.long_title}" for one in bundle.procedures if one.long_title),
        )
        and told["the previous stay"] == _previous(bundle)
        and _has_rows(told, rows[: max(0, len(rows) - left_out.microbiology)], bundle)
    )


def _sections(message: str) -> Mapping[str, list[str]]:
    """The fenced texts of a message by what they are, without regard to line breaks."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for _, label, text in _FENCED.findall(message):
        found[label].append(" ".join(text.split()))
    return found


def _plain(bundle: AdmissionBundle, texts: Iterable[str]) -> list[str]:
    """Texts as a message shows them: on one line, with ``___`` in the place of ids."""
    notes = (*bundle.discharge_notes, *bundle.radiology_notes)
    ids = (*(note.note_id for note in notes), bundle.subject_id, bundle.hadm_id)
    known = re.compile(rf"(?<!\w)(?:\d+-(?:DS|RR|AR)-\d+|{'|'.join(map(re.escape, ids))})(?!\w)")
    return [" ".join(known.sub("___", text).split()) for text in texts]


def _listed(bundle: AdmissionBundle, rows: Iterable[str]) -> list[str]:
    """Rows in one section, or no section where there is none."""
    text = "\n".join(row for row in rows if row)
    return _plain(bundle, [text] if text else [])


def _previous(bundle: AdmissionBundle) -> list[str]:
    summary = bundle.previous_admission_summary
    if summary is None:
        return []
    problems = "\n".join(f"- {problem}" for problem in summary.problems)
    stay = f"{summary.admission_start} to {summary.admission_end}"
    return _plain(bundle, [f"{stay}\n{summary.summary_paragraph}\nproblems:\n{problems}"])


def _has_rows(
    told: Mapping[str, list[str]], rows: Sequence[MicrobiologyEvent], bundle: AdmissionBundle
) -> bool:
    """Every value of every row stands in the message, and nothing of days without a row."""
    text = " ".join(told["microbiology"])
    values = {
        value
        for one in rows
        for value in (one.spec_type_desc, one.test_name, one.org_name, one.ab_name, one.comments)
        if value.strip()
    }
    days = {f"{one.normalized_time.date()}" for one in rows}
    dated = set(re.findall(r"(?:^| )(\d{4}-\d\d-\d\d)(?: \d\d:\d\d:\d\d)? \|", text))
    return dated == days and all(value in text for value in _plain(bundle, values))
