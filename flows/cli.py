"""Console script ``anamnesis``: parses, calls, prints."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the process's exit code."""
    raise NotImplementedError
