import random
from dataclasses import replace

import pytest

from tasks.contracts.questions import ABSTENTION, Lexicon, TargetCount
from tasks.qa.absence import AbsentTargets
from tasks.qa.candidates import CALENDAR, Candidate
from tasks.qa.lexicon import Frequencies
from tasks.qa.stays import Cite, patient_stays
from tests.factories.charts import make_admission, make_chart, make_fact

CHART = make_chart(
    make_admission(
        "1",
        "2150-06-01 10:00:00",
        "2150-06-04 10:00:00",
        [make_fact("discharge_medication", 1, "torsemide", "40 mg daily", dose="40 mg")],
        note="On Lasix for years.",
    ),
    make_admission("2", "2150-07-01 10:00:00", "2150-07-04 10:00:00"),
)
HOST = Candidate(
    family="discharge_dose",
    slots={"target": "torsemide"},
    targets=("target",),
    group="drug",
    answer="40 mg",
    cites=(Cite(0, 2),),
)


def absent_targets(*targets: tuple[str, int], seed: int = 1) -> AbsentTargets:
    lexicon = Lexicon(
        admissions=10,
        targets=tuple(
            TargetCount(kind="discharge_dose", label=label, having=count, lacking=1)
            for label, count in targets
        ),
    )
    return AbsentTargets(patient_stays(CHART), Frequencies(lexicon), random.Random(seed))


def test_a_copy_keeps_form_and_turns_and_asks_about_the_absent_target():
    copy = absent_targets(("torsemide", 5), ("furosemide", 9), ("warfarin", 1)).copy(HOST)
    assert copy is not None
    assert copy.slots == {"target": "warfarin"}
    assert copy.answer == ABSTENTION
    assert (copy.family, copy.cites) == (HOST.family, HOST.cites)


def test_absent_targets_are_drawn_by_their_frequency_in_the_cohort():
    drawn = [
        absent_targets(("warfarin", 9), ("digoxin", 1), seed=seed).copy(HOST) for seed in range(200)
    ]
    common = sum(copy is not None and copy.slots["target"] == "warfarin" for copy in drawn)
    assert 160 <= common <= 195


def test_a_cohort_without_absent_targets_falls_back_on_common_ones():
    assert absent_targets(("torsemide", 5)).copy(HOST) is None
    copy = absent_targets(("torsemide", 5)).copy(HOST, common=True)
    assert copy is not None
    assert copy.slots["target"] not in {"torsemide", "furosemide"}


def test_a_question_without_target_has_no_copy():
    host = Candidate("destination", {}, (), "", "home", (Cite(0, 2),), fallback=True)
    assert absent_targets().copy(host, common=True) is None


@pytest.mark.parametrize("seed", range(20))
def test_a_stay_is_absent_by_following_the_last_one_and_every_date_is_a_real_stay(seed: int):
    host = Candidate("stay_gap", {"a": "2150-06-01", "ordinal": "next"}, ("ordinal",), CALENDAR,
                     "30 days", (Cite(0, 1), Cite(1, 1)))  # fmt: skip
    copy = absent_targets(seed=seed).copy(host)
    assert copy is not None
    assert (copy.slots["a"], copy.slots["ordinal"]) in {
        ("2150-06-01", "second following"),
        ("2150-06-01", "third following"),
        ("2150-07-01", "next"),
        ("2150-07-01", "second following"),
        ("2150-07-01", "third following"),
    }
    assert sorted(copy.cites) == [Cite(0, 1), Cite(1, 1)]


def test_a_target_of_another_stay_can_be_absent_from_the_stay_asked_about():
    patient = patient_stays(CHART)
    lexicon = Lexicon(
        admissions=10,
        targets=(TargetCount(kind="discharge_dose", label="torsemide", having=5, lacking=5),),
    )
    first, second = (
        AbsentTargets(patient, Frequencies(lexicon), random.Random(1), stay).copy(HOST)
        for stay in patient.stays
    )
    assert first is None
    assert second is not None
    assert second.slots == {"target": "torsemide"}


def test_a_target_of_a_stay_with_the_same_dates_is_not_absent():
    dose = make_fact("discharge_medication", 1, "torsemide", "40 mg daily", dose="40 mg")
    patient = patient_stays(
        make_chart(
            make_admission("1", "2150-06-01 02:00:00", "2150-06-01 08:00:00", [dose]),
            make_admission("2", "2150-06-01 12:00:00", "2150-06-01 18:00:00"),
        )
    )
    lexicon = Lexicon(
        admissions=10,
        targets=(TargetCount(kind="discharge_dose", label="torsemide", having=5, lacking=5),),
    )
    second = AbsentTargets(patient, Frequencies(lexicon), random.Random(1), patient.stays[1])
    assert second.copy(HOST) is None


def test_some_common_targets_are_offered_to_a_language_model():
    offered = absent_targets().some(6)
    assert len(offered) == 6
    assert not {"torsemide", "furosemide"} & set(offered)


@pytest.mark.parametrize(
    ("slots", "absent"),
    [
        ({"unit": "mg"}, "lisinopril"),
        ({"unit": "units"}, "insulin glargine"),
        ({"bound": "140"}, "sodium"),
        ({"bound": "3.5"}, "potassium"),
        ({"unit": "mcg"}, None),
    ],
)
def test_an_absent_target_suits_the_unit_and_the_bound_asked_for(
    slots: dict[str, str], absent: str | None
):
    known = (
        ("family mg", "lisinopril"),
        ("family units", "insulin glargine"),
        ("family e2", "sodium"),
        ("family e0", "potassium"),
    )
    lexicon = Lexicon(
        admissions=10,
        targets=tuple(
            TargetCount(kind=kind, label=label, having=5, lacking=5) for kind, label in known
        ),
    )
    chart = patient_stays(CHART)
    host = replace(HOST, family="family", slots={"target": "torsemide", **slots})
    targets = AbsentTargets(chart, Frequencies(lexicon), random.Random(1))
    copy = targets.copy(host)
    assert (copy and copy.slots["target"]) == absent
    assert targets.copy(host, common=True) is None
