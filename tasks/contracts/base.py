"""The base of every data shape that travels between stages."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Contract(BaseModel):
    """Immutable, closed data shape: unknown fields are refused, values never change.

    Errors of validation don't repeat the value: it can be patient text.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, ser_json_inf_nan="constants"
    )
