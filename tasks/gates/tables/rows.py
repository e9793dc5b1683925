"""Turns rows, which are frozen dataclasses, into the flat tables that gates judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, get_type_hints

import polars as pl

_TYPES: dict[type, type[pl.DataType]] = {
    str: pl.String,
    int: pl.Int64,
    bool: pl.Boolean,
    float: pl.Float64,
}


def table(rows: Iterable[Any], row_type: type[Any]) -> pl.DataFrame:
    """A table with the columns of ``row_type``, also where there are no rows.

    Fields are never null: expectations pass over nulls, so a null would hide bad data.
    """
    hints = get_type_hints(row_type)
    names = [field.name for field in fields(row_type)]
    given = list(rows)
    return pl.DataFrame(
        {name: [getattr(row, name) for row in given] for name in names},
        schema={name: _TYPES[hints[name]] for name in names},
    )
