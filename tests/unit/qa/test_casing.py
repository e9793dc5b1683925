"""Labels of the record as a question says them."""

import pytest

from tasks.qa.casing import spoken


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("metoprolol succinate xl", "metoprolol succinate XL"),
        ("Oxycodone sr", "oxycodone SR"),
        ("Ciprofloxacin hcl", "ciprofloxacin HCl"),
        ("vitamin d", "vitamin D"),
        ("Hepatitis c", "hepatitis C"),
        ("MR l spine without contrast", "MR L spine without contrast"),
        ("Wound culture of catheter tip-iv", "wound culture of catheter tip-IV"),
        ("Mobitz Type 2 block", "Mobitz type 2 block"),
        ("campylobacter culture", "Campylobacter culture"),
        ("b-cell lymphoma", "B-cell lymphoma"),
        ("fluid culture of CSF;spinal fluid", "fluid culture of CSF; spinal fluid"),
        ("Crohn's Disease", "Crohn's disease"),
        ("Parkinson disease", "Parkinson disease"),
        ("a fall from a bed", "a fall from a bed"),
        ("Heart Failure", "heart failure"),
        ("Enterococcus faecium against vancomycin", "Enterococcus faecium against vancomycin"),
    ],
)
def test_names_and_short_forms_keep_their_capitals(label: str, said: str):
    assert spoken(label) == said
    assert spoken(said) == said
