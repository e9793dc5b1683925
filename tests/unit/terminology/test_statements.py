import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.records import Fact, FactKind
from tasks.terminology.statements import names, states
from tests.factories.records import fact

DRUG = fact()
LABORATORY = fact(
    FactKind.LAB,
    "admission hemoglobin",
    "9.3",
    1,
    None,
    {"point": "admission", "test": "hemoglobin"},
)
LAST = fact(
    FactKind.LAB,
    "discharge hemoglobin",
    "8.7",
    2,
    None,
    {"point": "discharge", "test": "hemoglobin"},
)
COMPLAINT = fact(FactKind.CHIEF_COMPLAINT, "chief complaint", "fever")
DESTINATION = fact(FactKind.DISPOSITION, "discharge destination", "home with service")


@pytest.mark.parametrize(
    ("text", "told", "stated"),
    [
        ("You take furosemide 40 mg by mouth daily.", DRUG, True),
        ("You take 40 mg by mouth daily.", DRUG, False),
        ("You take furosemide 140 mg by mouth daily.", DRUG, False),
        ("Your admission hemoglobin was 9.3.", LABORATORY, True),
        ("On admission we have hemoglobin 9.3 and sodium 140.", LABORATORY, True),
        ("When you came in your hemoglobin was 9.3.", LABORATORY, True),
        ("Your hemoglobin was 9.3.", LABORATORY, False),
        ("At discharge it's hemoglobin 9.3.", LABORATORY, False),
        ("On admission we have sodium 9.3.", LABORATORY, False),
        ("On admission we have hemoglobin 9.31.", LABORATORY, False),
        ("At discharge it's hemoglobin 8.7.", LAST, True),
        ("On admission it was hemoglobin 8.7.", LAST, False),
        ("So it's fever that brought you in.", COMPLAINT, True),
        ("So it's a feverish feeling.", COMPLAINT, False),
        ("You can go home with service.", DESTINATION, True),
        ("You can go home.", DESTINATION, False),
    ],
)
def test_a_fact_is_stated_by_its_value_and_what_it_is_the_value_of(
    text: str, told: Fact, stated: bool
) -> None:
    assert states(text, told) is stated


def test_only_headings_go_without_saying() -> None:
    heading = fact(FactKind.CONDITION, "mental status", "clear and coherent")
    assert names("Anything.", heading)
    assert not names("Anything.", fact(FactKind.ALLERGY, "penicillins", "rash"))
    assert not names("On admission.", fact(FactKind.EXAM, "admission weight", "80 kg"))
    weight = fact(FactKind.EXAM, "admission weight", "80 kg", detail={"point": "admission"})
    assert names("On admission the weight was 80 kg.", weight)


@given(st.sampled_from([*FactKind]), st.text(max_size=60))
def test_label_and_value_verbatim_always_state_a_fact(kind: FactKind, around: str) -> None:
    told = fact(kind, "discharge potassium", "4.5 mmol", detail={"point": "discharge"})
    assert states(f"{around} Your discharge potassium: 4.5 mmol, as said.", told)
