"""Dialogues scored by hand. Asthma has 4 guidelines: two h, two m; 6 by weight."""

from collections.abc import Sequence

import pytest

from tasks.contracts.preconsultation import (
    ComparedInterview,
    Diagnosis,
    HistoryScores,
    Interview,
    Match,
    ScoreLine,
    TurnMatches,
    Unit,
)
from tasks.preconsultation.scores import score_interview, score_matches
from tests.factories.profiles import GUIDELINES, interview, profile

ASTHMA = [one for one in GUIDELINES if one.disease == "Asthma"]
ASK = ("Question: Cough?\nOptions: yes, no", "yes")
TWICE = ("Question: A?\nOptions: x, y\nQuestion: B?\nOptions: z, w", "x")


def scores(*six: float) -> HistoryScores:
    return HistoryScores.model_validate(dict(zip(HistoryScores.model_fields, six, strict=True)))


@pytest.mark.parametrize(
    ("matched", "expected"),
    [
        pytest.param([], (0, 0, 0, 0, 0, 0), id="none"),
        pytest.param(["Wheezing"], (1, 2, 1, 1, 1 / 4, 2 / 6), id="match"),
        pytest.param(["Wheezing", "Cough"], (2, 3, 2, 2, 2 / 4, 3 / 6), id="two"),
        pytest.param(["Wheezing"] * 2, (2, 4, 1.5, 2.5, 1 / 4, 2 / 6), id="repeat"),
        pytest.param(
            ["Cough", "Cough", "Wheezing", "Cough"],
            (4, 5, 3, 5, 2 / 4, 3 / 6),
            id="repeated twice",
        ),
        pytest.param(
            ["Cough at Night", "Cough"],
            (2, 2, 2, 2, 2 / 4, 2 / 6),
            id="one contained in the other is no repetition",
        ),
        pytest.param(
            ["Wheezing", "Shortness of Breath", "Cough", "Cough at Night"],
            (4, 6, 4, 4, 1, 1),
            id="all",
        ),
    ],
)
def test_scores_by_hand(matched: Sequence[str], expected: tuple[float, ...]):
    assert score_matches(matched, ASTHMA) == scores(*expected)


def test_a_text_that_is_no_guideline_is_never_scored():
    with pytest.raises(KeyError):
        score_matches(["Coug"], ASTHMA)


def match(guideline: str | None, negative: bool = False, error: bool = False) -> Match:
    unit = Unit(statement="something", is_negative=negative)
    return Match(unit=unit, guideline=guideline, is_error=error)


def compared(*turns: Sequence[Match], failed: str = "") -> ComparedInterview:
    return ComparedInterview(
        pid="1",
        turns=tuple(
            TurnMatches(number=number, matches=tuple(one), unsupported=1, duplicates=2)
            for number, one in enumerate(turns, 1)
        )
        + ((TurnMatches(number=len(turns) + 1, failed=failed),) if failed else ()),
    )


def line(
    held: Interview,
    facts: ComparedInterview | None,
    turns: int,
    diagnosis: Diagnosis | None = None,
) -> ScoreLine:
    return score_interview(
        "doctor", "rules", "en", turns, profile(), held, facts, diagnosis, GUIDELINES
    )


def test_a_clean_interview_has_scores_with_and_without_negative_units():
    facts = compared([match("Wheezing"), match(None)], [match("Cough", negative=True)])
    scored = line(interview(ASK, ASK), facts, 2)
    assert scored.status == "clean"
    assert scored.scores == scores(2, 3, 2, 2, 2 / 4, 3 / 6)
    assert scored.scores_without_negatives == scores(1, 2, 1, 1, 1 / 4, 2 / 6)
    assert (scored.units, scored.unsupported, scored.duplicates) == (3, 2, 4)
    assert (scored.questions, scored.malformed_turns) == (2, 0)


def test_a_cut_interview_scores_as_one_of_fewer_turns():
    facts = compared([match("Wheezing")], [match("Cough")])
    cut = line(interview(ASK, ASK), facts, 1)
    assert cut == line(interview(ASK), compared([match("Wheezing")]), 1)
    assert cut.scores == scores(1, 2, 1, 1, 1 / 4, 2 / 6)


@pytest.mark.parametrize(
    ("held", "status", "reason"),
    [
        (interview(ASK, ended="empty reply"), "early_stop", "empty reply"),
        (interview(ASK, ("Hm.", "")), "early_stop", ""),
        (interview(ended="empty reply"), "early_stop", "empty reply"),
        (interview(ASK, TWICE), "qa_format_error", ""),
        (interview(ASK, failed="not answered: transient"), "failed", "not answered: transient"),
    ],
)
def test_an_interview_of_another_form_has_no_scores(held: Interview, status: str, reason: str):
    scored = line(held, compared([match("Wheezing")]), 2)
    assert (scored.status, scored.reason, scored.scores) == (status, reason, None)
    assert scored.top_1 is None


def test_a_reply_of_the_comparer_that_is_not_verbatim_makes_the_scores_missing():
    facts = compared([match("Wheezing")], [match(None, error=True)])
    scored = line(interview(ASK, ASK), facts, 2)
    assert (scored.status, scored.scores, scored.matching_errors) == ("matching_error", None, 1)
    assert line(interview(ASK, ASK), facts, 1).status == "clean"


def test_a_failed_role_makes_the_scores_missing():
    facts = compared([match("Wheezing")], failed="organizer: refused")
    scored = line(interview(ASK, ASK), facts, 2)
    assert (scored.status, scored.reason) == ("failed", "organizer: refused")
    assert line(interview(ASK, ASK), None, 2).reason == "not compared"


@pytest.mark.parametrize(
    ("right", "top_1", "top_k"),
    [
        ((True, False), True, True),
        ((False, True), False, True),
        ((False,), False, False),
        ((), False, False),
    ],
)
def test_accuracy_is_of_the_first_and_of_any_diagnosis(
    right: tuple[bool, ...], top_1: bool, top_k: bool
):
    diagnosis = Diagnosis(pid="1", diseases=tuple("abc"[: len(right)]), right=right)
    scored = line(interview(ASK), compared([]), 1, diagnosis)
    assert (scored.top_1, scored.top_k) == (top_1, top_k)


def test_a_failed_diagnosis_is_missing_and_leaves_the_scores():
    scored = line(interview(ASK), compared([]), 1, Diagnosis(pid="1", failed="refused"))
    assert (scored.top_1, scored.top_k, scored.status) == (None, None, "clean")


def test_answers_that_name_the_disease_are_flagged():
    leaky = interview(ASK, (ASK[0], "It is my bronchial asthma"))
    assert line(leaky, compared([], []), 2).leaked_turns == (2,)
    assert line(leaky, compared([], []), 1).leaked_turns == ()
