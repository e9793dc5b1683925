import pytest

from tasks.audit.grounding.terms import build_terms
from tasks.contracts.records import FactKind
from tasks.dialogue.grounding import claim_violations, complaint_violations, day_violations
from tests.factories.dialogues import line
from tests.factories.records import fact, rich_bundle, summary

SOUND = summary("She had pneumonia.", ("pneumonia",))
TERMS = build_terms([rich_bundle()])


def test_a_claim_that_nothing_bears_out_is_quoted_for_the_model_only() -> None:
    lines = [line(1), line(2, "You took warfarin at home.")]
    (found,) = claim_violations(lines, SOUND, rich_bundle(), TERMS)
    assert found.public == "unsupported_claim (drug): turn 2"
    assert found.told == (
        "turn 2 says `warfarin` (drug), which the source doesn't bear out: leave it out, or say "
        "what the source says"
    )
    assert found.place == 2


def test_what_the_record_says_is_borne_out() -> None:
    lines = [line(1, "Your furosemide was increased to 80 mg twice daily.")]
    assert not list(claim_violations(lines, SOUND, rich_bundle(), TERMS))


def test_an_invented_problem_of_the_summary_is_found() -> None:
    written = summary("She had pneumonia.", ("pneumonia", "pancreatic cancer"))
    (found,) = claim_violations([line(1)], written, rich_bundle(), TERMS)
    assert found.public == "unsupported_claim (diagnosis): summary"
    assert "`pancreatic cancer`" in found.told
    assert found.place == "summary"


def test_a_summary_does_not_pass_the_previous_stay_s_problems_for_this_one_s() -> None:
    before = summary("He had pancreatic cancer.", ("pancreatic cancer",))
    stay = rich_bundle().model_copy(update={"previous_admission_summary": before})
    for text, problems, found in (
        ("She had pneumonia and pancreatic cancer.", ("pneumonia",), 1),
        ("She had pneumonia.", ("pneumonia", "pancreatic cancer"), 1),
        ("She had pneumonia. At an earlier stay it was pancreatic cancer.", ("pneumonia",), 0),
    ):
        broken = list(claim_violations([line(1)], summary(text, problems), stay, TERMS))
        assert [one.public for one in broken] == ["unsupported_claim (diagnosis): summary"] * found
    turn = line(1, "At your last stay you had pancreatic cancer.")
    assert not list(claim_violations([turn], SOUND, stay, TERMS))


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("The film was on 2150-06-02.", []),
        ("Your last stay began on 2149-12-02.", []),
        ("We meet again on 2150-06-20.", ["unknown_date: turn 1"]),
        ("On 2150-02-30 you slept well.", ["unknown_date: turn 1"]),
        ("Your admission date is 2150-06-01.", []),
        ("Your admission date is 2150-06-02.", ["misstated_stay: turn 1"]),
        ("I have 2150-06-04 as your discharge date.", ["misstated_stay: turn 1"]),
        ("The length of stay is 4 days.", []),
        ("The length of stay is 5 days.", ["misstated_stay: turn 1"]),
    ],
)
def test_days_are_those_of_the_record(text: str, broken: list[str]) -> None:
    found = day_violations([line(1, text)], rich_bundle(summary()))
    assert [one.public for one in found] == broken


FLANK = fact(FactKind.CHIEF_COMPLAINT, "chief complaint", "flank pain")


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("I came with a chief complaint of cough.", True),
        ("Chief complaint: cough and fever.", True),
        ("I came with a chief complaint of pain in my side.", False),
        ("In your last stay you had a chief complaint of cough.", False),
        ("Your chief complaint is better today.", False),
        ("I came with a cough.", False),
    ],
)
def test_another_chief_complaint_than_the_stay_s_is_found(text: str, is_wrong: bool) -> None:
    told = [one.public for one in complaint_violations([line(1, text)], SOUND, [FLANK])]
    assert told == ["misstated_complaint: turn 1"] * is_wrong
    in_summary = [
        one.public for one in complaint_violations([], summary(text, ("pneumonia",)), [FLANK])
    ]
    assert in_summary == ["misstated_complaint: summary"] * is_wrong


def test_a_stay_without_a_complaint_can_misstate_none() -> None:
    assert not list(complaint_violations([line(1, "A chief complaint of cough.")], SOUND, []))
