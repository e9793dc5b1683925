"""Publishes a flow's tables as artifacts on the pages of its run."""

from __future__ import annotations

from decimal import Decimal

from prefect.artifacts import create_table_artifact

from flows.estimates import estimate_line
from flows.evaluation_cells import FigureTable
from flows.page_parts import Cell
from tasks.adapters.retrying import patiently
from tasks.contracts.usage import Estimate


def publish_table(table: FigureTable) -> None:
    """Publish a table under its key; columns of one name keep apart."""
    rows = artifact_rows(table)
    patiently(
        lambda: create_table_artifact(
            key=table.key, table=rows, description=table.caption or table.title
        )
    )


def publish_estimate(estimate: Estimate) -> None:
    """Publish what a run would take."""
    rows = [{"stage": name, **one.model_dump()} for name, one in estimate.stages.items()]
    patiently(
        lambda: create_table_artifact(
            key="estimate", table=rows, description=estimate_line(estimate)
        )
    )


def artifact_rows(table: FigureTable) -> list[dict[str, str | int | float | None]]:
    """A table as rows of named cells; a name that several columns have gets their place."""
    names = [
        f"{name} ({place})" if table.head.count(name) > 1 else name
        for place, name in enumerate(table.head, start=1)
    ]
    return [
        {name: _plain(cell) for name, cell in zip(names, row, strict=True)} for row in table.rows
    ]


def _plain(cell: Cell) -> str | int | float | None:
    return float(cell) if isinstance(cell, Decimal) else cell
