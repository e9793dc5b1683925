"""Scores of an interview's facts beside its disease's guidelines (spec section 2, step 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from tasks.contracts.preconsultation import (
    ComparedInterview,
    ComparedSet,
    Diagnosis,
    DiagnosisSet,
    Guideline,
    HistoryScores,
    Interview,
    InterviewSet,
    Language,
    Match,
    PatientProfile,
    ProfileChunk,
    ScoreLine,
    Status,
    TurnMatches,
)
from tasks.preconsultation.form import cut_turns, form_status
from tasks.preconsultation.leaks import leaked_turns

WEIGHTS = {"h": 2, "m": 1}
REPEATED_PENALTY = 0.5
REPEATED_REWARD = 1.5


def score_matches(matched: Sequence[str], guidelines: Sequence[Guideline]) -> HistoryScores:
    """The scores of the guidelines that an interview's facts match, in order and with repetitions.

    Guidelines are those of one disease, at least one; a text that is none of them is a KeyError.
    """
    weights = {one.symptom: WEIGHTS[one.weight] for one in guidelines}
    distinct = set(matched)
    repeated = len(matched) - len(distinct)
    return HistoryScores(
        unweighted=len(matched),
        weighted=sum(weights[one] for one in matched),
        penalty=len(distinct) + REPEATED_PENALTY * repeated,
        reward=len(distinct) + REPEATED_REWARD * repeated,
        coverage=len(distinct) / len(weights),
        weighted_coverage=sum(weights[one] for one in distinct) / sum(weights.values()),
    )


def score_interview(
    doctor: str,
    roles: str,
    language: Language,
    turns: int,
    profile: PatientProfile,
    interview: Interview,
    compared: ComparedInterview | None,
    diagnosis: Diagnosis | None,
    guidelines: Sequence[Guideline],
) -> ScoreLine:
    """One interview after its first turns.

    Scores are null unless the dialogue is clean and every fact was compared. ``guidelines`` are
    those of every disease.
    """
    first = cut_turns(interview, turns)
    done = [] if compared is None else [one for one in compared.turns if one.number <= turns]
    matches = list(chain.from_iterable(one.matches for one in done))
    status, reason = _status(first, done, matches, turns, compared is None)
    scored = status == "clean"
    own = [one for one in guidelines if one.disease == profile.disease]
    found = diagnosis if scored and diagnosis is not None and not diagnosis.failed else None
    return ScoreLine(
        doctor=doctor,
        roles=roles,
        language=language,
        turns=turns,
        pid=profile.pid,
        disease=profile.disease,
        status=status,
        reason=reason,
        scores=score_matches(_matched(matches, True), own) if scored else None,
        scores_without_negatives=score_matches(_matched(matches, False), own) if scored else None,
        top_1=None if found is None else any(found.right[:1]),
        top_k=None if found is None else any(found.right),
        questions=sum(turn.questions for turn in first.turns),
        malformed_turns=sum(not turn.is_well_formed for turn in first.turns),
        units=len(matches),
        unsupported=sum(one.unsupported for one in done),
        duplicates=sum(one.duplicates for one in done),
        matching_errors=sum(one.is_error for one in matches),
        leaked_turns=leaked_turns(first, profile),
    )


def score_chunk(
    chunk: ProfileChunk,
    held: InterviewSet,
    compared: ComparedSet,
    diagnosed: Sequence[DiagnosisSet],
    roles: str,
) -> Iterator[ScoreLine]:
    """The interviews of a chunk, after each number of turns that was diagnosed."""
    profiles = {one.pid: one for one in chunk.profiles}
    matches = {one.pid: one for one in compared.interviews}
    for one in diagnosed:
        diagnoses = {found.pid: found for found in one.diagnoses}
        for interview in held.interviews:
            yield score_interview(
                held.doctor,
                roles,
                chunk.language,
                one.turns,
                profiles[interview.pid],
                interview,
                matches.get(interview.pid),
                diagnoses.get(interview.pid),
                chunk.guidelines,
            )


def _status(
    interview: Interview,
    done: Sequence[TurnMatches],
    matches: Sequence[Match],
    turns: int,
    not_compared: bool,
) -> tuple[Status, str]:
    """A failure that isn't the doctor's comes first: what the doctor would have done is unknown."""
    if interview.failed:
        return "failed", interview.failed
    form = form_status(interview.turns, turns)
    if form != "clean":
        return form, interview.ended
    broken = [one.failed for one in done if one.failed]
    if broken or not_compared:
        return "failed", broken[0] if broken else "not compared"
    if any(one.is_error for one in matches):
        return "matching_error", "no verbatim reply of the comparer"
    return "clean", ""


def _matched(matches: Sequence[Match], with_negatives: bool) -> list[str]:
    return [
        one.guideline
        for one in matches
        if one.guideline is not None and (with_negatives or not one.unit.is_negative)
    ]
