"""The two messages of a request for answers, and how many tokens they take."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from string import Template

from tasks.adapters.prompts import fenced
from tasks.adapters.resources import read_prompt
from tasks.adapters.tokens import count_tokens
from tasks.answering.blocks import Block
from tasks.contracts.questions import ABSTENTION


@cache
def system_message() -> str:
    """What the model is and has to heed: the same for every question."""
    return _template("system.md").substitute(abstention=ABSTENTION)


@cache
def system_tokens() -> int:
    """Tokens of the system message."""
    return count_tokens(system_message())


def questions_part(questions: Sequence[str]) -> str:
    """What follows the context: the questions, numbered from 1, and what is wanted."""
    numbered = "\n".join(
        f"{number}. {' '.join(question.split())}" for number, question in enumerate(questions, 1)
    )
    return _template("task.md").substitute(
        questions=fenced(numbered, "questions"), count=len(questions), abstention=ABSTENTION
    )


def task_message(block: Block, questions: str) -> str:
    """The context first: what many requests have in common lets a server keep it."""
    return block.text + questions


@cache
def _template(name: str) -> Template:
    return Template(read_prompt("answering", name))
