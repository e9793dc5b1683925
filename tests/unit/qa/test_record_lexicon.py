"""The lexicon of the records: as if every fact were told."""

from __future__ import annotations

from tasks.contracts.questions import Lexicon, PatientChart
from tasks.contracts.records import AdmissionRecord, PatientContext
from tasks.qa.lexicon import build_lexicon
from tasks.qa.record_lexicon import told_in_full
from tasks.qa.stays import patient_stays
from tests.factories.charts import make_admission, make_chart, make_fact
from tests.factories.question_replies import two_stays


def records(chart: PatientChart) -> list[AdmissionRecord]:
    nobody = PatientContext(gender="F", age_years=70, died_in_hospital=False)
    return [
        AdmissionRecord(bundle=one.bundle, patient=nobody, facts=one.facts)
        for one in chart.admissions
    ]


def lexicon_of(chart: PatientChart) -> Lexicon:
    return build_lexicon(lambda: [chart])


def test_every_fact_counts_as_stated():
    told = told_in_full("90000001", records(two_stays()))
    for stay in patient_stays(told).stays:
        assert len(stay.statements) == len(stay.admission.facts)


def test_dialogues_that_tell_everything_give_the_same_targets():
    told = told_in_full("90000001", records(two_stays()))
    assert lexicon_of(told).targets == lexicon_of(two_stays()).targets


def test_what_a_dialogue_leaves_out_counts_as_well():
    extra = make_fact("allergy", 9, "penicillin", "hives")
    silent = make_chart(
        make_admission("80000001", "2150-06-01 09:00:00", "2150-06-05 09:00:00", unstated=[extra])
    )
    told = told_in_full("90000001", records(silent))
    labels = {target.label for target in lexicon_of(told).targets}
    assert "penicillin" in labels
    assert "penicillin" not in {target.label for target in lexicon_of(silent).targets}


def test_dated_facts_are_told_with_their_day():
    culture = make_fact("culture", 1, "urine culture", "no growth", date="2150-06-02")
    chart = make_chart(
        make_admission("80000001", "2150-06-01 09:00:00", "2150-06-05 09:00:00", [culture])
    )
    (told,) = told_in_full("90000001", records(chart)).admissions
    assert "2150-06-02: urine culture : no growth" in [line.text for line in told.lines]
