"""Whole sets of questions over random charts: counts and every rule of spec section 7."""

import re
from collections import Counter
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.contracts.clock import format_date, format_time
from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import (
    ABSTENTION,
    AdmissionQuestionsInput,
    CrossQuestionsInput,
    Lexicon,
    PatientChart,
    QuestionSet,
    QuestionType,
)
from tasks.contracts.records import Fact
from tasks.qa.admission_questions import write_admission_questions
from tasks.qa.assembly import assemble_benchmark
from tasks.qa.cross_questions import wanted_counts, write_cross_questions
from tasks.qa.lexicon import build_lexicon
from tasks.qa.support import violations
from tasks.qa.tallies import cross_set_violations
from tests.factories.charts import make_admission, make_chart, make_fact

EMPTY = Lexicon(admissions=0, targets=())

_DRUGS = st.sampled_from(["torsemide", "warfarin", "aspirin", "metoprolol succinate"])
_DOSES = st.sampled_from(["5 mg", "10 mg", "20 mg", "1 g"])
_TESTS = st.sampled_from(["lactate", "hemoglobin", "creatinine"])
_EVENTS = st.sampled_from(
    [("culture", "urine culture"), ("culture", "blood culture"), ("procedure", "colonoscopy"),
     ("imaging", "ct head w/o contrast")]
)  # fmt: skip


@st.composite
def stay_facts(draw: st.DrawFn, start: datetime, days: int) -> list[Fact]:
    facts: list[Fact] = []
    for at, drug in enumerate(draw(st.lists(_DRUGS, unique=True)), start=1):
        dose = draw(_DOSES)
        text = f"{dose} by mouth daily"
        facts.append(make_fact("discharge_medication", at, drug, text, dose=dose))
    for at, test in enumerate(draw(st.lists(_TESTS, unique=True)), start=1):
        number = f"{draw(st.integers(1, 99))}.{draw(st.integers(1, 9))}"
        facts.append(
            make_fact("lab", at, f"admission {test}", number, point="admission", test=test)
        )
    for at, (kind, label) in enumerate(draw(st.lists(_EVENTS, unique=True)), start=1):
        day = format_date(start + timedelta(days=draw(st.integers(0, days))))
        result = day if kind == "procedure" else draw(st.sampled_from(["no growth", "clear"]))
        facts.append(make_fact(kind, at, label, result, date=day))
    for at, drug in enumerate(draw(st.lists(_DRUGS, unique=True, max_size=2)), start=1):
        facts.append(make_fact("treatment", at, drug, "nausea", action="held"))
    return facts


@st.composite
def charts(draw: st.DrawFn, least: int = 2) -> PatientChart:
    moment = datetime(2150, 1, 1, 9, 30)
    admissions = []
    for at in range(draw(st.integers(least, 7))):
        days = draw(st.integers(0, 9))
        left = moment + timedelta(days=days, hours=6)
        facts = draw(stay_facts(moment, days))
        admissions.append(
            make_admission(f"8000000{at}", format_time(moment), format_time(left), facts)
        )
        moment = left + timedelta(hours=draw(st.integers(1, 3000)))
    return make_chart(*admissions)


def single_sets(chart: PatientChart, lexicon: Lexicon) -> list[QuestionSet]:
    return [
        QuestionSet(
            qas=write_admission_questions(
                AdmissionQuestionsInput(
                    chart=chart, hadm_id=admission.bundle.hadm_id, lexicon=lexicon
                )
            ).qas
        )
        for admission in chart.admissions
    ]


@settings(max_examples=60, deadline=None)
@given(charts())
def test_every_patient_gets_all_questions_and_none_breaks_a_rule(chart: PatientChart):
    count = len(chart.admissions)
    lexicon = build_lexicon(lambda: (chart,))
    singles = single_sets(chart, lexicon)
    reply = write_cross_questions(CrossQuestionsInput(chart=chart, lexicon=lexicon))
    for asked in singles:
        assert [one.question_type for one in asked.qas] == [
            QuestionType.MEDICAL_REASONING,
            QuestionType.CARE_PLAN_RATIONALE,
            QuestionType.ADVERSARIAL,
        ]
    types = Counter(one.question_type for one in reply.qas)
    assert types[QuestionType.ADVERSARIAL] == count
    assert types.total() == 3 * count
    assert cross_set_violations(reply.qas, chart, reply.substitutions) == ()
    benchmark = assemble_benchmark(chart.subject_id, singles, QuestionSet(qas=reply.qas))
    assert len(benchmark.qas) == 6 * count
    assert [violations(one, chart) for one in benchmark.qas] == [()] * (6 * count)


@settings(max_examples=20, deadline=None)
@given(charts())
def test_the_same_chart_gives_the_same_questions(chart: PatientChart):
    again = PatientChart.model_validate_json(chart.model_dump_json())
    given_once = CrossQuestionsInput(chart=chart, lexicon=EMPTY)
    given_again = CrossQuestionsInput(chart=again, lexicon=EMPTY)
    assert write_cross_questions(given_once) == write_cross_questions(given_again)
    assert single_sets(chart, EMPTY) == single_sets(again, EMPTY)


def bare_chart(stays: int) -> PatientChart:
    return make_chart(
        *(
            make_admission(
                f"8{at:07d}",
                f"2150-01-{at % 28 + 1:02d} 10:00:00".replace("2150", str(2150 + at // 28)),
                f"2150-01-{at % 28 + 1:02d} 15:00:00".replace("2150", str(2150 + at // 28)),
            )
            for at in range(stays)
        )
    )


@pytest.mark.parametrize("stays", [2, 3, 4, 9, 40])
def test_stays_about_which_nothing_is_known_still_give_all_questions(stays: int):
    chart = bare_chart(stays)
    reply = write_cross_questions(CrossQuestionsInput(chart=chart, lexicon=EMPTY))
    assert len(reply.qas) == 3 * stays
    assert reply.substitutions == {
        str(kind): count for kind, count in wanted_counts(stays).items() if count
    }
    singles = single_sets(chart, EMPTY)
    benchmark = assemble_benchmark(chart.subject_id, singles, QuestionSet(qas=reply.qas))
    assert {message for one in benchmark.qas for message in violations(one, chart)} == set()


def test_two_stays_on_the_same_day_get_different_questions():
    lab = make_fact("lab", 1, "admission lactate", "2.1", point="admission", test="lactate")
    chart = make_chart(
        make_admission("80000001", "2150-06-01 02:00:00", "2150-06-01 08:00:00", [lab]),
        make_admission("80000002", "2150-06-01 12:00:00", "2150-06-01 18:00:00"),
    )
    singles = single_sets(chart, EMPTY)
    wordings = {one.question for asked in singles for one in asked.qas}
    assert len(wordings) == 6
    cross = write_cross_questions(CrossQuestionsInput(chart=chart, lexicon=EMPTY))
    assemble_benchmark(chart.subject_id, singles, QuestionSet(qas=cross.qas))


def test_ids_number_the_questions():
    chart = bare_chart(2)
    assert [one.qa_id for one in single_sets(chart, EMPTY)[0].qas] == [
        "90000001_80000000_q01",
        "90000001_80000000_q02",
        "90000001_80000000_q03",
    ]
    cross = write_cross_questions(CrossQuestionsInput(chart=chart, lexicon=EMPTY)).qas
    assert [one.qa_id for one in cross] == [f"90000001_cross_q{at:02d}" for at in range(1, 7)]


def test_adversarial_questions_alone_abstain():
    reply = write_cross_questions(CrossQuestionsInput(chart=bare_chart(5), lexicon=EMPTY))
    abstaining = [one.answer == ABSTENTION for one in reply.qas]
    assert abstaining == [one.question_type is QuestionType.ADVERSARIAL for one in reply.qas]


def test_one_stay_is_too_few_for_cross_questions():
    with pytest.raises(ItemFailed, match="90000001: 1 admission has a dialogue"):
        write_cross_questions(CrossQuestionsInput(chart=bare_chart(1), lexicon=EMPTY))


def test_a_dialogue_that_states_nothing_is_refused_with_the_admission():
    chart = bare_chart(2)
    first = chart.admissions[0]
    lines = tuple(
        line.model_copy(
            update={"text": "Hello.", "sources": (), "time": line.time + timedelta(days=30)}
        )
        for line in first.lines
    )
    silent = chart.model_copy(
        update={"admissions": (first.model_copy(update={"lines": lines}), chart.admissions[1])}
    )
    with pytest.raises(ItemFailed, match="admission 80000000: the dialogue states nothing"):
        single_sets(silent, EMPTY)


@pytest.mark.parametrize(("stays", "counts"), [(2, (2, 1, 1)), (3, (3, 2, 1)), (7, (7, 4, 3))])
def test_counts_of_the_answerable_types(stays: int, counts: tuple[int, int, int]):
    assert tuple(wanted_counts(stays).values()) == counts


def test_questions_about_dates_are_counted_as_substitutions_of_their_types():
    chart = bare_chart(2)
    reply = write_admission_questions(
        AdmissionQuestionsInput(chart=chart, hadm_id="80000000", lexicon=EMPTY)
    )
    assert reply.substitutions == {"medical_reasoning": 1, "care_plan_rationale": 1}


def test_what_the_record_supplies_is_not_counted():
    facts = [
        make_fact("lab", 1, "admission lactate", "2.1", point="admission", test="lactate"),
        make_fact("follow_up", 1, "cardiology clinic", "in 2 weeks"),
    ]
    chart = make_chart(
        make_admission("80000001", "2150-06-01 02:00:00", "2150-06-05 08:00:00", facts),
        make_admission("80000002", "2150-07-01 02:00:00", "2150-07-05 08:00:00"),
    )
    reply = write_admission_questions(
        AdmissionQuestionsInput(chart=chart, hadm_id="80000001", lexicon=EMPTY)
    )
    assert reply.substitutions == {}


def test_a_missing_type_is_filled_from_another_one_before_dates_are_asked_for():
    def stay(number: int, lactate: str, sodium: str):
        return make_admission(
            f"8000000{number}",
            f"2150-0{number}-01 02:00:00",
            f"2150-0{number}-05 08:00:00",
            [
                make_fact(
                    "lab", 1, "admission lactate", lactate, point="admission", test="lactate"
                ),
                make_fact("lab", 2, "admission sodium", sodium, point="admission", test="sodium"),
            ],
        )

    chart = make_chart(stay(1, "2.1", "140"), stay(2, "3.4", "130"))
    reply = write_cross_questions(CrossQuestionsInput(chart=chart, lexicon=EMPTY))
    types = [str(one.question_type) for one in reply.qas if one.answer != ABSTENTION]
    assert reply.substitutions == {"frequency_pattern": 1}
    assert types == ["longitudinal_progression"] * 2 + ["cross_admission_comparison"] * 2


@pytest.mark.parametrize("stays", [2, 3, 9])
def test_every_date_of_a_cross_question_is_the_first_day_of_a_stay(stays: int):
    chart = bare_chart(stays)
    starts = {format_date(one.bundle.admission_start) for one in chart.admissions}
    reply = write_cross_questions(CrossQuestionsInput(chart=chart, lexicon=EMPTY))
    dates = {date for one in reply.qas for date in re.findall(r"\d{4}-\d\d-\d\d", one.question)}
    assert dates <= starts


def test_dates_are_asked_about_in_adversarial_questions_only_where_answerable_ones_do_so_too():
    labs = [
        make_fact("lab", at, f"admission {test}", f"{at}.5", point="admission", test=test)
        for at, test in enumerate(("lactate", "sodium", "chloride"), start=1)
    ]
    higher = [one.model_copy(update={"value": f"{one.value}1"}) for one in labs]
    chart = make_chart(
        make_admission("80000001", "2150-06-01 02:00:00", "2150-06-05 08:00:00", labs),
        make_admission("80000002", "2150-07-01 02:00:00", "2150-07-05 08:00:00", higher),
    )
    reply = write_cross_questions(CrossQuestionsInput(chart=chart, lexicon=EMPTY))
    assert reply.substitutions == {"frequency_pattern": 1}
    asked = [one.question for one in reply.qas if "following hospitalization" in one.question
             or "next hospitalization" in one.question]  # fmt: skip
    assert asked == []
