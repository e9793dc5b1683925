"""Paths as DuckDB opens them: it reads wildcards into names, and splits them at backslashes."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_WILDCARDS = re.compile(r"([\[*?])")


class LiteralPaths:
    """Spells paths so that DuckDB opens the very file, whatever its folders are called."""

    def __init__(self) -> None:
        self._links: Path | None = None

    def spell(self, path: Path) -> str:
        """The path with wildcards switched off, or a link to it where that can't be done."""
        text = str(path)
        if _is_hard(text):
            text = str(self._link(path))
        return _WILDCARDS.sub(r"[\1]", text)

    def close(self) -> None:
        """Remove the links."""
        if self._links is not None:
            shutil.rmtree(self._links, ignore_errors=True)
            self._links = None

    def _link(self, path: Path) -> Path:
        if self._links is None:
            self._links = Path(tempfile.mkdtemp(prefix="anamnesis-links-"))
        link = self._links / path.name
        if not link.is_symlink():
            link.symlink_to(path.absolute())
        return link


@contextmanager
def literal_paths() -> Generator[LiteralPaths]:
    """Paths for one connection; links are removed at the end."""
    paths = LiteralPaths()
    try:
        yield paths
    finally:
        paths.close()


def _is_hard(text: str) -> bool:
    # DuckDB takes the backslash for a separator once there is a wildcard, escaped or not; names
    # that aren't UTF-8 can't be handed over.
    beyond_utf8 = any("\ud800" <= letter <= "\udfff" for letter in text)
    return beyond_utf8 or ("\\" in text and _WILDCARDS.search(text) is not None)
