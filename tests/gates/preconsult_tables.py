"""Sound tables of a pre-consultation's gates: two patients, two doctors, one and two turns."""

from __future__ import annotations

from functools import cache

import polars as pl

from tasks.contracts.preconsultation import (
    ComparedInterview,
    ComparedSet,
    Diagnosis,
    DiagnosisSet,
    InterviewSet,
    Match,
    OrganizedInterview,
    OrganizedSet,
    ProfileChunk,
    ScoreLine,
    TurnMatches,
    TurnUnits,
    Unit,
)
from tasks.gates.tables.preconsult import (
    diagnosis_tables,
    fact_tables,
    interview_tables,
    match_tables,
    profile_tables,
)
from tasks.gates.tables.preconsult_scores import history_score_tables
from tasks.preconsultation.scores import score_chunk
from tests.factories.profiles import GUIDELINES, interview, profile

STAGES = (
    "preconsult_profiles",
    "preconsult_interviews",
    "preconsult_facts",
    "preconsult_matches",
    "preconsult_diagnoses",
    "preconsult_scores",
)
DOCTORS = ("model", "rules")
PIDS = ("1", "2")

CHUNK = ProfileChunk(
    language="en",
    profiles=tuple(profile(pid, associated=("Cough",)) for pid in PIDS),
    guidelines=GUIDELINES,
)
ASK = ("Question: Cough?\nOptions: yes, no", "yes")


def held(doctor: str) -> InterviewSet:
    """Two questions to each patient."""
    interviews = tuple(interview(ASK, ASK).model_copy(update={"pid": pid}) for pid in PIDS)
    return InterviewSet(doctor=doctor, language="en", turns=2, interviews=interviews)


def compared() -> ComparedSet:
    """A match, and none."""
    found = Match(unit=Unit(statement="cough", is_negative=False), guideline="Cough")
    none = Match(unit=Unit(statement="no cats", is_negative=True), guideline=None)
    turns = (
        TurnMatches(number=1, matches=(found, none)),
        TurnMatches(number=2, matches=(found,)),
    )
    return ComparedSet(interviews=tuple(ComparedInterview(pid=pid, turns=turns) for pid in PIDS))


def organized() -> OrganizedSet:
    """One fact in each turn."""
    turns = tuple(
        TurnUnits(number=number, units=(Unit(statement=text, is_negative=False),))
        for number, text in enumerate(("cough", "dry cough"), 1)
    )
    return OrganizedSet(interviews=tuple(OrganizedInterview(pid=pid, turns=turns) for pid in PIDS))


def diagnosed() -> list[DiagnosisSet]:
    """After one and after two turns."""
    return [
        DiagnosisSet(
            turns=turns,
            diagnoses=tuple(Diagnosis(pid=pid, diseases=("x",), right=(True,)) for pid in PIDS),
        )
        for turns in (1, 2)
    ]


def lines(doctor: str) -> list[ScoreLine]:
    """After one and after two turns."""
    return list(score_chunk(CHUNK, held(doctor), compared(), diagnosed(), "rules"))


@cache
def preconsult_tables() -> dict[str, dict[str, pl.DataFrame]]:
    """By stage, then table."""
    return {
        "preconsult_profiles": profile_tables([CHUNK]),
        "preconsult_interviews": interview_tables([held(one) for one in DOCTORS], PIDS),
        "preconsult_matches": match_tables([(CHUNK, held(one), compared()) for one in DOCTORS]),
        "preconsult_facts": fact_tables([(held(one), organized()) for one in DOCTORS]),
        "preconsult_diagnoses": diagnosis_tables(
            [(one, found) for one in DOCTORS for found in diagnosed()]
        ),
        "preconsult_scores": history_score_tables(
            [line for one in DOCTORS for line in lines(one)],
            {(one, turns): PIDS for one in DOCTORS for turns in (1, 2)},
        ),
    }
