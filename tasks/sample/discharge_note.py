"""The discharge summary in MIMIC's look."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tasks.sample.cultures import print_culture
from tasks.sample.hospital_course import hospital_course
from tasks.sample.laboratory import print_block, print_urine
from tasks.sample.layout import BLANK, bullets, numbered, paragraph, section
from tasks.sample.lookup import Catalogue
from tasks.sample.medication_list import discharge_list, home_list
from tasks.sample.phrases import capitalize, join, pronouns, say
from tasks.sample.stay_procedures import procedure_name, told_procedures
from tasks.sample.story import Story
from tasks.sample.streams import Stream
from tasks.sample.studies import study_sentence
from tasks.sample.timing import interval_in_words, stay_days

_MOST_DIAGNOSES = 9
_DISPOSITIONS = {
    "HOME": ["Home"],
    "HOME HEALTH CARE": ["Home With Service", BLANK, "Facility:", "___"],
    "DIED": ["Expired"],
    "AGAINST ADVICE": ["Home"],
    "": ["Home"],
}
_FACILITY = ["Extended Care", BLANK, "Facility:", "___"]

_Part = Callable[[Story, Catalogue, Stream], list[str]]


def discharge_note(story: Story, catalogue: Catalogue, stream: Stream) -> str:
    """The whole summary."""
    parts: tuple[_Part, ...] = (
        _header,
        _presentation,
        _history,
        _examination,
        _results,
        _course,
        _medications,
        _discharge,
        _instructions,
        _addendum,
    )
    lines = [line for part in parts for line in part(story, catalogue, stream)]
    return "\n".join([BLANK, *lines, ""])


def _header(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    del catalogue, stream
    leading = story.problems[0].condition if story.problems else None
    blocks = (
        ["Name:  ___                    Unit No:   ___"],
        ["Admission Date:  ___              Discharge Date:   ___"],
        [f"Date of Birth:  ___             Sex:   {story.stay.gender}"],
        [f"Service: {leading.service if leading else 'MEDICINE'}"],
        ["Allergies: ", story.allergy.name],
        ["Attending: ___."],
    )
    return [line for block in blocks for line in (*block, BLANK)]


def _presentation(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    told = told_procedures(story.stay)
    procedures = [capitalize(procedure_name(p, catalogue)) for p in told]
    shown = bullets(dict.fromkeys(procedures), "___") or ["None"]
    return [
        *section("Chief Complaint:", [story.complaint]),
        *section("Major Surgical or Invasive Procedure:", shown),
        *section("History of Present Illness:", _present_illness(story, catalogue, stream)),
    ]


def _present_illness(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    rng = stream.draw("history")
    wording = catalogue.wording
    history = f"with a history of {join([_inline(p) for p in story.past[:4]])}"
    values = {
        **pronouns(story.stay.gender),
        "history": history if story.past else "without significant past history",
        "reason": _inline(story.complaint),
        "symptoms": join(story.symptoms),
        "denials": join(story.denials, "or"),
        "vitals": story.admission_exam.vitals,
        "labs": join(story.labs.notable),
    }
    leading = story.problems[0].condition if story.problems else None
    presents = leading is not None and bool(leading.complaints)
    openings = wording.hpi_openings if presents else wording.hpi_admitted
    first = [say(rng.choice(openings), rng, values)]
    first.append(say(rng.choice(wording.reports), rng, values))
    first.append(say(rng.choice(wording.denies), rng, values))
    if story.previous is not None:
        interval = interval_in_words(story.previous.discharged, story.stay.admittime)
        recalled = {**values, "interval": interval, "previous": story.previous.principal}
        first.append(say(rng.choice(wording.last_admission), rng, recalled))
    second = [say(rng.choice(wording.arrivals[_arrival(story)]), rng, values)]
    if story.labs.notable:
        second.append(say(rng.choice(wording.lab_notes), rng, values))
    early = [s for s in story.studies if s.entry.radiology and not s.is_later]
    second += [study_sentence(s) for s in early]
    return [*paragraph(" ".join(first)), BLANK, *paragraph(" ".join(second))]


def _inline(text: str) -> str:
    return text if text.startswith("s/p") or text[1:2].isupper() else text[:1].lower() + text[1:]


def _arrival(story: Story) -> str:
    location = story.stay.admission_location.upper()
    if "EMERGENCY" in location or "WALK-IN" in location:
        return "EMERGENCY"
    if "TRANSFER FROM HOSPITAL" in location:
        return "TRANSFER"
    kind = story.stay.admission_type.upper()
    return "ELECTIVE" if "ELECTIVE" in kind or "SURGICAL" in kind else "OTHER"


def _history(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    rng = stream.draw("lists")
    past = list(story.past) or ["None"]
    lines = numbered(past) if rng.random() < 0.4 else bullets(past)
    del catalogue
    return [
        *section("Past Medical History:", lines),
        *section("Social History:", ["___"]),
        *section("Family History:", paragraph(story.family_history)),
    ]


def _examination(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    del catalogue, stream
    admission, discharge = story.admission_exam, story.discharge_exam
    lines = ["ADMISSION EXAM:", f"VS: {admission.vitals}"]
    lines += [line for r, text in admission.findings for line in paragraph(f"{r}: {text}.")]
    if not story.stay.died and stay_days(story.stay) >= 1:
        lines += [BLANK, "DISCHARGE EXAM:", f"VS: {discharge.vitals}"]
        lines += [line for r, text in discharge.findings for line in paragraph(f"{r}: {text}.")]
    return section("Physical Exam:", lines)


def _results(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    lines = ["ADMISSION LABS:"]
    for line in print_block(story.labs.admission, catalogue):
        lines += paragraph(line)
    if any(p.condition is not None and p.condition.urine for p in story.acute):
        for line in print_urine(stream.draw("urinalysis"), story.labs.admission.time):
            lines += paragraph(line)
    if story.labs.discharge is not None and not story.stay.died:
        lines += [BLANK, "DISCHARGE LABS:"]
        for line in print_block(story.labs.discharge, catalogue):
            lines += paragraph(line)
    if story.cultures:
        lines += [BLANK, "MICROBIOLOGY:"]
        for culture in story.cultures:
            lines += [*print_culture(culture), BLANK]
    if story.studies:
        lines += [BLANK, "IMAGING:"]
        for study in story.studies:
            text = " ".join(study.impression)
            lines += [*paragraph(f"___ {study.entry.examination}: {text}")]
    return section("Pertinent Results:", lines)


def _course(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    return section("Brief Hospital Course:", hospital_course(story, catalogue, stream))


def _medications(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    del catalogue
    rng = stream.draw("medication lists")
    return [
        *section("Medications on Admission:", home_list(story)),
        *section("Discharge Medications:", discharge_list(story, rng)),
    ]


def _discharge(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    del catalogue
    rng = stream.draw("discharge")
    names = [capitalize(p.name) for p in story.problems if p.kind != "history"]
    diagnoses = ["Primary:", *bullets(names[:1] or [story.complaint])]
    if names[1:]:
        diagnoses += [BLANK, "Secondary:", *bullets(names[1:_MOST_DIAGNOSES])]
    disposition = _DISPOSITIONS.get(story.stay.discharge_location, _FACILITY)
    if story.stay.died:
        disposition = _DISPOSITIONS["DIED"]
    return [
        *section("Discharge Disposition:", disposition),
        *section("Discharge Diagnosis:", diagnoses),
        *section("Discharge Condition:", _condition(story, rng)),
    ]


def _condition(story: Story, rng: Random) -> list[str]:
    if story.stay.died:
        return ["Expired"]
    needs_help = story.stay.discharge_location not in ("HOME", "HOME HEALTH CARE", "")
    walking = (
        "Ambulatory - requires assistance or aid (walker or cane)."
        if needs_help or rng.random() < 0.2
        else "Ambulatory - Independent."
    )
    return [
        "Mental Status: Clear and coherent.",
        "Level of Consciousness: Alert and interactive.",
        f"Activity Status: {walking}",
    ]


def _instructions(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    if story.stay.died:
        lines = section("Discharge Instructions:", ["N/A"])
        return [*lines, *section("Followup Instructions:", ["___"])]
    rng = stream.draw("instructions")
    words = pronouns(story.stay.gender)
    lay = [p.condition.lay if p.condition else "" for p in story.acute[:2]]
    names = [text or p.name for text, p in zip(lay, story.acute, strict=False)]
    names = [name for name, text in zip(names, lay, strict=True) if text] or names[:1]
    lines = [f"Dear {words['Mr']} ___,", BLANK, *paragraph(rng.choice(catalogue.wording.thanks))]
    lines += [BLANK, "WHY WERE YOU IN THE HOSPITAL?"]
    lines += bullets([f"You were in the hospital because of {join(names)}."] if names else [])
    lines += [BLANK, "WHAT SHOULD YOU DO WHEN YOU LEAVE THE HOSPITAL?"]
    lines += bullets(story.advice)
    lines += [BLANK, "We wish you the best,", "Your ___ Team"]
    follow_up = [*bullets(story.follow_up), "___"]
    return [
        *section("Discharge Instructions:", lines),
        *section("Followup Instructions:", follow_up),
    ]


def _addendum(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    rng = stream.draw("addendum")
    if story.stay.died or rng.random() > 0.06:
        return []
    return section("Addendum:", paragraph(rng.choice(catalogue.wording.addenda)))
