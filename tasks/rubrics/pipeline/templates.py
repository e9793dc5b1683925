"""Criteria that rules word, in English and Chinese."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.rubrics import Axis, Criterion, Fact, FactKind, IntentItem, Language

_FOLDER = Path(__file__).parents[1] / "wording"

_OF_FACT: Mapping[FactKind, tuple[Axis, int]] = {
    "positive": ("accuracy", 6),
    "red_flag": ("completeness", 9),
    "negative": ("accuracy", -8),
}
_OF_ASPECT: Mapping[str, tuple[Axis, int]] = {
    "persona": ("communication_quality", 3),
    "tone": ("communication_quality", 3),
    "missing_context": ("context_awareness", 6),
    "request": ("instruction_following", 5),
}


class Wording(Contract):
    """The words by which rules read and write one language."""

    fact: Mapping[str, str] = Field(description="Criterion of a fact by kind; {fact} stands in it")
    aspect: Mapping[str, str] = Field(description="Criterion of an intent item; {text} in it")
    promise: str = Field(description="A fault that any answer can have")
    categories: Mapping[str, tuple[str, ...]] = Field(description="Cues of kinds of requests")
    other_category: str = Field(description="Where no cue is found")
    searches: tuple[str, ...] = Field(description="Searches; {words} are those of the query")
    red_flag_cues: tuple[str, ...] = Field(description="Mark sentences about urgent care")
    negative_cues: tuple[str, ...] = Field(description="Mark sentences that prohibit")
    regional_cues: tuple[str, ...] = Field(description="Mark what depends on the place")
    reassurance: str = Field(description="A sentence of unsupported reassurance")
    urgency: Mapping[str, str] = Field(description="Words of urgency, and what delays")
    personas: Mapping[str, tuple[str, ...]] = Field(description="Cues of who asks")
    other_persona: str = Field(description="Who asks where no cue is found")
    context: Mapping[str, tuple[str, ...]] = Field(description="What matters, and signs it is told")
    worried_cues: tuple[str, ...] = Field(description="Signs of worry")
    tones: tuple[str, str] = Field(description="Usual tone; tone for the worried")
    requests: Mapping[str, tuple[str, ...]] = Field(description="Requests of form, by their cues")
    honest_limits: str = Field(description="What every answer owes")
    base_answer: str = Field(description="An answer with much to add; {question} stands in it")


@cache
def wording(language: Language) -> Wording:
    """The wording of a language."""
    path = _FOLDER / f"{language}.json"
    return Wording.model_validate(json.loads(path.read_text(encoding="utf-8")))


def criterion_of_fact(fact: Fact, language: Language) -> Criterion:
    """The criterion that a fact calls for."""
    axis, points = _OF_FACT[fact.kind]
    text = wording(language).fact[fact.kind].replace("{fact}", fact.text)
    return Criterion(criterion=text, axis=axis, points=points, support=(fact.fact_id,))


def criterion_of_intent(item: IntentItem, language: Language) -> Criterion:
    """The criterion that an intent item calls for."""
    axis, points = _OF_ASPECT[item.aspect]
    text = wording(language).aspect[item.aspect].replace("{text}", item.text)
    return Criterion(criterion=text, axis=axis, points=points, support=(item.intent_id,))


def promise_criterion(support: str, language: Language) -> Criterion:
    """A negative criterion that fits any query."""
    return Criterion(
        criterion=wording(language).promise, axis="accuracy", points=-7, support=(support,)
    )


@cache
def generic_criteria(language: Language) -> tuple[Criterion, ...]:
    """The fixed rubric of the baseline ``generic``."""
    path = _FOLDER / f"generic_{language}.json"
    listed = json.loads(path.read_text(encoding="utf-8"))
    return tuple(Criterion.model_validate(one) for one in listed)
