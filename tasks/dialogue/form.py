"""The form of texts: speech, without markup and without end; and of a summary's list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import AdmissionSummary
from tasks.dialogue.violations import Violation, of_turn, said_openly

MOST_CHARACTERS = 3000
"""Of a turn or a summary; more than twice as long as any that rules write."""

MOST_PROBLEMS = 40
MOST_PROBLEM_CHARACTERS = 250
"""Titles of diagnoses have up to 228 letters."""

_MARKUP = re.compile(
    r"https?://|\bwww\.|</?[a-z][^<>]*>|\*\*|```|^\s*(?:#+|[-*\u2022])\s|[{}]| \| ", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{2}")


def form_violations(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    """Texts with markup."""
    for line in lines:
        if found := _MARKUP.search(line.text):
            yield of_turn(
                "markup",
                line.turn_number,
                f"holds `{found[0].strip()}`: it is plain text, without addresses, lists or marks",
            )


def endless_violations(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    """Texts without end, such as one letter or sentence over and over."""
    for line in lines:
        if len(line.text) > MOST_CHARACTERS:
            yield of_turn(
                "endless_text",
                line.turn_number,
                f"has {len(line.text)} characters: expected at most {MOST_CHARACTERS}",
            )


def problem_violations(summary: AdmissionSummary) -> Iterator[Violation]:
    """Problems that are listed twice, are no words, or don't end."""
    problems = [problem.casefold().strip() for problem in summary.problems]
    if len(set(problems)) < len(problems):
        yield said_openly("summary: problems are listed twice", "summary")
    if len(problems) > MOST_PROBLEMS:
        yield said_openly(
            f"summary: it lists {len(problems)} problems, more than {MOST_PROBLEMS}", "summary"
        )
    if any(len(one) > MOST_PROBLEM_CHARACTERS or not _WORD.search(one) for one in problems if one):
        yield said_openly("summary: a problem is no name of one", "summary")


def lines_of(summary: AdmissionSummary) -> tuple[SourcedLine, ...]:
    """The texts of a summary as turns, to be judged by the rules of turns."""
    texts = filter(str.strip, (summary.summary_paragraph, *summary.problems))
    return tuple(
        SourcedLine(turn_number=number, time=summary.admission_end, speaker="Doctor", text=text)
        for number, text in enumerate(texts, start=1)
    )
