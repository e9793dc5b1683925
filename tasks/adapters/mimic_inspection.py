"""Reads every byte of an input file once: digest, gzip check sums, encoding, number of records.

DuckDB checks neither gzip's CRC nor that a file is whole, and finds a wrong byte only in columns
that a query names. The record count made here is reconciled with what DuckDB read.
"""

from __future__ import annotations

import codecs
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tasks.adapters.mimic_files import MimicFile
from tasks.adapters.mimic_tables import NEEDED_TABLES
from tasks.contracts.build import SourceFileInfo
from tasks.contracts.errors import SourceError

_CHUNK_BYTES = 1 << 20
_WORKERS = 2
_DIGESTS = 1 << 256
_CHECKSUMS = "SHA256SUMS.txt"


@dataclass(frozen=True)
class FileStamp:
    """What tells that a file was changed or replaced while it is being read."""

    bytes: int
    modified_ns: int
    inode: int


@dataclass(frozen=True)
class InspectedFile:
    """A located file that was read through: size on disk, data records and their digest."""

    file: MimicFile
    bytes: int
    sha256: str
    records: int
    stamp: FileStamp

    def info(self, decimal_ids: int = 0) -> SourceFileInfo:
        """The file as a manifest states it; ``decimal_ids`` were read as whole numbers."""
        return SourceFileInfo(
            table=self.file.table,
            name=self.file.name,
            bytes=self.bytes,
            sha256=self.sha256,
            rows=self.records,
            extra_columns=self.file.extra_columns,
            passed_over=self.file.passed_over,
            decimal_ids=decimal_ids,
        )


def inspect_files(files: Iterable[MimicFile]) -> tuple[InspectedFile, ...]:
    """Read all files through, two at a time.

    Raises SourceError for damaged gzip data, bytes that aren't UTF-8, needed tables without a
    record and files that differ from the SHA256SUMS.txt beside them; of several bad files the
    first in order is named.
    """
    with ThreadPoolExecutor(_WORKERS) as pool:
        return tuple(pool.map(inspect_file, files))


def inspect_file(file: MimicFile) -> InspectedFile:
    """Read one file through; raises SourceError as ``inspect_files`` does."""
    digest = hashlib.sha256()
    reader = RecordReader(file.name)
    before = stamp(file)
    try:
        raw = _chunks(file.path)
        for plain in _inflated(_digested(raw, digest), file):
            reader.feed(plain)
    except OSError as error:
        raise SourceError(f"{file.name}: can't be read ({error.strerror})") from None
    records, sha256 = reader.finish()
    require_unchanged(file, before)
    _compare_checksum(file, digest.hexdigest())
    if not records and file.table in NEEDED_TABLES:
        raise SourceError(
            f"{file.name}: holds a header line and no record; the file is cut: fetch it again"
        )
    return InspectedFile(file, before.bytes, sha256, records, before)


def stamp(file: MimicFile) -> FileStamp:
    """The file's stamp now; raises SourceError where it is gone."""
    try:
        status = file.path.stat()
    except OSError as error:
        raise SourceError(f"{file.name}: can't be read ({error.strerror})") from None
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ino)


def require_unchanged(file: MimicFile, before: FileStamp) -> None:
    """Raise SourceError where a file isn't the one that ``before`` was taken of."""
    if stamp(file) != before:
        raise SourceError(f"{file.name}: changed while it was being read; run again")


class RecordReader:
    """Tells CSV records apart in chunks of bytes: lines outside quotes that aren't blank.

    Counts them and digests them whatever their order, the header line included.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._quoted = False
        self._record = hashlib.sha256()
        self._blank = True
        self._lines = 0
        self._sum = 0

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes; raises SourceError for bytes that aren't UTF-8 text."""
        self._check_text(chunk)
        for position, part in enumerate(chunk.split(b'"')):
            if position:
                self._take(b'"')
                self._quoted = not self._quoted
            if self._quoted or b"\n" not in part:
                self._take(part)
                continue
            first, *whole, rest = part.split(b"\n")
            self._take(first)
            self._end()
            for record in whole:
                self._take(record)
                self._end()
            self._take(rest)

    def finish(self) -> tuple[int, str]:
        """Number of data records, and the digest of all records in any order.

        The digest is the sum of the records' SHA-256 values modulo 2^256. Raises SourceError for a
        character cut at the file's end.
        """
        self._decode(b"", final=True)
        self._end()
        return max(self._lines - 1, 0), f"{self._sum % _DIGESTS:064x}"

    def _take(self, part: bytes) -> None:
        if part:
            self._record.update(part)
            self._blank = self._blank and part == b"\r"

    def _end(self) -> None:
        if not self._blank:
            self._lines += 1
            self._sum += int.from_bytes(self._record.digest(), "big")
        self._record = hashlib.sha256()
        self._blank = True

    def _check_text(self, chunk: bytes) -> None:
        if b"\0" in chunk:
            self._refuse("a NUL byte")
        if not chunk.isascii() or self._decoder.getstate()[0]:
            self._decode(chunk, final=False)

    def _decode(self, chunk: bytes, final: bool) -> None:
        try:
            self._decoder.decode(chunk, final)
        except UnicodeDecodeError:
            self._refuse("a byte that isn't UTF-8")

    def _refuse(self, what: str) -> None:
        raise SourceError(
            f"{self._name}: {what} at or after record {max(self._lines, 1)}; the file must be "
            "UTF-8 text as PhysioNet publishes it"
        ) from None


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            yield chunk


def _digested(chunks: Iterator[bytes], digest: hashlib._Hash) -> Iterator[bytes]:
    for chunk in chunks:
        digest.update(chunk)
        yield chunk


def _inflated(chunks: Iterator[bytes], file: MimicFile) -> Iterator[bytes]:
    if file.path.suffix != ".gz":
        yield from chunks
        return
    try:
        yield from _members(chunks)
    except (zlib.error, EOFError) as error:
        kind = "cut short" if isinstance(error, EOFError) else "damaged"
        raise SourceError(
            f"{file.name}: the gzip data is {kind}; fetch the file again and compare it with "
            f"PhysioNet's {_CHECKSUMS}"
        ) from None


def _members(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Inflate one gzip member after another; zlib compares each one's CRC and length."""
    inflate = zlib.decompressobj(wbits=31)
    for chunk in chunks:
        pending = chunk
        while pending:
            if inflate.eof:
                inflate = zlib.decompressobj(wbits=31)
            yield inflate.decompress(pending, _CHUNK_BYTES)
            pending = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
    while not inflate.eof:
        rest = inflate.decompress(b"", _CHUNK_BYTES)
        if not rest and not inflate.eof:
            raise EOFError
        yield rest


def _compare_checksum(file: MimicFile, sha256: str) -> None:
    for folder in (file.path.parent, file.path.parent.parent):
        listed = _listed_checksum(folder, file.path.relative_to(folder).as_posix())
        if listed and listed != sha256:
            raise SourceError(
                f"{file.name}: differs from the digest in {folder / _CHECKSUMS}; the file is cut "
                "or changed: fetch it again"
            )


def _listed_checksum(folder: Path, name: str) -> str:
    sums = folder / _CHECKSUMS
    try:
        text = sums.read_text(encoding="utf-8-sig") if sums.is_file() else ""
    except (OSError, UnicodeDecodeError):
        raise SourceError(f"{sums}: can't be read as a list of digests") from None
    for line in text.splitlines():
        digest, _, listed = line.strip().partition(" ")
        path = listed.strip().removeprefix("*").replace("\\", "/").removeprefix("./")
        if path == name:
            return digest.lower()
    return ""
