"""Turns sentence templates into sentences: choices, pronouns, lists."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from string import Template

_CHOICE = re.compile(r"\{([^{}]*)\}")


def say(text: str, rng: Random, values: Mapping[str, str]) -> str:
    """Fill a template: ``{a|b}`` takes one of the choices, ``$name`` the value of that name.

    Raises KeyError for a name without a value.
    """
    chosen = _CHOICE.sub(lambda match: rng.choice(match.group(1).split("|")), text)
    return Template(chosen).substitute(values)


def capitalize(text: str) -> str:
    """The text with its first letter in upper case, the rest as it is."""
    return text[:1].upper() + text[1:]


def uncapitalize(text: str) -> str:
    """The text with a lower-case first letter, unless its first word is an abbreviation or name."""
    first = text.split(" ", 1)[0]
    if first[1:] != first[1:].lower() or first.rstrip(",") in _NAMES or first.endswith("'s"):
        return text
    return text[:1].lower() + text[1:]


def join(parts: Sequence[str], word: str = "and") -> str:
    """The parts as a list in prose: ``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    # A part that has its own "and" would blur where the next one begins.
    comma = "," if any(f" {word} " in part for part in parts) else ""
    return f"{', '.join(parts[:-1])}{comma} {word} {parts[-1]}"


def pronouns(gender: str) -> dict[str, str]:
    """Values of ``$he``, ``$He``, ``$his``, ``$man`` and ``$Mr`` for F and M."""
    if gender == "F":
        return {"he": "she", "He": "She", "his": "her", "man": "woman", "Mr": "Ms."}
    return {"he": "he", "He": "He", "his": "his", "man": "man", "Mr": "Mr."}


_NAMES = frozenset(
    (
        "Bacteroides",
        "Candida",
        "Clostridium",
        "Enterobacter",
        "Enterococcus",
        "Escherichia",
        "Haemophilus",
        "Hodgkin",
        "Klebsiella",
        "Proteus",
        "Pseudomonas",
        "Salmonella",
        "Serratia",
        "Staphylococcus",
        "Streptococcus",
    )
)
