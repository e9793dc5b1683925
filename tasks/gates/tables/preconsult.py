"""The tables of a pre-consultation's gates: profiles, interviews, facts, matches, diagnoses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from tasks.contracts.preconsultation import (
    ComparedSet,
    DiagnosisSet,
    Interview,
    InterviewSet,
    OrganizedSet,
    ProfileChunk,
    Turn,
    TurnUnits,
)
from tasks.gates.tables.rows import table


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One profile; ``id`` is its pid."""

    id: str
    guidelines: int
    statements: int
    complaint_characters: int


@dataclass(frozen=True, slots=True)
class InterviewRow:
    """One interview; ``id`` is the doctor and the pid."""

    id: str
    is_asked: bool
    turns_beyond: int
    numbers_out_of_order: int
    unanswered_questions: int
    answers_to_nothing: int


@dataclass(frozen=True, slots=True)
class FactRow:
    """The facts of one interview; ``id`` is the doctor and the pid."""

    id: str
    turns_missing: int
    empty_facts: int
    repeated_facts: int
    facts_of_failed_turns: int


@dataclass(frozen=True, slots=True)
class DiagnosisRow:
    """The diagnoses of one interview; ``id`` is the doctor, the turns and the pid."""

    id: str
    verdicts_missing: int
    repeated_diseases: int
    empty_diseases: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """The compared facts of one interview; ``id`` is the doctor and the pid."""

    id: str
    turns_missing: int
    foreign_guidelines: int
    errors_with_guideline: int


def profile_tables(chunks: Iterable[ProfileChunk]) -> dict[str, pl.DataFrame]:
    """The table ``preconsult_profiles``."""
    rows = [
        ProfileRow(
            id=one.pid,
            guidelines=sum(known.disease == one.disease for known in chunk.guidelines),
            statements=len(one.statements),
            complaint_characters=len(one.basic.chief_complaint.strip()),
        )
        for chunk in chunks
        for one in chunk.profiles
    ]
    return {"preconsult_profiles": table(rows, ProfileRow)}


def interview_tables(held: Iterable[InterviewSet], pids: Iterable[str]) -> dict[str, pl.DataFrame]:
    """The table ``preconsult_interviews``; ``pids`` are those of the profiles."""
    known = set(pids)
    rows = [
        InterviewRow(
            id=f"{of_doctor.doctor} {one.pid}",
            is_asked=one.pid in known,
            turns_beyond=max(0, len(one.turns) - of_doctor.turns),
            numbers_out_of_order=sum(
                turn.number != place for place, turn in enumerate(one.turns, 1)
            ),
            unanswered_questions=sum(_unanswered(turn) for turn in one.turns),
            answers_to_nothing=sum(bool(turn.answer) and not turn.questions for turn in one.turns),
        )
        for of_doctor in held
        for one in of_doctor.interviews
    ]
    return {"preconsult_interviews": table(rows, InterviewRow)}


def fact_tables(
    organized: Iterable[tuple[InterviewSet, OrganizedSet]],
) -> dict[str, pl.DataFrame]:
    """The table ``preconsult_facts``."""
    rows = [
        _fact_row(f"{held.doctor} {interview.pid}", interview, found.get(interview.pid, ()))
        for held, facts in organized
        for found in ({one.pid: one.turns for one in facts.interviews},)
        for interview in held.interviews
    ]
    return {"preconsult_facts": table(rows, FactRow)}


def diagnosis_tables(
    diagnosed: Iterable[tuple[str, DiagnosisSet]],
) -> dict[str, pl.DataFrame]:
    """The table ``preconsult_diagnoses``, from doctors and the diagnoses of their interviews."""
    rows = [
        DiagnosisRow(
            id=f"{doctor} {found.turns} {one.pid}",
            verdicts_missing=0 if one.failed else abs(len(one.diseases) - len(one.right)),
            repeated_diseases=len(one.diseases) - len(set(one.diseases)),
            empty_diseases=sum(not name.strip() for name in one.diseases),
        )
        for doctor, found in diagnosed
        for one in found.diagnoses
    ]
    return {"preconsult_diagnoses": table(rows, DiagnosisRow)}


def match_tables(
    chunks: Iterable[tuple[ProfileChunk, InterviewSet, ComparedSet]],
) -> dict[str, pl.DataFrame]:
    """The table ``preconsult_matches``."""
    return {"preconsult_matches": table(_match_rows(chunks), MatchRow)}


def _unanswered(turn: Turn) -> bool:
    return bool(turn.questions) and not turn.answer


def _fact_row(name: str, interview: Interview, turns: Sequence[TurnUnits]) -> FactRow:
    facts = [(one.statement, one.is_negative) for turn in turns for one in turn.units]
    return FactRow(
        id=name,
        turns_missing=abs(len(interview.turns) - len(turns)),
        empty_facts=sum(not statement.strip() for statement, _ in facts),
        repeated_facts=len(facts) - len(set(facts)),
        facts_of_failed_turns=sum(len(turn.units) for turn in turns if turn.failed),
    )


def _match_rows(
    chunks: Iterable[tuple[ProfileChunk, InterviewSet, ComparedSet]],
) -> Iterator[MatchRow]:
    for chunk, held, compared in chunks:
        diseases = {one.pid: one.disease for one in chunk.profiles}
        found = {one.pid: one for one in compared.interviews}
        for interview in held.interviews:
            turns = found[interview.pid].turns if interview.pid in found else ()
            disease = diseases[interview.pid]
            own = {one.symptom for one in chunk.guidelines if one.disease == disease}
            matches = [match for turn in turns for match in turn.matches]
            named = [one.guideline for one in matches if one.guideline is not None]
            yield MatchRow(
                id=f"{held.doctor} {interview.pid}",
                turns_missing=abs(len(interview.turns) - len(turns)),
                foreign_guidelines=sum(one not in own for one in named),
                errors_with_guideline=sum(
                    one.is_error and one.guideline is not None for one in matches
                ),
            )
