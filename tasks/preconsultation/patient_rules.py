"""The programmatic patient: answers from the profile by rules. Not a language model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tasks.contracts.preconsultation import Language, PatientProfile, ProfileStatement
from tasks.preconsultation.leaks import names_disease
from tasks.preconsultation.shapes import PatientTask, PatientWords
from tasks.preconsultation.terms import content_words
from tasks.preconsultation.wording_files import PatientWording, patient_wording
from tasks.terminology.splitting import split_words

_CLAUSES = re.compile(r"[;.]\s+|,\s+|\s+but\s+|\s*[;\n]\s*|\s및\s")
_OWN_SECTIONS = ("location", "quality", "severity", "duration", "timing", "context", "modifying")
"""Sections that alone answer a question about them."""

_OPEN = ("associated", "past", "social", "additional")
"""Topics whose section is told as it stands, while options may come from anywhere."""

_NEVER_CHOSEN = ("duration", "severity")
"""Topics whose options only a reader of numbers could choose."""


def answer_by_rules(task: PatientTask) -> PatientWords:
    """The options that the profile bears out, and what it says itself on the question's topic.

    Nothing that names the disease is said; an option that would is told of without its name.
    """
    wording = patient_wording(task.language)
    topics = wording.topics(task.asked.question)
    clauses = _clauses(_relevant(task.profile, topics, wording))
    sayable = any(not _gives_away(one, task.profile) for one in clauses)
    fitting = [one for one in task.asked.options if _fits(one, clauses, topics, task.language)]
    chosen = [one for one in fitting if not _gives_away(one, task.profile)]
    said = _own_words(task.profile, topics, chosen)
    parts = list(dict.fromkeys([*chosen, *said]))
    if len(chosen) < len(fitting):
        parts.append(wording.withheld)
    if not parts:
        offered = topics and task.asked.options and sayable
        parts = [wording.nothing if offered else wording.unknown]
    return PatientWords(reply=f"Answer: {'; '.join(parts)}")


def is_negated(clause: str, language: Language) -> bool:
    """Whether a clause says that something is absent."""
    wording = patient_wording(language)
    if language == "en":
        return not set(wording.negations).isdisjoint(split_words(clause))
    return any(word in clause for word in wording.negations)


def _gives_away(text: str, profile: PatientProfile) -> bool:
    return names_disease(text, profile.disease, profile.spelling)


def _relevant(
    profile: PatientProfile, topics: set[str], wording: PatientWording
) -> Iterator[ProfileStatement]:
    """The statements that may bear out an option; relatives' illnesses are not the patient's."""
    own = topics.intersection(_OWN_SECTIONS)
    about_relatives = "family" in topics
    for one in profile.statements:
        if wording.is_about_relatives(one.text) == about_relatives and (
            not own or one.section in own
        ):
            yield one
    if not about_relatives and not own:
        yield ProfileStatement(section="associated", text=profile.basic.chief_complaint)


def _clauses(statements: Iterable[ProfileStatement]) -> list[str]:
    clauses = (clause for one in statements for clause in _CLAUSES.split(one.text))
    return [plain for clause in clauses if (plain := clause.strip(" .,;"))]


def _fits(option: str, clauses: Sequence[str], topics: set[str], language: Language) -> bool:
    words = set(content_words(option))
    bare = option.casefold() in patient_wording(language).bare_options
    if not words or bare or topics.intersection(_NEVER_CHOSEN):
        return False
    return any(
        words <= set(content_words(clause)) and not is_negated(clause, language)
        for clause in clauses
    )


def _own_words(profile: PatientProfile, topics: set[str], chosen: Sequence[str]) -> Iterator[str]:
    """What the profile says on a topic, without what the chosen options say already."""
    if "family" in topics:
        return
    covered = set(content_words("; ".join(chosen)))
    wanted = topics.intersection((*_OWN_SECTIONS, *_OPEN))
    for clause in _clauses(one for one in profile.statements if one.section in wanted):
        said = set(content_words(clause)) <= covered
        if not said and not _gives_away(clause, profile):
            yield clause
