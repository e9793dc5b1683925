"""Dataset statistics: coverage, composition and question counts (spec section 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import polars as pl

from tasks.adapters.tokens import TOKENIZER, conversation_text, count_tokens
from tasks.contracts.dialogue import Speaker, Timeline, TimelineAdmission
from tasks.contracts.questions import Question, QuestionSet, QuestionType, Scope
from tasks.contracts.statistics import (
    Composition,
    Coverage,
    Distribution,
    PatientFigures,
    PatientStatistics,
    QuestionFigures,
    QuestionTypeStatistics,
    ReleaseStatistics,
    SessionFigures,
)

SPEAKERS: tuple[Speaker, ...] = ("Doctor", "Patient")
SCOPES: tuple[Scope, ...] = ("single_admission", "cross_admission")

_SECONDS_A_DAY = 86_400
_DECIMALS = 4


def measure_patient(timeline: Timeline, benchmark: QuestionSet) -> PatientFigures:
    """The figures of one patient; all that the statistics keep of its text."""
    first = min(one.admission_start for one in timeline.admissions)
    last = max(one.admission_end for one in timeline.admissions)
    return PatientFigures(
        subject_id=timeline.subject_id,
        span_days=round((last - first).total_seconds() / _SECONDS_A_DAY, 2),
        sessions=tuple(_measure_session(one) for one in timeline.admissions),
        questions=tuple(_measure_question(one) for one in benchmark.qas),
    )


def summarise_release(figures: Iterable[PatientFigures]) -> ReleaseStatistics:
    """The statistics of all patients; the order in which they are given doesn't matter."""
    patients = sorted(figures, key=lambda one: (len(one.subject_id), one.subject_id))
    rows = [_patient(one) for one in patients]
    return ReleaseStatistics(
        tokenizer=TOKENIZER,
        coverage=Coverage(
            sessions=_distribution([one.sessions for one in rows]),
            turns=_distribution([one.turns for one in rows]),
            tokens=_distribution([one.tokens for one in rows]),
            span_days=_distribution([one.span_days for one in rows]),
        ),
        composition=_composition([one for patient in patients for one in patient.sessions]),
        questions=_question_types([one for patient in patients for one in patient.questions]),
        patients=tuple(rows),
    )


def _measure_session(session: TimelineAdmission) -> SessionFigures:
    turns: Counter[Speaker] = Counter()
    words: Counter[Speaker] = Counter()
    for line in session.conversation_lines:
        turns[line.speaker] += 1
        words[line.speaker] += len(line.text.split())
    return SessionFigures(
        hadm_id=session.hadm_id,
        tokens=count_tokens(conversation_text(session.conversation_lines)),
        turns={speaker: turns[speaker] for speaker in SPEAKERS},
        words={speaker: words[speaker] for speaker in SPEAKERS},
    )


def _measure_question(question: Question) -> QuestionFigures:
    return QuestionFigures(
        scope=question.scope,
        question_type=question.question_type,
        answer_words=len(question.answer.split()),
        cited_turns=len(question.evidence.turns),
    )


def _patient(figures: PatientFigures) -> PatientStatistics:
    scopes = Counter(one.scope for one in figures.questions)
    return PatientStatistics(
        subject_id=figures.subject_id,
        sessions=len(figures.sessions),
        turns=sum(sum(one.turns.values()) for one in figures.sessions),
        tokens=sum(one.tokens for one in figures.sessions),
        span_days=figures.span_days,
        turns_by_speaker=_by_speaker(one.turns for one in figures.sessions),
        words_by_speaker=_by_speaker(one.words for one in figures.sessions),
        questions={scope: scopes[scope] for scope in SCOPES},
    )


def _by_speaker(counts: Iterable[dict[Speaker, int]]) -> dict[Speaker, int]:
    total: Counter[Speaker] = Counter()
    for one in counts:
        total.update(one)
    return {speaker: total[speaker] for speaker in SPEAKERS}


def _composition(sessions: Sequence[SessionFigures]) -> Composition:
    turns = _by_speaker(one.turns for one in sessions)
    words = _by_speaker(one.words for one in sessions)
    return Composition(
        turns_by_speaker=turns,
        words_by_speaker=words,
        words_a_turn={one: _ratio(words[one], turns[one]) for one in SPEAKERS},
        turns_a_session=_distribution([sum(one.turns.values()) for one in sessions]),
        words_a_session=_distribution([sum(one.words.values()) for one in sessions]),
        tokens_a_session=_distribution([one.tokens for one in sessions]),
    )


def _question_types(questions: Sequence[QuestionFigures]) -> tuple[QuestionTypeStatistics, ...]:
    """By scope, then type in the published order; types without questions are left out."""
    table = pl.DataFrame(
        {
            "scope": [one.scope for one in questions],
            "type": [one.question_type.value for one in questions],
            "words": [one.answer_words for one in questions],
            "cited": [one.cited_turns for one in questions],
        },
        schema={"scope": pl.String, "type": pl.String, "words": pl.Int64, "cited": pl.Int64},
    )
    grouped = table.group_by("scope", "type").agg(pl.len(), pl.sum("words"), pl.sum("cited"))
    found = {(row["scope"], row["type"]): row for row in grouped.iter_rows(named=True)}
    return tuple(
        QuestionTypeStatistics(
            scope=scope,
            question_type=kind,
            questions=row["len"],
            mean_answer_words=_ratio(row["words"], row["len"]),
            mean_cited_turns=_ratio(row["cited"], row["len"]),
        )
        for scope in SCOPES
        for kind in QuestionType
        if (row := found.get((scope, kind.value))) is not None
    )


def _distribution(values: Sequence[int | float]) -> Distribution:
    """Summary of a list; whole hundredths are summed, so that no order of addition shows."""
    series = pl.Series("value", values, dtype=pl.Float64)
    total = round(sum(round(value * 100) for value in values) / 100, 2)
    return Distribution(
        n=len(values),
        total=total,
        mean=_ratio(total, len(values)),
        minimum=_rounded(series.min()),
        p25=_rounded(series.quantile(0.25, interpolation="linear")),
        median=_rounded(series.median()),
        p75=_rounded(series.quantile(0.75, interpolation="linear")),
        maximum=_rounded(series.max()),
    )


def _ratio(total: float, n: int) -> float | None:
    return round(total / n, _DECIMALS) if n else None


def _rounded(value: object) -> float | None:
    return round(value, _DECIMALS) if isinstance(value, int | float) else None
