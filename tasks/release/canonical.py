"""The one way in which a release's JSON files are written."""

from __future__ import annotations

from pydantic import BaseModel

from tasks.adapters.files import canonical_json
from tasks.contracts.questions import QuestionSet


def published_json(value: BaseModel) -> bytes:
    """A file's bytes; cross-admission questions have no ``turn_ids`` rather than a null."""
    if isinstance(value, QuestionSet):
        return canonical_json(value.model_dump(mode="json", exclude_none=True))
    return canonical_json(value)
