"""Looks for words in files and databases, whatever form they are kept in."""

from __future__ import annotations

import base64
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

_SQLITE = b"SQLite format 3"
_ZLIB_OR_GZIP = zlib.MAX_WBITS | 32


def find_leaks(files: Iterable[Path], word: str) -> list[str]:
    """The places that hold an ASCII word, in any case, as text, UTF-16, hex, base64 or packed."""
    return [f"{path}: {place}" for path in files for place in _places(path, word)]


def holds(content: bytes, word: str) -> bool:
    """Whether bytes hold the word in any of those forms."""
    unpacked = _unpacked(content)
    return _shows(content, word) or (unpacked is not None and _shows(unpacked, word))


def _places(path: Path, word: str) -> Iterator[str]:
    content = path.read_bytes()
    if holds(content, word):
        yield "file"
    if content.startswith(_SQLITE):
        yield from (place for place, value in database_values(path) if holds(value, word))


def database_values(path: Path) -> Iterator[tuple[str, bytes]]:
    """Every value of an SQLite database, the write-ahead log's included, with its place."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.text_factory = bytes
        names = [row[0].decode() for row in database.execute(_TABLES)]
        for name in names:
            for row in database.execute(f'select * from "{name}"'):  # noqa: S608 - its own tables
                for value in row:
                    if value is not None:
                        yield name, value if isinstance(value, bytes) else str(value).encode()


_TABLES = "select name from sqlite_master where type = 'table'"


def _shows(content: bytes, word: str) -> bool:
    folded = content.lower()
    plain = word.lower()
    texts = [plain.encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le")]
    spellings = {word, plain, word.upper(), word.capitalize()}
    texts += [one.encode().hex().encode() for one in spellings]
    if any(text in folded for text in texts):
        return True
    return any(part in content for one in spellings for part in _base64(one.encode()))


def _base64(word: bytes) -> Iterator[bytes]:
    """The word's own part of its base64 form, for each place it can have among three bytes."""
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + word)
        start = (before * 8 + 5) // 6
        yield whole[start : (before + len(word)) * 8 // 6]


def _unpacked(content: bytes) -> bytes | None:
    with suppress(zlib.error):
        return zlib.decompressobj(_ZLIB_OR_GZIP).decompress(content)
    return None
