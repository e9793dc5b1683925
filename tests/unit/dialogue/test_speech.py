"""How the dialogues sound: who says what first, nothing twice, no words of forms."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest

from tasks.contracts.clock import format_time
from tasks.contracts.dialogue import DialogueReply, SourcedLine
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.rules import turn_range, violations
from tests.factories.records import bundle, fact, summary
from tests.unit.dialogue.test_composition import START_TIME, STORY, compose, stay_facts, turn_of
from tests.unit.dialogue.test_told_words import SYMPTOMS, complaint, treatment

STAYS = [bundle(notes=[], hadm_id=f"88{number:06}") for number in range(1, 31)]
SENTENCE = re.compile(r"(?<=[.?!])\s+")
FORM_WORDS = re.compile(
    r"chief complaint|discharge destination|length of stay|mental status|activity status|"
    r"level of consciousness|admission date|admission (?:creatinine|heart rate)|for one part|"
    r"\b(?:our|my) (?:primary|secondary) diagnos|\bmy COPD\b|___|\{|\}|<[a-z_]+>",
    re.IGNORECASE,
)
DOSES = [
    fact(FactKind.DISCHARGE_MEDICATION, f"drug {number}", f"{number} mg daily", number)
    for number in range(1, 9)
]
DRUGS = ("aspirin", "lisinopril", "furosemide", "warfarin", "apixaban", "metformin", "senna")
REASONS = ("hypertension", "acute kidney injury", "edema", "atrial fibrillation", "bleeding")
CULTURES = ("urine culture", "blood culture, routine", "MRSA screen")


def varied(number: int) -> list[Fact]:
    """The story with other drugs, reasons and values: stays of a ward."""

    def other(told: Fact) -> Fact:
        place = number + int(told.fact_id.rpartition(":")[2])
        label, value = told.label, told.value
        if told.kind is FactKind.TREATMENT:
            label, value = DRUGS[place % len(DRUGS)], REASONS[place % len(REASONS)]
        if told.kind in (FactKind.MEDICATION_CHANGE, FactKind.HOME_MEDICATION):
            label = DRUGS[place % len(DRUGS)]
        if told.kind is FactKind.CULTURE:
            label = CULTURES[place % len(CULTURES)]
        if told.kind in (FactKind.LAB, FactKind.EXAM):
            value = f"{60 + number}"
        detail = {name: text for name, text in told.detail.items() if name != "link"}
        return told.model_copy(update={"label": label, "value": value, "detail": detail})

    return [other(told) for told in [*STORY, *DOSES]]


@pytest.fixture(scope="module")
def replies() -> list[DialogueReply]:
    """Thirty admissions of a ward."""
    return [compose(varied(number), stay) for number, stay in enumerate(STAYS)]


def spoken_by(reply: DialogueReply, speaker: str) -> Iterator[SourcedLine]:
    return (line for line in reply.conversation_lines if line.speaker == speaker)


def sentences(line: SourcedLine) -> list[str]:
    return [part.casefold() for part in SENTENCE.split(line.text)]


def test_nobody_speaks_like_a_form(replies: list[DialogueReply]) -> None:
    texts = [line.text for reply in replies for line in reply.conversation_lines]
    assert [text for text in texts if FORM_WORDS.search(text)] == []


def test_no_sentence_comes_twice_in_a_stay(replies: list[DialogueReply]) -> None:
    for reply in replies:
        said = Counter(itertools.chain.from_iterable(map(sentences, reply.conversation_lines)))
        assert [sentence for sentence, count in said.items() if count > 1] == []


def test_few_turns_recur_among_thirty_stays(replies: list[DialogueReply]) -> None:
    said = Counter(line.text for reply in replies for line in reply.conversation_lines)
    turns = sum(said.values())
    assert sum(count for count in said.values() if count > 1) < 0.15 * turns
    assert max(said.values()) < 0.005 * turns


def test_what_only_the_patient_knows_is_said_by_the_patient_first() -> None:
    story = [*stay_facts(), complaint("fever"), *SYMPTOMS, treatment("trazodone", "started")]
    story[-1] = story[-1].model_copy(update={"value": "poor sleep"})
    for stay in STAYS[:20]:
        lines = compose(story, stay).conversation_lines
        for words in ("fever", "poor sleep"):
            first = next(line for line in lines if words in line.text.casefold())
            assert first.speaker == "Patient"
        recap = next(line for line in lines if "history:1" in line.sources)
        answers = [line for line in lines[: recap.turn_number - 1] if "history:1" in line.touches]
        assert "Patient" in {line.speaker for line in answers}


@pytest.mark.parametrize(
    "told",
    [
        fact(FactKind.HOME_MEDICATION, "aspirin", "81 mg by mouth daily"),
        fact(FactKind.ALLERGY, "penicillins", "rash"),
        fact(FactKind.ALLERGY, "drug allergies", "none known"),
    ],
    ids=lambda told: told.label,
)
def test_medicines_from_home_and_allergies_come_from_the_patient(told: Fact) -> None:
    for stay in STAYS[:10]:
        assert turn_of(compose([*stay_facts(), told], stay), told.fact_id).speaker == "Patient"


def test_patient_knows_no_result_before_the_doctor_told_it(replies: list[DialogueReply]) -> None:
    kinds = (FactKind.LAB, FactKind.EXAM, FactKind.IMAGING, FactKind.CULTURE, FactKind.DIAGNOSIS)
    results = {one.fact_id for one in STORY if one.kind in kinds}
    for reply in replies:
        told: set[str] = set()
        for line in reply.conversation_lines:
            spoken_of = results.intersection({*line.sources, *line.touches})
            assert line.speaker == "Doctor" or spoken_of <= told
            told |= spoken_of


def test_patient_promises_only_visits_that_were_told() -> None:
    visits = [
        fact(FactKind.FOLLOW_UP, f"clinic {number}", "in one week", number) for number in range(12)
    ]
    for stay in STAYS[:20]:
        told: set[str] = set()
        for line in compose([*stay_facts(), *DOSES, *visits], stay).conversation_lines:
            if line.speaker == "Patient":
                assert {one for one in line.sources if one.startswith("follow_up")} <= told
            told.update(line.sources)


def test_turns_that_speak_of_the_record_say_so(replies: list[DialogueReply]) -> None:
    for number, reply in enumerate(replies):
        drugs = [one for one in varied(number) if one.kind is FactKind.MEDICATION_CHANGE]
        for line in reply.conversation_lines:
            named = " ".join((*line.sources, *line.touches))
            for one in drugs:
                if one.label in line.text.casefold():
                    assert re.search(r"medication|treatment", named)


def test_a_problem_of_the_previous_stay_is_named_by_its_position() -> None:
    later = bundle(notes=[], previous=summary(problems=("Septic shock", "Gout", "Anemia")))
    lines = compose(stay_facts(), later).conversation_lines
    by_source = {one: line.text for line in lines for one in line.sources}
    assert "septic shock" in by_source["previous:0"].casefold()
    assert "gout" in by_source["previous:1"].casefold()


def test_whoever_asks_hears_which_results_are_marked() -> None:
    marked = {"point": "admission", "flag": "abnormal"}
    results = [
        fact(FactKind.LAB, "admission sodium", "128", 1, None, {**marked, "test": "sodium"}),
        fact(
            FactKind.LAB,
            "admission lactate",
            "1.0",
            2,
            None,
            {"point": "admission", "test": "lactate"},
        ),
    ]
    said = [
        line.text
        for stay in STAYS
        for line in compose([*stay_facts(), *results], stay).conversation_lines
        if re.search(r"out of range|marked as abnormal", line.text)
    ]
    assert said
    assert all("the sodium" in text and "lactate" not in text for text in said)


@pytest.mark.parametrize("seconds", [1, 17, 120, 900])
@pytest.mark.parametrize("died", [False, True])
def test_a_stay_of_minutes_has_few_short_turns_spread_over_it(seconds: int, died: bool) -> None:
    end = START_TIME + timedelta(seconds=seconds)
    admission = bundle(notes=[], end=format_time(end))
    told = {one.fact_id: one for one in [*STORY, *DOSES, *SYMPTOMS]}
    rest = [one for one in told.values() if one.kind is not FactKind.STAY]
    story = [*stay_facts(not died), *rest]
    reply = compose(story, admission, died)
    lines = reply.conversation_lines
    assert len(lines) == turn_range(START_TIME, end)[0] == 18
    assert violations(reply, admission) == ()
    assert sum(len(line.text.split()) for line in lines) <= 20 * len(lines)
    gaps = [(b.time - a.time).total_seconds() for a, b in itertools.pairwise(lines)]
    assert max(gaps) - min(gaps) <= 1


def change(label: str, value: str, sort: str, number: int) -> Fact:
    return fact(FactKind.MEDICATION_CHANGE, label, value, number, None, {"change": sort})


def test_a_changed_medicine_comes_with_the_reason_that_was_told() -> None:
    why = treatment("lisinopril", "held").model_copy(update={"value": "hyperkalemia"})
    changed = change("lisinopril", "held", "held", 1)
    for stay in STAYS[:10]:
        line = turn_of(compose([*stay_facts(), why, changed], stay), changed.fact_id)
        assert re.search(
            r"isinopril is held for now, (?:because of|on account of|for) hyperkalemia", line.text
        )
        assert line.sources == (changed.fact_id, why.fact_id)


@pytest.mark.parametrize(
    ("action", "sort", "value"),
    [("continued", "held", "held"), ("started", "stopped", "stopped")],
)
def test_what_explains_another_action_is_no_reason_for_a_change(
    action: str, sort: str, value: str
) -> None:
    changed = change("lisinopril", value, sort, 1)
    reply = compose([*stay_facts(), treatment("lisinopril", action), changed])
    assert turn_of(reply, changed.fact_id).sources == (changed.fact_id,)


def test_two_changes_of_a_sort_are_told_together() -> None:
    new = [change(label, "new medication", "new", place) for place, label in enumerate("ab", 1)]
    stopped = change("c", "stopped", "stopped", 3)
    reply = compose([*stay_facts(), new[0], stopped, new[1]])
    assert "a is a new medication, and so is b" in turn_of(reply, new[1].fact_id).text.casefold()
    assert "c has been stopped" in turn_of(reply, stopped.fact_id).text.casefold()


def test_whoever_asks_hears_how_a_result_was_before() -> None:
    results = [
        fact(FactKind.LAB, f"{point} creatinine", value, number, None, {"point": point})
        for number, (point, value) in enumerate([("admission", "1.9"), ("discharge", "1.2")], 1)
    ]
    told = [
        line
        for stay in STAYS
        for line in compose([*stay_facts(), *results], stay).conversation_lines
        if line.sources == ("lab:1", "lab:2")
    ]
    assert told
    for line in told:
        assert re.search(r"1\.9\b.*\b1\.2\b", line.text)
