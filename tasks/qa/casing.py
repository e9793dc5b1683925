"""The case of words inside a sentence: short forms, release forms, names and their letters."""

from __future__ import annotations

import re
from functools import lru_cache

from tasks.terminology.normalization import spelled_out

_ABBREVIATIONS = frozenset(
    """
    alt ap ast bmi cmv copd cr crp csf ct cta dvt ebv ec ecg er esr hiv hsv im inr ir iv mr mra mri
    mrsa odt pa pcr picc sr tsh us vre vzv xl xr
    """.split()  # noqa: SIM905 - a list of words reads best as text
)
_MIXED = {"hcl": "HCl"}
_NAMES = frozenset(
    """
    acinetobacter actinomyces alzheimer aspergillus bacteroides barrett bartonella billroth borrelia
    brucella burkholderia campylobacter candida chlamydia citrobacter clostridioides clostridium
    corynebacterium coxiella crohn cryptococcus cushing enterobacter enterococcus escherichia foley
    fusobacterium gardnerella giardia gleason graves guillain haemophilus hashimoto helicobacter
    histoplasma hodgkin huntington kaposi klebsiella korsakoff lactobacillus legionella lewy
    listeria mallory meckel meniere mobitz moraxella morganella mycobacterium mycoplasma neisseria
    nocardia paget parkinson pasteurella plasmodium pneumocystis prevotella proteus providencia
    pseudomonas raynaud roux salmonella serratia shigella sjogren staphylococcus stenotrophomonas
    streptococcus strongyloides takotsubo takayasu toxoplasma treponema vibrio wegener wenckebach
    wernicke yersinia zenker
    """.split()  # noqa: SIM905 - a list of words reads best as text
)
"""Genera of organisms, and people and places that something has its name from."""

_LETTERED = frozenset({"vitamin", "hepatitis", "influenza", "group", "type", "factor", "class"})
"""Words whose single letter behind them is a name: ``vitamin D``."""

_CELL = re.compile(r"[btcl]-(?:cells?|spine)\b", re.IGNORECASE)
_SEMICOLON = re.compile(r";(?=\S)")
_AROUND = "(),.;:"


@lru_cache(maxsize=8192)
def spoken(label: str) -> str:
    """A label inside a sentence: short forms are spelled out, case is that of running text.

    Pairs of antibiotic and organism keep their case: organisms have capitals.
    """
    if " against " in label:
        return label
    said = _SEMICOLON.sub("; ", spelled_out(label)).split()
    around = zip(("", *said), said, (*said[1:], ""), strict=False)
    return " ".join(_spoken_word(*three) for three in around)


def _spoken_word(before: str, word: str, after: str) -> str:
    bare = word.strip(_AROUND).casefold()
    if bare in _ABBREVIATIONS or _is_letter_of_name(before, bare, after):
        return word.upper()
    if bare in _MIXED:
        return word.casefold().replace(bare, _MIXED[bare])
    if not _NAMES.isdisjoint({bare, bare.partition("'")[0], bare.removesuffix("s")}):
        return word.casefold().replace(bare, bare.capitalize(), 1)
    head, _, tail = word.rpartition("-")
    if head and tail.strip(_AROUND).casefold() in _ABBREVIATIONS:
        return f"{_spoken_word(before, head, '')}-{tail.upper()}"
    if _CELL.match(bare):
        return word[:1].upper() + word[1:].lower()
    return word.lower() if word[:1].isupper() and word[1:].islower() else word


def _is_letter_of_name(before: str, bare: str, after: str) -> bool:
    """``vitamin D``, ``L spine``; not the article ``a``."""
    if len(bare) != 1 or not bare.isalpha():
        return False
    named = before.strip(_AROUND).casefold() in _LETTERED
    return named or (bare != "a" and after.strip(_AROUND).casefold() in {"spine", "spines"})
