import pytest

from tasks.audit.grounding.terms import build_terms
from tasks.dialogue.grounding import claim_violations, day_violations
from tests.factories.dialogues import line
from tests.factories.records import rich_bundle, summary

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
