"""Sends a reply that broke rules back to the model, with the exact violations."""

from __future__ import annotations

from dataclasses import replace
from string import Template

from tasks.adapters.resources import read_prompt
from tasks.contracts.chat import ChatRequest, Reply


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


def fenced(text: str, label: str) -> str:
    """A text as data of a prompt, between two fences longer than any run of tildes in it."""
    fence = "~~~"
    while fence in text:
        fence += "~"
    return f"{fence} {label}\n{text}\n{fence}"
