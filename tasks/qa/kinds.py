"""What kind of thing a target is: a drug to be called a medicine, or another measure."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from tasks.terminology.normalization import words
from tasks.terminology.vocabulary import things_named

_SHORT = 3


@lru_cache(maxsize=8192)
def names_drug(label: str) -> bool:
    """Whether a label names a known drug: no diet, oxygen or monitoring, nor a class of drugs.

    A drug that no list knows is none, as forms for other measures suit it as well.
    """
    return bool(things_named("drugs", label, short=False))


@cache
def stem(word: str) -> str:
    """A word without the s of a plural."""
    plural = len(word) > _SHORT and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word


_ROOTS = {
    stem(word): group.split()[0]
    for group in (
        "respiratory pulmonary lung bronchial bronchus",
        "hemorrhage hemorrhagic bleeding bleed melena hematemesis hematochezia",
        "renal kidney nephropathy nephritis pyelonephritis",
        "cardiac heart",
        "hepatic liver hepatitis cirrhosis",
        "infection infectious infective sepsis septic septicemia bacteremia",
        "neoplasm malignant malignancy cancer carcinoma tumor lymphoma leukemia myeloma melanoma",
        "gastrointestinal intestine intestinal bowel",
        "seizure epilepsy epileptic convulsion",
        "depression depressive",
        "embolism embolus thrombosis thrombus phlebitis thrombophlebitis",
        "diabetes diabetic",
        "alcohol alcoholic",
        "hypertension hypertensive",
        "fracture fractured",
        "ulcer ulcerative ulceration",
        "stroke cerebrovascular cerebral",
        "psychosis psychotic",
        "anemia anemic",
    )
    for word in group.split()
}
"""Words that tell the same of a diagnosis, by the first of them."""

_BROAD = frozenset([
    "abnormalities", "abnormality", "complication", "complications", "condition", "conditions",
    "diseases", "disorders", "finding", "findings", "lesions", "problem", "problems", "sign",
    "signs", "symptoms",
])  # fmt: skip
_SAYS_LITTLE = frozenset([
    "absence", "adult", "body", "complication", "complicating", "degree", "dependence", "elevated",
    "essential", "exacerbation", "failure", "grade", "index", "mass", "native", "origin", "part",
    "presence", "region", "site", "unstable", "vessel",
])  # fmt: skip


def is_broad(label: str) -> bool:
    """Whether a diagnosis only heads a group, such as ``respiratory abnormalities``."""
    return not _BROAD.isdisjoint(words(label))


def telling_roots(stems: Iterable[str]) -> frozenset[str]:
    """What the words of a diagnosis tell of it, whether they say hemorrhage or bleeding."""
    return frozenset(_ROOTS.get(stem, stem) for stem in stems if stem not in _SAYS_LITTLE)
