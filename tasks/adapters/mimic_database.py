"""A throw-away DuckDB database over MIMIC's CSV files: strict, bounded in memory, offline.

Errors never carry DuckDB's text: it quotes records, which are patient text.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import duckdb

from tasks.adapters.files import make_private
from tasks.adapters.mimic_files import MimicFile
from tasks.adapters.mimic_inspection import InspectedFile, require_unchanged
from tasks.adapters.mimic_paths import LiteralPaths, literal_paths
from tasks.adapters.mimic_referee import RECORD_LIMIT_BYTES, transcribe
from tasks.adapters.resources import read_sql
from tasks.contracts.build import SourceFileInfo
from tasks.contracts.errors import SettingError, SourceError

Row = TypeVar("Row")

_MEMORY_LIMIT = "1GB"
_FETCHED_ROWS = 10_000
# Left to itself DuckDB takes 16 times the longest record a thread: most of the memory limit.
_BUFFER_BYTES = 2 * RECORD_LIMIT_BYTES
_Reader = Callable[[duckdb.DuckDBPyConnection, MimicFile], Any]
_OUR_MISTAKES = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException)


@dataclass(frozen=True)
class _LoadResult:
    records: int
    decimal_ids: int
    refused: bool


@dataclass(frozen=True)
class _Refusal:
    record_number: int
    problem: str


@dataclass(frozen=True)
class _Conflict:
    table_name: str
    column_name: str
    id: str


@dataclass(frozen=True)
class Linked(Generic[Row]):
    """A row of a bundle query: whose it is, and the rest of its columns as ``item``."""

    subject_id: int
    hadm_id: int
    item: Row


def linked_by_ids(build: Callable[..., Row]) -> Callable[..., Linked[Row]]:
    """A row builder that sets the two ids apart and gives the other columns to ``build``."""

    def link(subject_id: int, hadm_id: int, **fields: Any) -> Linked[Row]:
        return Linked(subject_id, hadm_id, build(**fields))

    return link


@contextmanager
def open_database(files: Iterable[InspectedFile], workdir: Path) -> Generator[MimicDatabase]:
    """A database whose spill files lie in ``workdir/spill`` (0700), removed before and after.

    Raises SettingError where ``workdir`` can't be written.
    """
    spill = workdir / "spill"
    shutil.rmtree(spill, ignore_errors=True)
    try:
        make_private(workdir)
        make_private(spill)
    except OSError as error:
        raise SettingError(f"{workdir}: can't be written ({error.strerror})") from None
    connection = duckdb.connect(
        config={
            "memory_limit": _MEMORY_LIMIT,
            "temp_directory": str(spill),
            # DuckDB guesses a CSV at a few dozen rows and may hash the huge side of a join.
            "disabled_optimizers": "build_side_probe_side",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
    )
    try:
        connection.execute(read_sql("staging/conversions.sql"))
        with literal_paths() as paths:
            yield MimicDatabase(connection, files, spill, paths)
    finally:
        connection.close()
        shutil.rmtree(spill, ignore_errors=True)


class MimicDatabase:
    """Tables loaded from MIMIC's files, and queries over them; safe to use from two threads."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        files: Iterable[InspectedFile],
        spill: Path,
        paths: LiteralPaths,
    ) -> None:
        self._connection = connection
        self._spill = spill
        self._paths = paths
        self._files = {inspected.file.table: inspected for inspected in files}
        self._decimal_ids: dict[str, int] = {}

    def load_keys(self) -> None:
        """Load patients and admissions.

        Raises SourceError for refused records, an id with two contents, and admissions of
        patients that hosp/patients lacks.
        """
        self.load("patients")
        self.load("admissions")
        self.refuse_conflicts("cohort/conflicts.sql")
        unknown = self.query("cohort/unknown_patients.sql", _UnknownPatients)[0]
        if unknown.patients:
            raise SourceError(
                f"{self._files['patients'].file.name}: has no record of {unknown.patients} "
                f"patients that the admissions name, the first is subject_id {unknown.first}; "
                "the file is incomplete: fetch it again"
            )

    def load_side_by_side(self, *groups: Sequence[str]) -> None:
        """Load each group of tables in a thread of its own; the first group's error is raised."""
        with ThreadPoolExecutor(len(groups)) as pool:
            for loading in [pool.submit(self._load_group, group) for group in groups]:
                loading.result()

    def load(self, table: str) -> None:
        """Read a file once into the table of its name, every record converted or refused.

        Raises SourceError naming file, record, column and class of value.
        """
        inspected = self._files[table]
        result = self._load_from(inspected, self._read_csv)
        if result is None or result.records != inspected.records:
            result = self._load_transcribed(inspected)
        if result.refused:
            found = self.query("staging/first_refused.sql", _Refusal, view_name=f"staging_{table}")
            raise SourceError(
                f"{inspected.file.name}: record {found[0].record_number}, column "
                f"{found[0].problem}; correct the file or fetch it again"
            )
        require_unchanged(inspected.file, inspected.stamp)
        self._decimal_ids[table] = result.decimal_ids

    def file_name(self, table: str) -> str:
        """The table's file as messages call it, for example ``hosp/patients.csv``."""
        return self._files[table].file.name

    def refuse_conflicts(self, sql: str) -> None:
        """Raise SourceError for the first id that a query reports on records that differ."""
        for conflict in self.query(sql, _Conflict):
            name = self._files[conflict.table_name].file.name
            raise SourceError(
                f"{name}: {conflict.column_name} {conflict.id} stands on records that differ; "
                "it must be unique: remove the wrong one"
            )

    def execute(self, sql: str, **parameters: object) -> None:
        """Run a statement from the SQL folder, for example ``cohort/candidates.sql``."""
        with self._connection.cursor() as cursor, _spill_errors():
            cursor.execute(read_sql(sql), parameters or None)

    def query(self, sql: str, into: Callable[..., Row], **parameters: object) -> list[Row]:
        """All rows of a query from the SQL folder, each built by ``into`` from named columns."""
        return list(self.stream(sql, into, **parameters))

    def stream(self, sql: str, into: Callable[..., Row], **parameters: object) -> Iterator[Row]:
        """Rows of a query one by one, as ``query`` builds them; a bounded number in memory."""
        with self._connection.cursor() as cursor, _spill_errors():
            cursor.execute(read_sql(sql), parameters or None)
            names = [str(column[0]) for column in cursor.description or ()]
            while rows := cursor.fetchmany(_FETCHED_ROWS):
                for row in rows:
                    yield into(**dict(zip(names, row, strict=True)))

    def file_infos(self) -> tuple[SourceFileInfo, ...]:
        """The files with what loading found out about them."""
        return tuple(
            inspected.info(self._decimal_ids.get(table, 0))
            for table, inspected in self._files.items()
        )

    def _load_group(self, tables: Sequence[str]) -> None:
        for table in tables:
            self.load(table)

    def _load_from(self, inspected: InspectedFile, read: _Reader) -> _LoadResult | None:
        """Load by one way of reading; None where DuckDB can't read the file that way."""
        table = inspected.file.table
        try:
            with self._connection.cursor() as cursor:
                read(cursor, inspected.file).create_view(f"raw_{table}", replace=True)
            self.execute(f"staging/{table}.sql")
            self.execute(f"cohort/{table}.sql")
        except _OUR_MISTAKES:
            raise
        except duckdb.Error:
            return None
        return self.query("staging/load_result.sql", _LoadResult, table_name=table)[0]

    def _load_transcribed(self, inspected: InspectedFile) -> _LoadResult:
        counted = transcribe(inspected.file, self._transcript(inspected.file))
        result = self._load_from(inspected, self._read_transcript)
        if result is None or result.records != counted:
            raise SourceError(
                f"{inspected.file.name}: {counted} records were counted but not all could be "
                "read; write the file again as plain RFC 4180 CSV"
            )
        return result

    def _read_csv(self, cursor: duckdb.DuckDBPyConnection, file: MimicFile) -> Any:
        return cursor.read_csv(
            self._paths.spell(file.path),
            auto_detect=False,
            header=True,
            columns=dict.fromkeys(file.columns, "VARCHAR"),
            sep=",",
            quotechar='"',
            escapechar='"',
            max_line_size=RECORD_LIMIT_BYTES,
            buffer_size=_BUFFER_BYTES,
            hive_partitioning=False,
        )

    def _read_transcript(self, cursor: duckdb.DuckDBPyConnection, file: MimicFile) -> Any:
        return cursor.read_parquet(
            self._paths.spell(self._transcript(file)), hive_partitioning=False
        )

    def _transcript(self, file: MimicFile) -> Path:
        return self._spill / f"{file.table}.parquet"


@dataclass(frozen=True)
class _UnknownPatients:
    patients: int
    first: int | None


@contextmanager
def _spill_errors() -> Generator[None]:
    try:
        yield
    except (duckdb.OutOfMemoryException, duckdb.IOException):
        raise SettingError(
            f"DuckDB ran out of memory ({_MEMORY_LIMIT}) or of room for spill files, or an input "
            "file vanished; free space under the output folder and run again"
        ) from None
