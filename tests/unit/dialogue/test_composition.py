"""Dialogues composed from facts: values worked out by hand, hard rules for any record."""

import re
from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.contracts.clock import format_time, parse_time
from tasks.contracts.dialogue import DialogueInput, DialogueReply, SourcedLine
from tasks.contracts.records import AdmissionBundle, AdmissionRecord, Fact, FactKind
from tasks.dialogue.composition import compose_dialogue
from tasks.dialogue.exchanges import batches
from tasks.dialogue.naming import joined, spoken
from tasks.dialogue.rules import turn_range, violations
from tests.factories.records import START, bundle, fact, patient, summary

START_TIME = parse_time(START)
END_TIME = parse_time("2150-06-05 16:30:00")


def stay_facts(left_alive: bool = True) -> list[Fact]:
    admission = fact(
        FactKind.STAY, "admission date", "2150-06-01", 1, START_TIME, {"date": "2150-06-01"}
    )
    if not left_alive:
        return [admission]
    return [
        admission,
        fact(FactKind.STAY, "discharge date", "2150-06-05", 2, END_TIME, {"date": "2150-06-05"}),
        fact(FactKind.STAY, "length of stay", "4 days", 3, END_TIME, {"days": "4"}),
    ]


STORY = [
    *stay_facts(),
    fact(FactKind.CHIEF_COMPLAINT, "chief complaint", "shortness of breath"),
    fact(FactKind.HISTORY, "orthopnea", "reported", 1),
    fact(FactKind.HISTORY, "fever", "denied", 2),
    fact(FactKind.PAST_CONDITION, "hypertension", "hypertension"),
    fact(FactKind.ALLERGY, "penicillins", "rash"),
    fact(),
    fact(FactKind.EXAM, "admission heart rate", "96", detail={"point": "admission"}),
    fact(FactKind.LAB, "admission creatinine", "1.9", 1, None, {"point": "admission"}),
    fact(FactKind.LAB, "discharge creatinine", "1.2", 2, None, {"point": "discharge"}),
    fact(
        FactKind.IMAGING,
        "chest (portable AP)",
        "Moderate right pleural effusion",
        1,
        parse_time("2150-06-02 10:15:00"),
        {"date": "2150-06-02"},
    ),
    fact(
        FactKind.PROCEDURE,
        "Drainage of Right Pleural Cavity",
        "2150-06-03",
        1,
        parse_time("2150-06-03 12:00:00"),
        {"date": "2150-06-03"},
    ),
    fact(
        FactKind.CULTURE,
        "urine culture",
        "Escherichia coli",
        1,
        parse_time("2150-06-02 08:00:00"),
        {"date": "2150-06-02", "result": "organism"},
    ),
    fact(
        FactKind.SUSCEPTIBILITY,
        "ciprofloxacin against Escherichia coli",
        "resistant",
        1,
        parse_time("2150-06-02 08:00:00"),
        {"date": "2150-06-02"},
    ),
    fact(
        FactKind.TREATMENT,
        "furosemide",
        "persistent volume overload",
        1,
        None,
        {"action": "increased", "dose": "80 mg twice daily", "link": "because of"},
    ),
    fact(
        FactKind.TREATMENT,
        "lisinopril",
        "creatinine rose to 2.3",
        2,
        None,
        {"action": "held", "link": "because"},
    ),
    fact(FactKind.COURSE, "acute kidney injury", "resolved with fluids"),
    fact(FactKind.DIAGNOSIS, "Acute Heart Failure", "primary", 1, END_TIME),
    fact(FactKind.DIAGNOSIS, "Pneumonia", "secondary", 2, END_TIME),
    fact(
        FactKind.MEDICATION_CHANGE,
        "furosemide",
        "increased from 40 mg to 80 mg",
        1,
        None,
        {"change": "increased"},
    ),
    fact(FactKind.MEDICATION_CHANGE, "azithromycin", "new medication", 2, None, {"change": "new"}),
    fact(FactKind.DISCHARGE_MEDICATION, "furosemide", "80 mg by mouth twice daily"),
    fact(FactKind.DISPOSITION, "discharge destination", "home with service"),
    fact(FactKind.CONDITION, "mental status", "clear and coherent"),
    fact(FactKind.INSTRUCTION, "weigh yourself every morning", "weigh yourself every morning"),
    fact(FactKind.FOLLOW_UP, "cardiology", "in 2 weeks", 1, None, {"when": "in 2 weeks"}),
]


def compose(
    facts: Sequence[Fact], admission: AdmissionBundle | None = None, died: bool = False
) -> DialogueReply:
    stay = admission or bundle(notes=[])
    fewest, most = turn_range(stay.admission_start, stay.admission_end)
    record = AdmissionRecord(
        bundle=stay, patient=patient(died_in_hospital=died), facts=tuple(facts)
    )
    return compose_dialogue(DialogueInput(record=record, minimum_turns=fewest, maximum_turns=most))


def turn_of(reply: DialogueReply, fact_id: str) -> SourcedLine:
    return next(line for line in reply.conversation_lines if fact_id in line.sources)


def test_every_fact_of_a_moderate_story_is_told() -> None:
    reply = compose(STORY)
    told = {source for line in reply.conversation_lines for source in line.sources}
    assert told == {one.fact_id for one in STORY}
    assert violations(reply, bundle(notes=[]), STORY) == ()


def test_held_drug_is_said_to_be_held() -> None:
    held = fact(FactKind.MEDICATION_CHANGE, "amlodipine", "held", 3, None, {"change": "held"})
    told = turn_of(compose([*STORY, held]), held.fact_id)
    assert "amlodipine is held for now" in told.text


def test_first_turn_states_the_admission_date_and_the_last_scene_the_length_of_stay() -> None:
    lines = compose(STORY).conversation_lines
    assert lines[0].sources == ("stay:1",)
    assert "2150-06-01" in lines[0].text
    assert lines[-2].sources == ("stay:2", "stay:3")
    assert "4 days" in lines[-2].text
    assert lines[-1].speaker == "Patient"


def test_doctor_and_patient_take_turns() -> None:
    lines = compose(STORY).conversation_lines
    assert [line.speaker for line in lines] == ["Doctor", "Patient"] * (len(lines) // 2)


def test_treatment_is_told_with_its_action_dose_and_reason() -> None:
    text = turn_of(compose(STORY), "treatment:1").text
    for words in ("furosemide", "increased", "to 80 mg twice daily", "persistent volume overload"):
        assert words in text.casefold()


def test_several_drugs_take_a_plural_verb() -> None:
    drugs = fact(
        FactKind.TREATMENT, "cefepime and vancomycin", "sepsis", 3, None, {"action": "started"}
    )
    text = turn_of(compose([*STORY, drugs]), "treatment:3").text.casefold()
    assert re.search(r"cefepime and vancomycin were started|we started cefepime and vanco", text)


def test_reason_that_is_a_clause_keeps_its_clause() -> None:
    text = turn_of(compose(STORY), "treatment:2").text
    assert re.search(r"lisinopril was held because creatinine rose to 2\.3|since creatinine", text)


@pytest.mark.parametrize(
    ("fact_id", "event"),
    [
        ("imaging:1", "2150-06-02 10:15:00"),
        ("procedure:1", "2150-06-03 12:00:00"),
        ("culture:1", "2150-06-02 08:00:00"),
        ("susceptibility:1", "2150-06-02 08:00:00"),
    ],
)
def test_events_are_told_after_they_happened_and_with_their_date(fact_id: str, event: str) -> None:
    line = turn_of(compose(STORY), fact_id)
    assert format_time(line.time) > event
    assert event[:10] in line.text


def test_denied_symptoms_are_denied_by_the_patient() -> None:
    lines = compose(STORY).conversation_lines
    recap = turn_of(compose(STORY), "history:2")
    answer = lines[recap.turn_number - 2].text
    assert "you denied fever" in recap.text
    assert "you reported orthopnea" in recap.text
    assert "trouble breathing when i lie flat" in answer.casefold()
    assert re.search(r"no fever|fever, no|no to fever|same for fever", answer.casefold())


def test_patient_names_no_value_of_the_hospital_before_the_doctor_did() -> None:
    measured = [one for one in STORY if one.kind is not FactKind.HOME_MEDICATION]
    values = [one.value.casefold() for one in measured if any(map(str.isdigit, one.value))]
    heard = ""
    for line in compose(STORY).conversation_lines:
        said = line.text.casefold()
        if line.speaker == "Patient":
            assert [value for value in values if value in said and value not in heard] == []
        heard += said


def test_second_admission_names_a_problem_of_the_previous_one_with_its_dates() -> None:
    later = bundle(notes=[], previous=summary(problems=("Septic shock",)))
    reply = compose(STORY, later)
    assert violations(reply, later, STORY) == ()
    line = turn_of(reply, "previous:0")
    assert line.speaker == "Doctor"
    for words in ("septic shock", "2149-12-01", "2149-12-04"):
        assert words in line.text.casefold()


def test_no_sentence_is_said_twice_in_a_dialogue_with_little_to_tell() -> None:
    lines = compose(stay_facts()).conversation_lines
    texts = [line.text for line in lines]
    assert len(set(texts)) == len(texts)


def test_patient_who_died_is_not_discharged_and_is_last_heard_before_the_end() -> None:
    story = [*stay_facts(left_alive=False), *STORY[3:12]]
    admission = bundle(notes=[])
    reply = compose(story, admission, died=True)
    said = " ".join(line.text for line in reply.conversation_lines).casefold()
    assert violations(reply, admission, story) == ()
    assert not re.search(r"discharge|before you leave|before you go\b|died|death|length of", said)
    length = END_TIME - START_TIME
    assert reply.conversation_lines[-1].time <= START_TIME + length * 0.8
    assert "discharged" not in reply.summary.summary_paragraph


def test_same_input_gives_the_same_dialogue_and_another_admission_another_one() -> None:
    first, again = compose(STORY), compose(STORY)
    other = compose(STORY, bundle(notes=[], hadm_id="88000002"))
    assert first == again
    shared = {line.text for line in first.conversation_lines} & {
        line.text for line in other.conversation_lines
    }
    assert len(shared) < 10


def test_summary_tells_the_stay_from_facts() -> None:
    made = compose(STORY).summary
    assert made.summary_paragraph == (
        "Admitted on 2150-06-01 with shortness of breath and discharged on 2150-06-05 (4 days). "
        "Diagnoses: acute heart failure and pneumonia. "
        "Findings: chest (portable AP) on 2150-06-02, moderate right pleural effusion; "
        "and urine culture on 2150-06-02, Escherichia coli. "
        "Procedures: drainage of right pleural cavity on 2150-06-03. "
        "Course: acute kidney injury resolved with fluids. "
        "Treatment: furosemide increased because of persistent volume overload and lisinopril "
        "held because creatinine rose to 2.3. "
        "Medication changes: furosemide increased from 40 mg to 80 mg and azithromycin new "
        "medication. "
        "Discharge destination: home with service. "
        "Follow-up: cardiology in 2 weeks."
    )
    assert made.problems == ("Acute Heart Failure", "Pneumonia")


@pytest.mark.parametrize(
    ("facts", "problems"),
    [
        ([fact(FactKind.COURSE, "sepsis", "improved with fluids")], ("sepsis",)),
        ([fact(FactKind.CHIEF_COMPLAINT, "chief complaint", "cough")], ("cough",)),
        ([fact(FactKind.HISTORY, "nausea", "reported")], ("nausea",)),
        ([fact(FactKind.PROCEDURE, "Drainage of Pleura", "2150-06-02")], ("drainage of pleura",)),
        ([fact(FactKind.COURSE, "syrup", "given 5 mg once")], ("treatment with syrup",)),
        ([], ("the stay that began on 2150-06-01",)),
    ],
)
def test_there_is_always_a_problem(facts: list[Fact], problems: tuple[str, ...]) -> None:
    assert compose([*stay_facts(), *facts]).summary.problems == problems


def test_enumerations_and_batches() -> None:
    assert joined(["a"]) == "a"
    assert joined(["a", "b", "c"]) == "a, b and c"
    assert joined(["a, b", "c"]) == "a, b; and c"
    facts = [fact(number=number) for number in range(1, 6)]
    assert [len(group) for group in batches(facts, 3)] == [3, 2]
    assert batches([], 3) == []


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Pneumonia", "pneumonia"),
        ("IV fluids", "IV fluids"),
        ("Non-ST elevation infarction", "non-ST elevation infarction"),
        ("Drainage of Right Pleural Cavity", "drainage of right pleural cavity"),
        ("Insertion of CT tube", "insertion of CT tube"),
    ],
)
def test_titles_are_lowered_inside_a_sentence(written: str, said: str) -> None:
    assert spoken(written) == said


LENGTHS = st.integers(min_value=10, max_value=60 * 24 * 60)
WORDS = st.sampled_from(["alpha", "beta gamma", "Delta Epsilon", "zeta 5 mg"])


@st.composite
def random_stories(draw: st.DrawFn) -> tuple[AdmissionBundle, list[Fact], bool]:
    end = START_TIME + timedelta(minutes=draw(LENGTHS))
    died = draw(st.booleans())
    kinds = draw(
        st.lists(st.sampled_from([*FactKind][1:]), max_size=draw(st.sampled_from([3, 90])))
    )
    previous = draw(st.sampled_from([None, summary(problems=("Gout", "Anemia", "Sepsis"))]))
    facts = [
        _random_fact(draw, kind, number)
        for number, kind in enumerate(kinds, start=1)
        if not (died and kind in (FactKind.MEDICATION_CHANGE, FactKind.FOLLOW_UP))
    ]
    admission = bundle(notes=[], end=format_time(end), previous=previous)
    return admission, [*stay_facts(not died), *facts], died


def _random_fact(draw: st.DrawFn, kind: FactKind, number: int) -> Fact:
    hours = draw(st.integers(min_value=-30, max_value=60 * 25))
    time = START_TIME + timedelta(hours=hours)
    value = draw(st.sampled_from(["reported", "denied", "primary", "12.5", "no growth", "rash"]))
    detail = {
        "date": format_time(time)[:10],
        "point": draw(st.sampled_from(["admission", "first"])),
    }
    return fact(kind, f"{draw(WORDS)} {number}", value, number, time, detail)


@settings(max_examples=80, deadline=None)
@given(random_stories())
def test_hard_rules_hold_for_any_record(drawn: tuple[AdmissionBundle, list[Fact], bool]) -> None:
    admission, facts, died = drawn
    reply = compose(facts, admission, died)
    fewest, most = turn_range(admission.admission_start, admission.admission_end)
    assert violations(reply, admission) == ()
    assert fewest <= len(reply.conversation_lines) <= most
    times = {one.fact_id: one for one in facts}
    for line in reply.conversation_lines:
        assert "___" not in line.text
        assert "{" not in line.text
        for source in (*line.sources, *line.touches):
            if source.startswith("previous:"):
                continue
            event = times[source]
            dated = (FactKind.IMAGING, FactKind.PROCEDURE, FactKind.CULTURE)
            assert event.kind not in dated or event.time is None or line.time >= event.time
