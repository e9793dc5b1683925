"""What prompts of every domain need: fences around data, and the answer to a broken reply."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import count
from string import Template

from tasks.adapters.resources import read_prompt
from tasks.contracts.chat import ChatRequest, Reply

_MARK_DIGITS = 6


def fenced(text: str, label: str) -> str:
    """A text between two lines with a mark that occurs nowhere in it: it can't end its own fence.

    Prompts say that what stands between such lines is data. The mark depends on the text alone.
    """
    marks = (hashlib.sha256(f"{text}{number}".encode()).hexdigest() for number in count())
    held = text.lower()
    mark = next(one[:_MARK_DIGITS] for one in marks if one[:_MARK_DIGITS] not in held)
    return f"<<<{mark} {label}\n{text}\n{mark}>>>"


def repair_message(
    request: ChatRequest[Reply], reply: Reply, broken: tuple[str, ...], *, domain: str
) -> ChatRequest[Reply]:
    """The request again, with the broken reply and its violations appended.

    The wording is ``repair.md`` of the domain's prompts, with ``$reply`` and ``$violations``.
    """
    repair = Template(read_prompt(domain, "repair.md")).substitute(
        reply=reply.model_dump_json(indent=2),
        violations="\n".join(f"- {violation}" for violation in broken),
    )
    messages = (request.system_message, f"{request.task_message}\n\n{repair}")
    return replace(request, render=lambda: messages)
