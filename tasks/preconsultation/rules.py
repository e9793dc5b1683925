"""The programmatic roles beside the patient: rules and retrieval. Not a language model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from string import Template

from pydantic import BaseModel

from tasks.adapters.bm25 import Bm25Index
from tasks.adapters.programmatic import Rules
from tasks.contracts.preconsultation import Guideline, Language, Turn
from tasks.preconsultation.comparison_rules import compare_by_rules
from tasks.preconsultation.diseases import means
from tasks.preconsultation.form import write_question
from tasks.preconsultation.patient_rules import answer_by_rules, is_negated
from tasks.preconsultation.shapes import (
    ComparedTurn,
    DiagnoseTask,
    DoctorTask,
    DoctorWords,
    EvaluatedDiseases,
    EvaluateTask,
    OrganizedTurn,
    OrganizeTask,
    PatientWords,
    RankedDiseases,
    UnitDraft,
)
from tasks.preconsultation.terms import content_words
from tasks.preconsultation.wording_files import fixed_interview, patient_wording

RULES_VERSION = "1"
RANKED = 5
"""Diseases that the programmatic diagnostician names."""

_ANSWER_PARTS = re.compile(r"\s*[;\n]\s*")
_SEVERAL = 0.5
_NUMBERS = re.compile(r"\d")


def ask_by_rules(task: DoctorTask) -> DoctorWords:
    """The next question of the fixed interview; empty when all have been asked."""
    questions = fixed_interview(task.language).questions
    if len(task.turns) >= len(questions):
        return DoctorWords(reply="")
    one = questions[len(task.turns)]
    return DoctorWords(reply=write_question(one.question, one.options))


def organize_by_rules(task: OrganizeTask) -> OrganizedTurn:
    """A unit for each part of the answer and, unless options exclude each other, each other one."""
    wording = patient_wording(task.language)
    said = [part for part in _ANSWER_PARTS.split(task.turn.answer) if part.strip(" .")]
    silent = {wording.unknown, wording.withheld}
    nothing = {one.casefold() for one in (wording.nothing, *silent, *wording.bare_options)}
    told = [part for part in said if part.casefold().strip(" .") not in nothing]
    related = _about_relatives(task.turn, task.language)
    template = wording.related if related else wording.present
    units = [
        UnitDraft(
            statement=Template(template).substitute(fact=part),
            is_negative=is_negated(part, task.language),
        )
        for part in told
    ]
    if silent.isdisjoint(said) and not excludes_itself(task.turn, task.language):
        taken = {word for part in told for word in content_words(part)}
        for option in task.turn.options:
            words = set(content_words(option))
            if option.casefold() not in nothing and words and not words <= taken:
                fact = Template(template).substitute(fact=option)
                absent = Template(wording.absent).substitute(fact=fact)
                units.append(UnitDraft(statement=absent, is_negative=True))
    return OrganizedTurn(units=tuple(units))


def excludes_itself(turn: Turn, language: Language) -> bool:
    """Whether a turn's options exclude each other: grades, durations, frequencies.

    So they do where the fixed interview says so, and where most of them hold a number.
    """
    for one in fixed_interview(language).questions:
        if one.question == turn.question:
            return one.is_exclusive
    counted = sum(bool(_NUMBERS.search(option)) for option in turn.options)
    return counted > _SEVERAL * len(turn.options)


def diagnose_by_rules(task: DiagnoseTask) -> RankedDiseases:
    """The diseases whose guidelines the complaint and the answers are nearest to, by BM25."""
    diseases, index = _index(task.knowledge)
    wording = patient_wording(task.language)
    nothing = {wording.unknown, wording.nothing, wording.withheld}
    texts = [task.basic.chief_complaint, *task.basic.areas]
    for turn in task.turns:
        parts = (part for part in _ANSWER_PARTS.split(turn.answer) if part not in nothing)
        texts += [part for part in parts if not is_negated(part, task.language)]
    query = [word for text in texts for word in content_words(text)]
    scores = index.scores(query)
    order = sorted(range(len(diseases)), key=lambda place: (-float(scores[place]), place))
    return RankedDiseases(diseases=tuple(diseases[place] for place in order[:RANKED]))


def evaluate_by_rules(task: EvaluateTask) -> EvaluatedDiseases:
    """Right where the table of names knows a diagnosis as the disease, a kind of it or wider."""
    return EvaluatedDiseases(right=tuple(means(one, task.disease) for one in task.diagnoses))


def _about_relatives(turn: Turn, language: Language) -> bool:
    return "family" in patient_wording(language).topics(turn.question)


@lru_cache(maxsize=4)
def _index(knowledge: tuple[Guideline, ...]) -> tuple[tuple[str, ...], Bm25Index]:
    diseases = tuple(dict.fromkeys(one.disease for one in knowledge))
    return diseases, Bm25Index([list(_words(one, knowledge)) for one in diseases])


def _words(disease: str, knowledge: Sequence[Guideline]) -> Iterator[str]:
    for one in knowledge:
        if one.disease == disease:
            yield from content_words(one.symptom)


RULES: Mapping[type[BaseModel], Rules] = {
    DoctorWords: ask_by_rules,
    PatientWords: answer_by_rules,
    OrganizedTurn: organize_by_rules,
    ComparedTurn: compare_by_rules,
    RankedDiseases: diagnose_by_rules,
    EvaluatedDiseases: evaluate_by_rules,
}
"""What the programmatic provider does in every role."""
