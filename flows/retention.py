"""Run history that is no longer wanted: deleted through the server, and its file made smaller."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import httpx

from flows.history import ENDED
from tasks.contracts.errors import RunFailed

FLOWS = (
    "build-benchmark",
    "build-benchmark-demo",
    "evaluate-benchmark",
    "generate-rubrics",
    "evaluate-rubrics",
    "evaluate-preconsultation",
)
"""A server, and a Prefect home's database, may hold other projects' runs: they stay."""

_PAGE = 200
_SETTLE_SECONDS = 30.0
_BUSY_SECONDS = 60.0


@dataclass(frozen=True)
class Pruned:
    """What was deleted, or would be."""

    flow_runs: int
    task_runs: int
    artifacts: int


def prune_history(older_than_days: int, *, dry_run: bool = False) -> Pruned:
    """Delete this program's flow runs that ended that long ago, and all that belongs to them.

    A run that has not ended stays, however old. Works on the server that this process uses.
    Raises RunFailed where the server refuses or goes away.
    """
    from prefect.client.orchestration import get_client

    before = datetime.now(UTC) - timedelta(days=older_than_days)
    try:
        with get_client(sync_client=True) as client:

            def ask(path: str, body: dict[str, Any]) -> Any:
                # Prefect lists routes with their placeholders as the only paths it accepts.
                return client.request("POST", cast("Any", path), json=body).json()

            old = _old_runs(ask, before)
            pruned = Pruned(
                flow_runs=len(old),
                task_runs=sum(ask("/task_runs/count", _of([run])) for run in old),
                artifacts=sum(ask("/artifacts/count", _artifacts_of(run)) for run in old),
            )
            if dry_run:
                return pruned
            for run in old:
                while found := ask("/artifacts/filter", {**_artifacts_of(run), "limit": _PAGE}):
                    for artifact in found:
                        client.request(
                            "DELETE", "/artifacts/{id}", path_params={"id": artifact["id"]}
                        )
                client.request("DELETE", "/flow_runs/{id}", path_params={"id": run})
            _wait_for_logs(ask, old)
    except httpx.HTTPError as error:
        raise RunFailed(
            f"Prefect's server did not delete all of it ({type(error).__name__}): run it again"
        ) from None
    return pruned


def compact(database: Path) -> tuple[int, int] | None:
    """Give the space of deleted rows back; the file's bytes before and after.

    None where the database is in use for longer than a minute.
    """
    before = _bytes(database)
    try:
        with closing(sqlite3.connect(database, timeout=_BUSY_SECONDS)) as connection:
            connection.execute("vacuum")
            if not _fold_log(connection):
                return None
    except sqlite3.OperationalError:
        return None
    return before, _bytes(database)


def _fold_log(connection: sqlite3.Connection) -> bool:
    """Bring the write-ahead log into the file; until then it holds a second copy of it all.

    SQLite does not raise where a reader is in the way: it answers that it was busy.
    """
    deadline = time.monotonic() + _BUSY_SECONDS
    connection.execute("pragma busy_timeout = 500")
    while connection.execute("pragma wal_checkpoint(truncate)").fetchone()[0]:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def _old_runs(ask: Any, before: datetime) -> list[str]:
    wanted = {
        "state": {"type": {"any_": ENDED}},
        "end_time": {"before_": before.isoformat()},
    }
    ours = {"name": {"any_": list(FLOWS)}}
    found: list[str] = []
    while True:
        query = {"flow_runs": wanted, "flows": ours, "sort": "END_TIME_DESC", "limit": _PAGE}
        page = ask("/flow_runs/filter", {**query, "offset": len(found)})
        found += [str(run["id"]) for run in page]
        if len(page) < _PAGE:
            return found


def _of(runs: list[str]) -> dict[str, Any]:
    return {"flow_runs": {"id": {"any_": runs}}}


def _artifacts_of(run: str) -> dict[str, Any]:
    return {"artifacts": {"flow_run_id": {"any_": [run]}}}


def _wait_for_logs(ask: Any, runs: list[str]) -> None:
    """The server deletes logs after it answered; the file is compacted once they are gone."""
    deadline = time.monotonic() + _SETTLE_SECONDS
    for run in runs:
        query = {"logs": {"flow_run_id": {"any_": [run]}}, "limit": 1}
        while ask("/logs/filter", query) and time.monotonic() < deadline:
            time.sleep(0.1)


def _bytes(database: Path) -> int:
    files = (database, database.with_name(f"{database.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())
