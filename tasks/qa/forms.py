"""The wordings of questions: families of forms, the same for both kinds of question."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from pydantic import Field, TypeAdapter, model_validator

from tasks.contracts.base import Contract

_FOLDER = Path(__file__).with_suffix("")
_ALTERNATIVES = re.compile(r"(\([^()]*\|[^()]*\))")
_BEFORE_A_MARK = re.compile(r"\s+(?=[?,:;.])|,(?=[?,:;.])")
_SLOT = re.compile(r"\{(\w+)\}")
_PHRASE = re.compile(r"<(\w+)>")

DERIVED = frozenset({"was"})
"""Slots that follow from the target: ``was`` or ``were``."""


class FormFamily(Contract):
    """One family of ``forms/<question type>.json``: ways to ask one and the same thing.

    ``(x|y)`` in a form stands for either, ``<range>`` for any phrase of that name in phrases.json;
    ``{target}`` and the like are slots, ``{was}`` is ``were`` for a plural target.
    """

    slots: tuple[str, ...] = Field(description="Slots that every form of the family fills")
    forms: tuple[str, ...] = Field(min_length=1, description="Wordings")

    @model_validator(mode="after")
    def _slots_match(self) -> FormFamily:
        for form in self.expanded():
            if set(_SLOT.findall(form)) - DERIVED != set(self.slots):
                raise ValueError(f"form {form!r} must fill exactly the slots {self.slots}")
        return self

    def expanded(self) -> tuple[str, ...]:
        """Every wording, alternatives spelled out."""
        return tuple(wording for form in self.forms for wording in _spell_out(form))


_PHRASES = TypeAdapter(dict[str, tuple[str, ...]])
_FAMILIES = TypeAdapter(dict[str, FormFamily])


@cache
def _spelled_forms() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """All forms by family, each as its wordings."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for path in sorted(_FOLDER.glob("*.json")):
        for name, family in _FAMILIES.validate_json(path.read_bytes()).items():
            if name in found:
                raise ValueError(f"{path.name}: family {name!r} is defined twice")
            found[name] = tuple(tuple(_spell_out(form)) for form in family.forms)
    return found


@cache
def wordings() -> Mapping[str, tuple[str, ...]]:
    """All wordings by family; raises ValueError for a family that two files define."""
    return {
        name: tuple(wording for form in forms for wording in form)
        for name, forms in _spelled_forms().items()
    }


def forms_of(family: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The forms of a family by their number, each as its wordings."""
    return enumerate(_spelled_forms()[family])


@cache
def phrases() -> Mapping[str, tuple[str, ...]]:
    """What ``<name>`` in a form stands for."""
    return _PHRASES.validate_json(_FOLDER.with_name("phrases.json").read_bytes())


def _spell_out(form: str) -> Iterator[str]:
    """Every wording of a form; groups may hold groups, the innermost are chosen first."""
    with_phrases = _PHRASE.sub(lambda found: f"({'|'.join(phrases()[found[1]])})", form)
    yield from dict.fromkeys(
        _BEFORE_A_MARK.sub("", " ".join(wording.split())) for wording in _choose(with_phrases)
    )


def _choose(form: str) -> Iterator[str]:
    found = _ALTERNATIVES.search(form)
    if found is None:
        yield form
        return
    for option in found[1][1:-1].split("|"):
        yield from _choose(form[: found.start()] + option + form[found.end() :])


def digest(text: str) -> str:
    """A fixed but arbitrary mark of a text, to order by."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
