"""One thing of a well-told turn is changed: the audit has to notice nearly every time."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.audit.grounding_stay import unsupported

TOLD_WELL: list[tuple[str, str]] = json.loads(
    (Path(__file__).parent / "grounding_cases.json").read_text(encoding="utf-8")
)["told_well"]
DOSED = [
    ("torsemide", 60),
    ("metoprolol", 100),
    ("warfarin", 3),
    ("atorvastatin", 80),
    ("aspirin", 81),
    ("Lipitor", 80),
]
OTHER_NAMES = {
    "torsemide": "bumetanide",
    "Coumadin": "Eliquis",
    "warfarin": "apixaban",
    "Lasix": "Bumex",
    "Metoprolol": "Carvedilol",
    "Lantus": "Humalog",
    "ceftriaxone": "cefepime",
    "prednisone": "dexamethasone",
    "E. coli": "Klebsiella",
    "urinary tract infection": "diverticulitis",
    "mitral regurgitation": "mitral stenosis",
    "aortic stenosis": "aortic aneurysm",
    "thoracentesis": "paracentesis",
    "echocardiogram": "colonoscopy",
    "COPD": "asthma",
    "mg": "mcg",
    "units": "mg",
    "kg": "lbs",
    "liters": "grams",
    "April 12": "April 19",
    "April 10th": "April 20th",
    "4/11/2155": "4/9/2155",
    "No cough": "There was cough",
    "no chills": "but chills",
    "right lung": "left shoulder",
    "right upper lobe": "left upper lobe",
}


def changed(old: str, new: str) -> Iterator[tuple[str, str]]:
    pattern = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)")
    for time, text in TOLD_WELL:
        for match in pattern.finditer(text):
            yield time, text[: match.start()] + new + text[match.end() :]


@pytest.mark.parametrize(("old", "new"), OTHER_NAMES.items())
def test_another_name_unit_date_side_or_answer_is_noticed(old: str, new: str):
    turns = list(changed(old, new))
    assert turns
    for time, text in turns:
        assert unsupported(text, time=time), text


def test_nearly_every_changed_digit_is_noticed():
    noticed: list[bool] = []
    for time, text in TOLD_WELL:
        for match in re.finditer(r"\d", text):
            new = str((int(match[0]) + 4) % 10)
            if match.start() == 0 or text[match.start() - 1] not in "0123456789.,/":
                new = new if new != "0" else "5"
            mutated = text[: match.start()] + new + text[match.end() :]
            noticed.append(bool(unsupported(mutated, time=time)))
    assert len(noticed) > 80
    assert sum(noticed) / len(noticed) > 0.9


@given(
    st.sampled_from(DOSED),
    st.integers(min_value=1, max_value=999),
    st.sampled_from(["You take {} {} mg.", "We gave {1} mg of {0}.", "{} {} milligrams daily"]),
)
def test_a_dose_is_borne_out_only_by_the_medicines_own(
    medicine: tuple[str, int], dose: int, form: str
):
    name, right = medicine
    known = {
        "torsemide": {20, 40, 60},
        "metoprolol": {50, 100},
        "warfarin": {3, 4},
        "aspirin": {81, 324},
    }.get(name, {right})
    assert bool(unsupported(form.format(name, dose))) is (dose not in known)
