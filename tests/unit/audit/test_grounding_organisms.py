from __future__ import annotations

import pytest

from tasks.audit.grounding.terms import build_terms
from tasks.audit.grounding.turns import audit_turns
from tasks.contracts.records import AdmissionBundle
from tests.unit.audit.grounding_stay import chart, session


def with_cultures() -> AdmissionBundle:
    """The stay with a negative screen, a negative blood and a positive sputum culture as well."""
    urine = chart().microbiology[0]
    rows = (
        urine,
        urine.model_copy(
            update={
                "spec_type_desc": "SPUTUM",
                "test_name": "RESPIRATORY CULTURE",
                "org_name": "KLEBSIELLA PNEUMONIAE",
            }
        ),
        urine.model_copy(
            update={
                "spec_type_desc": "MRSA SCREEN",
                "test_name": "MRSA SCREEN",
                "org_name": "",
                "ab_name": "",
                "comments": "No MRSA isolated.",
            }
        ),
        urine.model_copy(
            update={
                "spec_type_desc": "Blood (CMV AB)",
                "test_name": "CMV IgG ANTIBODY",
                "org_name": "",
                "ab_name": "",
                "comments": "NEGATIVE FOR CMV IgG ANTIBODY BY EIA.",
            }
        ),
    )
    return chart().model_copy(update={"microbiology": rows})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What grew in the respiratory culture of sputum is Klebsiella pneumoniae.", []),
        ("What grew in the respiratory culture of sputum is MRSA.", ["MRSA"]),
        ("So it's Staphylococcus aureus.", ["Staphylococcus aureus"]),
        ("The MRSA screen is back.", []),
        ("No MRSA isolated, I'll remember it that way.", []),
        ("The urine culture grew E. coli.", []),
        ("No E. coli isolated.", ["E. coli"]),
        ("The urine culture grew Klebsiella pneumoniae.", ["Klebsiella pneumoniae"]),
        ("The respiratory culture grew E. coli.", ["E. coli"]),
        ("The urine culture and the respiratory culture grew E. coli and Klebsiella.", []),
        ("In the sample from 2155-04-11, ceftriaxone against E. coli tested sensitive.", []),
        ("For the CMV IgG antibody of blood (CMV ab) they write negative.", []),
        ("So I have CMV.", ["CMV"]),
    ],
)
def test_an_organism_grew_where_the_record_says_that_it_grew(text: str, found: list[str]):
    bundle = with_cultures()
    turn = audit_turns(session(text, bundle=bundle), build_terms([bundle]))[0]
    assert [one.text for one in turn.unsupported if one.kind == "organism"] == found
