import pytest

from tasks.qa.lexicon import Frequencies, build_lexicon
from tests.factories.charts import make_admission, make_chart, make_fact


def dose(drug: str):
    return make_fact("discharge_medication", 1, drug, "40 mg daily", dose="40 mg")


CHARTS = (
    make_chart(
        make_admission("1", "2150-06-01 10:00:00", "2150-06-04 10:00:00", [dose("torsemide")]),
        make_admission("2", "2150-07-01 10:00:00", "2150-07-04 10:00:00", [dose("torsemide")]),
        subject_id="90000001",
    ),
    make_chart(
        make_admission("3", "2150-06-01 10:00:00", "2150-06-04 10:00:00", [dose("warfarin")]),
        make_admission(
            "4",
            "2150-07-01 10:00:00",
            "2150-07-04 10:00:00",
            unstated=[dose("Torsemide")],
        ),
        subject_id="90000002",
    ),
    make_chart(
        make_admission("5", "2150-06-01 10:00:00", "2150-06-04 10:00:00"),
        make_admission("6", "2150-07-01 10:00:00", "2150-07-04 10:00:00"),
        make_admission("7", "2150-08-01 10:00:00", "2150-08-04 10:00:00"),
        subject_id="90000003",
    ),
)


def test_targets_are_counted_over_what_dialogues_state():
    lexicon = build_lexicon(lambda: CHARTS)
    counts = {
        one.label: (one.having, one.lacking)
        for one in lexicon.targets
        if one.kind == "discharge_dose"
    }
    assert lexicon.admissions == 7
    assert counts == {"torsemide": (2, 4), "warfarin": (1, 6)}


def test_scarcity_and_mass_follow_the_counts():
    frequencies = Frequencies(build_lexicon(lambda: CHARTS))
    assert frequencies.scarcity("discharge_dose", "WARFARIN") == 6 / 7
    assert frequencies.scarcity("discharge_dose", "digoxin") == 0
    assert frequencies.mass("discharge_dose") == pytest.approx((2 * 4 + 1 * 6) / 49)


def test_across_stays_a_patient_counts_for_each_of_its_admissions():
    again = make_chart(
        make_admission("8", "2150-06-01 10:00:00", "2150-06-04 10:00:00", [dose("digoxin")]),
        make_admission(
            "9",
            "2150-07-01 10:00:00",
            "2150-07-04 10:00:00",
            [make_fact("discharge_medication", 1, "digoxin", "80 mg daily", dose="80 mg")],
        ),
        subject_id="90000004",
    )
    lexicon = build_lexicon(lambda: (*CHARTS, again))
    counts = {
        one.label: (one.having, one.lacking)
        for one in lexicon.targets
        if one.kind == "discharge_dose_trend"
    }
    assert counts == {"digoxin": (2, 7)}


def test_answers_that_several_patients_share_are_known_with_their_share():
    lexicon = build_lexicon(lambda: CHARTS)
    shares = {one.answer: one.share for one in lexicon.answers if one.kind == "discharge_dose"}
    assert shares == {"40 mg": 1.0}
    frequencies = Frequencies(lexicon)
    assert frequencies.answer_share("discharge_dose", "40 mg") == 1
    assert frequencies.answer_share("discharge_dose", "41 mg") == 0


def test_an_empty_cohort_has_an_empty_lexicon():
    lexicon = build_lexicon(tuple)
    assert (lexicon.admissions, lexicon.targets) == (0, ())
