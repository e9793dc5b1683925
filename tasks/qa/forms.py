"""The wordings of questions: families of forms, the same for both kinds of question."""

from __future__ import annotations

import hashlib
import itertools
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


class FormFamily(Contract):
    """One family of ``forms/<question type>.json``: ways to ask one and the same thing.

    ``(x|y)`` in a form stands for either; ``{target}`` and the like are slots.
    """

    slots: tuple[str, ...] = Field(description="Slots that every form of the family fills")
    forms: tuple[str, ...] = Field(min_length=1, description="Wordings")

    @model_validator(mode="after")
    def _slots_match(self) -> FormFamily:
        for form in self.expanded():
            if set(_SLOT.findall(form)) != set(self.slots):
                raise ValueError(f"form {form!r} must fill exactly the slots {self.slots}")
        return self

    def expanded(self) -> tuple[str, ...]:
        """Every wording, alternatives spelled out."""
        return tuple(wording for form in self.forms for wording in _spell_out(form))


_FAMILIES = TypeAdapter(dict[str, FormFamily])


@cache
def wordings() -> Mapping[str, tuple[str, ...]]:
    """All wordings by family; raises ValueError for a family that two files define."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(_FOLDER.glob("*.json")):
        for name, family in _FAMILIES.validate_json(path.read_bytes()).items():
            if name in found:
                raise ValueError(f"{path.name}: family {name!r} is defined twice")
            found[name] = family.expanded()
    return found


def ranked_wordings(family: str, seed: str) -> list[str]:
    """Every wording of a family, in an order that depends on the seed alone."""
    return sorted(wordings()[family], key=lambda wording: _digest(f"{seed}|{wording}"))


def _spell_out(form: str) -> Iterator[str]:
    pieces = (
        piece[1:-1].split("|") if piece.startswith("(") and "|" in piece else [piece]
        for piece in _ALTERNATIVES.split(form)
    )
    for choice in itertools.product(*pieces):
        yield _BEFORE_A_MARK.sub("", " ".join("".join(choice).split()))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
