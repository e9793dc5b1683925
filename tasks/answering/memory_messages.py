"""The messages by which memories are made: no identifiers, memories have local numbers."""

from __future__ import annotations

from collections.abc import Iterable
from string import Template

from tasks.adapters.prompts import fenced
from tasks.adapters.resources import read_prompt
from tasks.answering.memory_shapes import (
    MOST_CANDIDATES,
    MOST_SUMMARY_CHARACTERS,
    DecideInput,
    ExtractInput,
    SummaryInput,
)
from tasks.answering.timeline import ContextLine, context_line


def render_extraction(given: ExtractInput, typed: bool) -> tuple[str, str]:
    """Messages that ask for what is worth remembering of a chunk."""
    existing = fenced(_listed(given.existing), "memories so far") + "\n\n" if given.existing else ""
    return _messages(
        "memory_extract.md",
        summary=_summary(given.summary),
        existing=existing,
        lines=fenced("".join(map(context_line, given.lines)).rstrip("\n"), "conversations"),
        most=MOST_CANDIDATES,
        kinds=read_prompt("answering", "memory_kinds.md") if typed else "",
    )


def render_decisions(given: DecideInput) -> tuple[str, str]:
    """Messages that ask what is to be done with candidates."""
    return _messages(
        "memory_decide.md",
        memories=fenced(_numbered(given.memories), "memories"),
        candidates=fenced(_numbered(given.candidates), "observations"),
    )


def render_summary(given: SummaryInput) -> tuple[str, str]:
    """Messages that ask for the running summary."""
    return _messages(
        "memory_summary.md",
        summary=_summary(given.summary),
        added=fenced(_listed(given.added), "new observations"),
        most=MOST_SUMMARY_CHARACTERS,
    )


def _messages(name: str, **parts: object) -> tuple[str, str]:
    task = Template(read_prompt("answering", name)).substitute(parts)
    return read_prompt("answering", "memory_system.md"), task


def _summary(summary: str) -> str:
    return fenced(summary or "Nothing is known yet.", "summary so far")


def _listed(lines: Iterable[ContextLine]) -> str:
    return "".join(map(context_line, lines)).rstrip("\n")


def _numbered(lines: Iterable[ContextLine]) -> str:
    return "".join(f"{n}. {context_line(one)}" for n, one in enumerate(lines, 1)).rstrip("\n")
