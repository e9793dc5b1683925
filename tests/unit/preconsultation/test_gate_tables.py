"""What the gates' tables hold of data that is broken on purpose."""

from tasks.contracts.preconsultation import (
    ComparedSet,
    Diagnosis,
    DiagnosisSet,
    HistoryScores,
    InterviewSet,
    OrganizedSet,
    ProfileChunk,
)
from tasks.gates.tables.preconsult import (
    diagnosis_tables,
    fact_tables,
    interview_tables,
    match_tables,
    profile_tables,
)
from tasks.gates.tables.preconsult_scores import history_score_tables
from tests.factories.profiles import GUIDELINES, asked, interview, profile
from tests.gates.preconsult_tables import ASK, CHUNK, compared, held, lines, organized


def test_a_profile_without_guidelines_shows():
    chunk = ProfileChunk(language="en", profiles=(profile(disease="Gout"),), guidelines=GUIDELINES)
    row = profile_tables([chunk])["preconsult_profiles"].row(0, named=True)
    assert (row["guidelines"], row["statements"]) == (0, 0)


def test_odd_interviews_show():
    odd = interview(ASK).model_copy(
        update={"turns": (asked(2, ASK[0]), asked(2, "Hm.", "yes"), asked(3, *ASK))}
    )
    of_doctor = InterviewSet(doctor="d", language="en", turns=2, interviews=(odd,))
    row = interview_tables([of_doctor], ["9"])["preconsult_interviews"].row(0, named=True)
    assert row == {
        "id": "d 1",
        "is_asked": False,
        "turns_beyond": 1,
        "numbers_out_of_order": 1,
        "unanswered_questions": 1,
        "answers_to_nothing": 1,
    }


def test_odd_facts_show():
    whole = organized()
    turns = whole.interviews[0].turns
    odd = turns[0].model_copy(update={"units": turns[0].units * 2, "failed": "organizer: refused"})
    broken = OrganizedSet(interviews=(whole.interviews[0].model_copy(update={"turns": (odd,)}),))
    rows = fact_tables([(held("d"), broken)])["preconsult_facts"]
    assert rows["turns_missing"].to_list() == [1, 2]
    assert rows["repeated_facts"].to_list() == [1, 0]
    assert rows["facts_of_failed_turns"].to_list() == [2, 0]


def test_odd_diagnoses_show():
    odd = Diagnosis(pid="1", diseases=("a", "a", " "), right=(True,))
    found = DiagnosisSet(turns=1, diagnoses=(odd, Diagnosis(pid="2", diseases=("a",), failed="x")))
    rows = diagnosis_tables([("d", found)])["preconsult_diagnoses"]
    assert rows["verdicts_missing"].to_list() == [2, 0]
    assert rows["repeated_diseases"].to_list() == [1, 0]
    assert rows["empty_diseases"].to_list() == [1, 0]


def test_a_match_that_is_only_part_of_a_guideline_shows():
    whole = compared()
    first = whole.interviews[0]
    match = first.turns[0].matches[0].model_copy(update={"guideline": "Coug"})
    turn = first.turns[0].model_copy(update={"matches": (match,)})
    broken = ComparedSet(interviews=(first.model_copy(update={"turns": (turn,)}),))
    rows = match_tables([(CHUNK, held("d"), broken)])["preconsult_matches"]
    assert rows["foreign_guidelines"].to_list() == [1, 0]
    assert rows["turns_missing"].to_list() == [1, 2]


def test_turns_that_nobody_held_show():
    first, second = compared().interviews
    third = first.turns[0].model_copy(update={"number": 3})
    more = first.model_copy(update={"turns": (*first.turns, third)})
    rows = match_tables([(CHUNK, held("d"), ComparedSet(interviews=(more, second)))])
    assert rows["preconsult_matches"]["turns_missing"].to_list() == [1, 0]


def test_scores_that_cannot_be_show():
    scores = HistoryScores(
        unweighted=2, weighted=5, penalty=3, reward=1, coverage=1.5, weighted_coverage=0.5
    )
    line = lines("d")[0]
    odd = line.model_copy(update={"scores": scores, "status": "early_stop"})
    tables = history_score_tables([odd], {("d", 1): ["1", "2"]})
    row = tables["preconsult_scores_lines"].row(0, named=True)
    assert (row["scores_misplaced"], row["shares_out_of_bounds"], row["out_of_order"]) == (
        True,
        1,
        1,
    )
    assert row["diagnosis_misplaced"]
    assert tables["preconsult_scores_doctors"]["lines_missing"].to_list() == [1]


def test_dialogues_unscored_for_others_reasons_show_as_a_share():
    broken = [one.model_copy(update={"status": "failed"}) for one in lines("d")[:1]]
    table = history_score_tables([*broken, *lines("d")[1:2]], {("d", 1): ["1", "2"]})
    assert table["preconsult_scores_doctors"]["unscored_share"].to_list() == [0.5]


def test_clean_dialogues_without_a_judged_diagnosis_show_as_a_share():
    mute = [one.model_copy(update={"top_1": None, "top_k": None}) for one in lines("d")[:1]]
    table = history_score_tables([*mute, *lines("d")[1:2]], {("d", 1): ["1", "2"]})
    row = table["preconsult_scores_doctors"].row(0, named=True)
    assert (row["unscored_share"], row["undiagnosed_share"]) == (0, 0.5)
