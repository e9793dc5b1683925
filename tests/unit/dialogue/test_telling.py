import pytest

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.telling import thin_violations
from tests.factories.dialogues import line
from tests.factories.records import fact

ASPIRIN = fact(FactKind.HOME_MEDICATION, "aspirin", "81 mg daily")
FILM = fact(FactKind.IMAGING, "chest film", "clear")
CULTURE = fact(FactKind.CULTURE, "urine culture", "no growth")
LIVER = fact(FactKind.IMAGING, "liver ultrasound", "normal")
COMPLAINT = fact(FactKind.CHIEF_COMPLAINT, "chief complaint", "cough")
STAY = fact(FactKind.STAY, "admission date", "2150-06-01")
SAID = (
    "You take aspirin 81 mg daily.",
    "The chest film is clear.",
    "The urine culture had no growth.",
)


def broken(facts: tuple[Fact, ...], *texts: str) -> list[str]:
    lines = [line(number, text) for number, text in enumerate(texts, start=1)]
    return [one.told for one in thin_violations(lines, facts)]


def test_three_facts_are_enough() -> None:
    assert not broken((ASPIRIN, FILM, CULTURE, LIVER), *SAID)


def test_fewer_are_not_and_the_untold_are_named() -> None:
    assert broken((ASPIRIN, FILM, CULTURE, LIVER), *SAID[:2], "How are you?") == [
        "facts: the turns state fewer than 3 facts of the stay; untold are: "
        "urine culture = no growth; liver ultrasound = normal"
    ]


def test_a_stay_with_few_facts_has_to_tell_all_of_them() -> None:
    assert not broken((ASPIRIN,), SAID[0])
    assert broken((ASPIRIN,), "Good morning.")


@pytest.mark.parametrize("facts", [(), (COMPLAINT, STAY)])
def test_the_complaint_and_the_dates_need_not_be_told(facts: tuple[Fact, ...]) -> None:
    assert not broken(facts, "Good morning.")
