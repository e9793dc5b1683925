"""Renders the request for a dialogue as the two messages that a language model reads.

Ids of patients, admissions and notes stay out of the messages.
"""

from __future__ import annotations

import json
from string import Template

from tasks.adapters.resources import read_prompt
from tasks.contracts.clock import format_time
from tasks.contracts.dialogue import DialogueInput
from tasks.contracts.records import AdmissionBundle, Fact, PatientContext

_ALIVE = (
    "the discharge: diagnoses, changes of medicines, where the patient goes, instructions, "
    "follow-up, length of stay."
)
_DIED = (
    "an ordinary visit. The patient died in this stay: nothing may say or hint that, and there "
    "is no discharge."
)
_PREVIOUS = (
    "- `previous_admission_summary` below is the patient's previous stay. Early on, the doctor "
    "refers to at least one of its `problems` word for word."
)


def render_messages(request: DialogueInput) -> tuple[str, str]:
    """System message and task message of a request."""
    bundle = request.record.bundle
    task = Template(read_prompt("dialogue", "task.md")).substitute(
        admission_start=format_time(bundle.admission_start),
        admission_end=format_time(bundle.admission_end),
        conversation_end=format_time(bundle.timing_rules.conversation_end),
        patient=_patient(request.record.patient),
        minimum_turns=request.minimum_turns,
        maximum_turns=request.maximum_turns,
        ending=_DIED if request.record.patient.died_in_hospital else _ALIVE,
        previous=_PREVIOUS if bundle.previous_admission_summary else "- This is the first stay.",
        facts="\n".join(_fact(fact) for fact in request.record.facts) or "none",
        bundle=_bundle(bundle),
    )
    return read_prompt("dialogue", "system.md"), task


def _patient(patient: PatientContext) -> str:
    gender = {"F": "woman", "M": "man"}.get(patient.gender, "person")
    if patient.age_years is None:
        return gender
    over_89 = 91
    age = "over 89" if patient.age_years >= over_89 else str(patient.age_years)
    return f"{gender}, age {age}"


def _fact(fact: Fact) -> str:
    stated = {
        "fact_id": fact.fact_id,
        "label": fact.label,
        "value": fact.value,
        "time": format_time(fact.time) if fact.time else None,
        **fact.detail,
    }
    return json.dumps(
        {name: part for name, part in stated.items() if part is not None}, ensure_ascii=False
    )


def _bundle(bundle: AdmissionBundle) -> str:
    notes = {"__all__": {"note_id": True}}
    return bundle.model_dump_json(
        exclude={
            "subject_id": True,
            "hadm_id": True,
            "discharge_notes": notes,
            "radiology_notes": notes,
        },
        indent=1,
    )
