"""Medication lists as MIMIC prints them."""

from __future__ import annotations

from random import Random

from tasks.sample.layout import paragraph
from tasks.sample.prescriptions import Prescription
from tasks.sample.story import Story

_ROUTES = {
    "PO": "by mouth",
    "SC": "under the skin",
    "IH": "inhaled",
    "SL": "under the tongue",
    "TD": "to the skin",
}


def home_list(story: Story) -> list[str]:
    """The list at admission."""
    if not story.home:
        return ["The Preadmission Medication list is accurate and complete.", "1. None"]
    lines = ["The Preadmission Medication list is accurate and complete."]
    for number, entry in enumerate(story.home, start=1):
        lines += paragraph(f"{number}. {entry_text(entry)}")
    return lines


def discharge_list(story: Story, rng: Random) -> list[str]:
    """The list at discharge; new and altered drugs carry their prescription line.

    A drug that the stay put on hold comes last, as such an entry, or isn't on the list.
    """
    if story.stay.died:
        return ["N/A"]
    lines: list[str] = []
    for number, entry in enumerate(story.discharge, start=1):
        course = entry.drug.course_days
        duration = f" Duration: {course} Days" if course else ""
        lines += paragraph(f"{number}. {entry_text(entry)}{duration}")
        if entry not in story.home and rng.random() < 0.8:
            lines += paragraph(_prescription(entry, course or 30))
    held = [c.before for c in story.changes if c.action == "hold" and c.before]
    noted = [entry for entry in held if rng.random() < 0.6]
    for number, entry in enumerate(noted, start=len(story.discharge) + 1):
        lines += paragraph(f"{number}. {_held(entry)}")
    return lines or ["1. None"]


def entry_text(entry: Prescription) -> str:
    """A drug as its list line has it: ``Furosemide 40 mg PO DAILY``."""
    drug = entry.drug
    return f"{drug.name} {entry.dose} {drug.route} {drug.frequency}"


def _held(entry: Prescription) -> str:
    notice = f"Do not restart {entry.drug.name} until you see your doctor"
    return f"HELD- {entry_text(entry)} This medication was held. {notice}"


def _prescription(entry: Prescription, days: int) -> str:
    drug = entry.drug
    return (
        f"RX *{drug.said} {entry.dose} 1 {drug.form} {_ROUTES[drug.route]} {drug.spoken} "
        f"Disp #*{days} {drug.form.removesuffix('(s)').title()} Refills:*0"
    )
