"""The words of the rules that play a role, by language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.preconsultation import Language, Section

_FOLDER = Path(__file__).resolve().parent / "wording"

Topic = Section | Literal["family"]


class FixedQuestion(Contract):
    """One question of the fixed interview."""

    section: Topic = Field(description="What it is about")
    is_exclusive: bool = Field(description="Whether its options exclude each other")
    question: str = Field(description="As it is asked")
    options: tuple[str, ...] = Field(min_length=2, description="As they are offered")


class FixedInterview(Contract):
    """The interview of the programmatic doctor: the same for every patient."""

    questions: tuple[FixedQuestion, ...] = Field(description="In order")


class PatientWording(Contract):
    """How the programmatic patient reads questions and words answers."""

    cues: dict[str, tuple[str, ...]] = Field(description="Words of a question, by what it is about")
    negations: tuple[str, ...] = Field(description="Words that say that something is absent")
    relatives: tuple[str, ...] = Field(description="Words for relatives")
    unknown: str = Field(description="Answer where the profile says nothing")
    nothing: str = Field(description="Answer where no option fits")
    withheld: str = Field(description="Stands for an option that would name the disease")
    absent: str = Field(description="Template of a negative fact")
    present: str = Field(description="Template of a fact")
    related: str = Field(description="Template of a fact about a relative")
    bare_options: tuple[str, ...] = Field(description="Options that name no fact")

    def topics(self, question: str) -> set[str]:
        """What a question is about: cues count at the beginning of a word (*ease*, not *disease*).

        Korean has no such beginnings: there a cue counts anywhere.
        """
        text = question.casefold()
        return {
            topic
            for topic, cues in self.cues.items()
            if any(re.search(rf"(?<![a-z]){re.escape(cue)}", text) for cue in cues)
        }

    def is_about_relatives(self, statement: str) -> bool:
        """Whether a statement speaks of relatives, in whole words (*parent*, not *transparent*)."""
        text = statement.casefold()
        return any(
            re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text) for word in self.relatives
        )


@cache
def fixed_interview(language: Language) -> FixedInterview:
    """The fixed interview."""
    path = _FOLDER / f"interview_{language}.json"
    return FixedInterview.model_validate_json(path.read_text(encoding="utf-8"))


@cache
def patient_wording(language: Language) -> PatientWording:
    """The patient's words."""
    path = _FOLDER / f"patient_{language}.json"
    return PatientWording.model_validate_json(path.read_text(encoding="utf-8"))
