"""What is too grave to be taken lightly: it gets sober words and replies."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.contracts.records import Fact, FactKind

_GRAVE = re.compile(
    r"\b(?:cancers?|malignan\w+|carcinomas?|carcinomatosis|leuk(?:a)?emia|lymphoma|myeloma|"
    r"melanoma|\w*sarcoma|glioblastoma|metasta\w+|secondary neuroendocrine|shock|"
    r"cardiac arrest|fibrillation and flutter arrest|ventricular fibrillation|resuscitation|"
    r"(?:intracerebral|intracranial|subarachnoid|subdural|extradural|brain) hemorrhage|"
    r"hemorrhage (?:of|in) (?:the )?brain|cerebral (?:infarction|edema|herniation)|"
    r"compression of brain|brain compression|stroke|coma|anoxic|septic\w*|severe sepsis|"
    r"respiratory (?:failure|arrest)|ventilation|ventilat(?:or|ed)|intubat\w+|"
    r"endotracheal|tracheostomy|ventric\w+ drain\w*|cerebral ventricle|craniotomy|craniectomy|"
    r"detachment at|amputation|dissection of aorta|"
    r"norepinephrine|levophed|vasopressin|phenylephrine|epinephrine|dopamine|pressors?|"
    r"vasopressors?|chemotherapy)\b",
    re.IGNORECASE,
)
_LIGHT = re.compile(
    r"\b(?:non-?invasive|benign|(?:without|no)\b[^,;]*\bcoma|ruled out|no evidence)\b",
    re.IGNORECASE,
)
_STEPS = frozenset({FactKind.PROCEDURE, FactKind.TREATMENT})
_FINDINGS = frozenset({FactKind.DIAGNOSIS, FactKind.COURSE, FactKind.IMAGING})


def is_grave(fact: Fact) -> bool:
    """Whether a fact names a cancer, a shock, an arrest, a ventilation or the like."""
    told = f"{fact.label} {fact.detail.get('title', '')}"
    if fact.kind is FactKind.IMAGING:
        told = fact.value
    return _GRAVE.search(told) is not None and _LIGHT.search(told) is None


def grave_ones(facts: Sequence[Fact]) -> Sequence[Fact]:
    """The grave ones of facts that are told together, or all where none is."""
    return [fact for fact in facts if is_grave(fact)] or facts


def manner(facts: Sequence[Fact], pool: str, *, sober: bool = False) -> str:
    """The pool of replies for facts told together.

    That for grave ones if one of them is; with ``sober`` a quiet one for diagnoses that aren't.
    """
    if any(map(is_grave, facts)):
        kind = facts[0].kind
        return "grave_step" if kind in _STEPS else "grave" if kind in _FINDINGS else pool
    return "sober" if sober else pool
