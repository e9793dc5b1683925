"""Does a prompt record belong to its admission? Length of stay, turn range and source rows."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.records import AdmissionBundle

_DAY = timedelta(days=1)


def request_differs(dialogue: AdmissionDialogue, turns: tuple[int, int]) -> bool:
    """Length of stay or turn range isn't the stay's, or the message doesn't carry the bundle."""
    bundle, record = dialogue.bundle, dialogue.prompt_record
    days = round((bundle.admission_end - bundle.admission_start) / _DAY, 2)
    return (
        record.stay_days != days
        or record.recommended_turn_range != turns
        or _carried(record.task_message) != _asked(bundle)
    )


def _carried(message: str) -> Any:
    """The last JSON object that starts a line of the message; null where there is none."""
    start = message.rfind("\n{\n")
    try:
        return json.JSONDecoder().raw_decode(message, start + 1)[0] if start >= 0 else None
    except ValueError:
        return None


def _asked(bundle: AdmissionBundle) -> Any:
    """The bundle without ids, as a request carries it."""
    notes = {"__all__": {"note_id": True}}
    left_out: Any = {
        "subject_id": True,
        "hadm_id": True,
        "discharge_notes": notes,
        "radiology_notes": notes,
    }
    return bundle.model_dump(mode="json", exclude=left_out)
