"""Renders what a model is asked for as the two messages that it reads.

Ids of patients, admissions and notes stay out of the messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from tasks.adapters.prompts import fenced
from tasks.adapters.resources import read_prompt
from tasks.contracts.clock import format_time
from tasks.contracts.dialogue import DialogueInput, DialogueReply, SourcedLine
from tasks.contracts.records import AdmissionSummary, PatientContext
from tasks.dialogue.awareness import ventilated_hours
from tasks.dialogue.exchanges import story_of
from tasks.dialogue.outlining import OutlinedTurn
from tasks.dialogue.source import facts_text, masker, source_text
from tasks.dialogue.spread import spread_of
from tasks.dialogue.trust import LONGEST_RUN
from tasks.dialogue.violations import Violation

_ALIVE = (
    "the discharge: diagnoses, changes of medicines, where the patient goes, instructions, "
    "follow-up, length of stay."
)
_DIED = (
    "an ordinary visit. The patient died in this stay: nothing may say or hint that, and there "
    "is no discharge."
)
_PREVIOUS = (
    "- The previous stay is told in the source. Early on, the doctor refers to at least one of its "
    "problems word for word."
)
_OUTLINE_PREVIOUS = (
    "\n- The doctor's first turn also names one of the previous stay's problems word for word."
)
_OVER_89 = 91


def render_messages(given: DialogueInput) -> tuple[str, str]:
    """System message and task message of a request for a whole dialogue."""
    record = given.record
    bundle = record.bundle
    task = Template(read_prompt("dialogue", "task.md")).substitute(
        _stay(given),
        conversation_end=format_time(bundle.timing_rules.conversation_end),
        turns=_turns(given),
        longest_run=LONGEST_RUN,
        spread=_spread(given),
        silence=_silence(given),
        ending=_DIED if record.patient.died_in_hospital else _ALIVE,
        previous=_PREVIOUS if bundle.previous_admission_summary else "- This is the first stay.",
        source=source_text(record),
    )
    return read_prompt("dialogue", "system.md"), task


def render_outlined(given: DialogueInput, outline: Sequence[OutlinedTurn]) -> tuple[str, str]:
    """The same with every turn laid out behind it, for a model that was wrong without.

    What servers have read once for the first message, and kept, they needn't read again.
    """
    system, task = render_messages(given)
    bundle = given.record.bundle
    laid_out = "\n".join(map(_laid_out, outline))
    lines = Template(read_prompt("dialogue", "outline.md")).substitute(
        turns=len(outline),
        previous=_OUTLINE_PREVIOUS if bundle.previous_admission_summary else "",
        outline=fenced(masker(bundle)(laid_out), "the turns to write"),
    )
    return system, f"{task.rstrip()}\n\n{lines}"


def render_patch(
    given: DialogueInput, lines: Sequence[SourcedLine], broken: Sequence[Violation]
) -> tuple[str, str]:
    """Messages that ask for other texts of the turns at fault, and for nothing else."""
    places = [place for place, line in enumerate(lines) if _faults(line, broken)]
    masked = masker(given.record.bundle)
    blocks: list[str] = []
    for place in places:
        around = lines[max(0, place - 1) : place + 2]
        shown = fenced(masked("\n".join(map(_spoken, around))), f"around turn {place + 1}")
        blocks.append(f"{shown}\n{_listed(_faults(lines[place], broken))}")
    task = Template(read_prompt("dialogue", "patch.md")).substitute(
        _stay(given),
        numbers=", ".join(str(lines[place].turn_number) for place in places),
        turns="\n\n".join(blocks),
        source=facts_text(given.record),
    )
    return read_prompt("dialogue", "system.md"), task


def render_summary(
    given: DialogueInput, summary: AdmissionSummary, broken: Sequence[Violation]
) -> tuple[str, str]:
    """Messages that ask for another summary, and for nothing else."""
    written = "\n".join((summary.summary_paragraph, *(f"- {one}" for one in summary.problems)))
    task = Template(read_prompt("dialogue", "summary.md")).substitute(
        _stay(given),
        violations=_listed(broken),
        summary=fenced(masker(given.record.bundle)(written), "the summary so far"),
        source=facts_text(given.record),
    )
    return read_prompt("dialogue", "system.md"), task


def repair_answer(broken: Sequence[str]) -> str:
    """What a reply that breaks rules is answered."""
    violations = "\n".join(f"- {one}" for one in broken)
    return Template(read_prompt("dialogue", "repair.md")).substitute(violations=violations)


def reply_text(reply: DialogueReply) -> str:
    """A reply in the shape in which the model sent it."""
    lines = {"conversation_lines": {"__all__": {"sources": True, "touches": True}}}
    return reply.model_dump_json(exclude=lines)


def _stay(given: DialogueInput) -> dict[str, str]:
    bundle = given.record.bundle
    return {
        "admission_start": format_time(bundle.admission_start),
        "admission_end": format_time(bundle.admission_end),
        "patient": _patient(given.record.patient),
    }


def _patient(patient: PatientContext) -> str:
    gender = {"F": "woman", "M": "man"}.get(patient.gender, "person")
    if patient.age_years is None:
        return gender
    age = "over 89" if patient.age_years >= _OVER_89 else str(patient.age_years)
    return f"{gender}, age {age}"


def _turns(given: DialogueInput) -> str:
    fewest, most = given.minimum_turns, given.maximum_turns
    return str(fewest) if fewest == most else f"between {fewest} and {most}"


def _spread(given: DialogueInput) -> str:
    spread = spread_of(given)
    if spread is None:
        return "The turns are spread evenly over the stay."
    days = f" on at least {spread.fewest_days} of its days" if spread.fewest_days > 1 else ""
    return (
        f"The talk is spread over the stay{days}; the last turn is at or after "
        f"{format_time(spread.last_from)}."
    )


def _silence(given: DialogueInput) -> str:
    hours = ventilated_hours(story_of(given.record))
    if not hours:
        return ""
    spans = ", ".join(f"{format_time(begins)} to {format_time(over)}" for begins, over in hours)
    return f"\n- The patient is on a ventilator and nobody speaks with them: {spans}."


def _laid_out(turn: OutlinedTurn) -> str:
    if turn.told:
        about = f"tells: {'; '.join(turn.told)}"
    else:
        about = (
            f"asks about {turn.asks_about}"
            if turn.asks_about
            else "thanks the doctor and says how it goes on at home"
        )
    return f"{turn.number} | {format_time(turn.time)} | {turn.speaker} | {about}"


def _faults(line: SourcedLine, broken: Sequence[Violation]) -> list[Violation]:
    return [one for one in broken if one.place == line.turn_number]


def _listed(broken: Sequence[Violation]) -> str:
    return "\n".join(f"- {one.told}" for one in broken)


def _spoken(line: SourcedLine) -> str:
    return f"{line.turn_number} | {format_time(line.time)} | {line.speaker} | {line.text}"
