from __future__ import annotations

from pathlib import Path
from typing import Any

from tasks.adapters.files import read_model
from tasks.contracts.build import Manifest
from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import ConversationLine, Timeline, TimelineAdmission
from tasks.contracts.questions import QuestionSet, QuestionType
from tasks.contracts.statistics import Distribution, PatientFigures
from tasks.release.counts import compare_counts, count_release
from tasks.release.statistics import measure_patient, summarise_release
from tests.factories.released_questions import question
from tests.factories.releases import write_release


def session(hadm_id: str, start: str, end: str, *texts: str) -> TimelineAdmission:
    return TimelineAdmission(
        hadm_id=hadm_id,
        admission_start=parse_time(start),
        admission_end=parse_time(end),
        conversation_lines=tuple(
            ConversationLine(
                turn_number=number,
                time=parse_time(start),
                speaker="Doctor" if number % 2 else "Patient",
                text=text,
            )
            for number, text in enumerate(texts, start=1)
        ),
    )


def figures() -> tuple[PatientFigures, PatientFigures]:
    longer = Timeline(
        subject_id="20",
        processed_hadm_ids=("1", "2"),
        admissions=(
            session("1", "2150-01-01 00:00:00", "2150-01-02 00:00:00", "How are you?", "Fine"),
            session("2", "2150-01-09 00:00:00", "2150-01-11 12:00:00", "one two", "three", "four"),
        ),
    )
    shorter = Timeline(
        subject_id="9",
        processed_hadm_ids=("3",),
        admissions=(session("3", "2150-01-01 00:00:00", "2150-01-01 06:00:00", "Hello there"),),
    )
    cited = [("1", 1), ("2", 2)]
    asked = QuestionSet(
        qas=(
            question("a", QuestionType.FREQUENCY_PATTERN, "How often?", "2 times", cited),
            question("b", QuestionType.FREQUENCY_PATTERN, "And now?", "2 times a day", cited[:1]),
            question(
                "c", QuestionType.ADVERSARIAL, "Why?", "none", cited[:1], scope="single_admission"
            ),
        )
    )
    return measure_patient(longer, asked), measure_patient(shorter, QuestionSet(qas=()))


def test_a_patient_is_measured_in_turns_words_and_days() -> None:
    longer, _ = figures()
    assert longer.span_days == 10.5
    assert longer.sessions[0].turns == {"Doctor": 1, "Patient": 1}
    assert longer.sessions[0].words == {"Doctor": 3, "Patient": 1}
    assert longer.sessions[1].words == {"Doctor": 3, "Patient": 1}
    assert [one.cited_turns for one in longer.questions] == [2, 1, 1]


def test_coverage_is_spread_over_patients() -> None:
    statistics = summarise_release(figures())
    assert statistics.coverage.sessions == Distribution(
        n=2, total=3, mean=1.5, minimum=1, p25=1.25, median=1.5, p75=1.75, maximum=2
    )
    assert statistics.coverage.turns.total == 6
    assert statistics.coverage.span_days.mean == 5.375
    assert [one.subject_id for one in statistics.patients] == ["9", "20"]


def test_composition_is_by_speaker_and_session() -> None:
    composition = summarise_release(figures()).composition
    assert composition.turns_by_speaker == {"Doctor": 4, "Patient": 2}
    assert composition.words_by_speaker == {"Doctor": 8, "Patient": 2}
    assert composition.words_a_turn == {"Doctor": 2.0, "Patient": 1.0}
    assert (composition.turns_a_session.n, composition.turns_a_session.maximum) == (3, 3)


def test_questions_are_counted_by_scope_and_type() -> None:
    rows: list[dict[str, Any]] = [
        one.model_dump(mode="json") for one in summarise_release(figures()).questions
    ]
    assert rows == [
        {
            "scope": "single_admission",
            "question_type": "adversarial",
            "questions": 1,
            "mean_answer_words": 1.0,
            "mean_cited_turns": 1.0,
        },
        {
            "scope": "cross_admission",
            "question_type": "frequency_pattern",
            "questions": 2,
            "mean_answer_words": 3.0,
            "mean_cited_turns": 1.5,
        },
    ]


def test_the_order_of_patients_does_not_matter() -> None:
    longer, shorter = figures()
    assert summarise_release([longer, shorter]) == summarise_release([shorter, longer])


def test_statistics_of_nothing_have_no_mean() -> None:
    statistics = summarise_release([])
    assert statistics.coverage.turns == Distribution(
        n=0, total=0, mean=None, minimum=None, p25=None, median=None, p75=None, maximum=None
    )
    assert statistics.composition.words_a_turn == {"Doctor": None, "Patient": None}
    assert statistics.questions == ()


def test_a_release_is_counted_from_its_statistics() -> None:
    counts = count_release(summarise_release(figures()))
    assert counts == {
        "patients": 2,
        "admissions": 3,
        "turns": 6,
        "tokens": counts["tokens"],
        "questions": 3,
        "single_admission_questions": 1,
        "cross_admission_questions": 2,
        "adversarial_questions": 1,
    }


def test_figures_missing_on_either_side_are_compared_as_minus_one(tmp_path: Path) -> None:
    manifest = read_model(write_release(tmp_path) / "manifest.json", Manifest)
    changed = manifest.model_copy(update={"counts": {"patients": 2, "doctors": 7}})
    found = {
        one.name: (one.stated, one.found)
        for one in compare_counts(changed, summarise_release(figures()))
    }
    assert found["patients"] == (2, 2)
    assert found["turns"] == (-1, 6)
    assert found["doctors"] == (7, -1)
