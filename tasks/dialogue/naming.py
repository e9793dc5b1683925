"""How things of the record are named inside a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from tasks.contracts.records import Fact, FactKind

_TITLE_WORD_LETTERS = 5
_SHORT_NAME_WORDS = 5
_LONGEST_TOPIC = 8
_LABELS_KEPT = 8192
_NAMELESS = frozenset({FactKind.INSTRUCTION, FactKind.STAY, FactKind.CONDITION})
_TITLED = frozenset({FactKind.PROCEDURE, FactKind.DIAGNOSIS, FactKind.PAST_CONDITION})
_WITH_ARTICLE = frozenset(
    {FactKind.IMAGING, FactKind.CULTURE, FactKind.PROCEDURE, FactKind.LAB, FactKind.EXAM}
)
_PLACE_OR_TEST = re.compile(
    r"\b(?:clinic|program|evaluation|repeat|x-ray|echocardiogram|check|panel|count|visit|scan)\b",
    re.IGNORECASE,
)
_FURTHER = re.compile(r" (?:with|without|due to|in|following) ")
_LISTED = re.compile(r", (?:and|or) ")
_NO_NAME = re.compile(
    r"^(?:other|unspecified|encounter|infection|complications?|diseases?|disorders?|injury|"
    r"forms?|adverse effect|reaction|symptoms?|syndrome|insertion|status)\b(?: for)?$|^other\b|"
    r"\b(?:and|or|of|with|to|for|in|the|by)$",
    re.IGNORECASE,
)
"""Heads that say nothing without what follows."""
_CODED = re.compile(
    r"\b(?:encounter for|classified|without mention|unspecified|type ii or|stated as|"
    r"manifestations|adverse effect|underdosing|attention to|hyperpotassemia|hypopotassemia|"
    r"hyposmolality|hyperosmolality|causing|as the cause)\b",
    re.IGNORECASE,
)
"""What only coders say."""
_ASIDE = re.compile(r"(?:\s*[(\[][^)\]]*[)\]]+)+$")
_BEFORE_A_NAME = re.compile(
    r"^(?:admission|discharge|first|status post|history of|prior|forms of) ", re.IGNORECASE
)
_PICTURES = (
    (re.compile(r"\bCT[AU]?\b"), "CT"),
    (re.compile(r"\bMR[AI]?\b"), "MRI"),
    (re.compile(r"\bultrasound\b|\bUS\b|\bveins?\b", re.IGNORECASE), "ultrasound"),
    (re.compile(r"\bechocardiogra", re.IGNORECASE), "echocardiogram"),
)
_MODALITY = re.compile(
    r"\b(?:CT[AU]?|MR[AI]?|ultrasound|US|veins?|x-?rays?|films?|scan|echo\w*|angio\w*|study|"
    r"doppler|mammo\w*|fluoro\w*|swallow|imaging|picc|line|guid\w+)\b",
    re.IGNORECASE,
)
_VIEWS = re.compile(r"\b(?:PA|AP|lateral|oblique|views?|portable|single)\b", re.IGNORECASE)
_SINGULAR_ENDINGS = ("ss", "is", "us", "saline")
_COUNTED = re.compile(
    r"^(?:\d+|two|three|four|five|six|seven|eight|several|multiple) (?!gram\b)\w+s\b|^doses\b",
    re.IGNORECASE,
)
_COUNTABLE = re.compile(
    r"\b(?:diet|infusion|drip|taper|transfusion|regimen|trial|course|bolus|tube|catheter|line|"
    r"drain|patch|restriction|scale|stent|pacemaker|protocol|paracentesis|thoracentesis)$",
    re.IGNORECASE,
)

_CAPITALS = re.compile(
    r"\b(?:inr|ast|alt|tsh|ldh|mrsa|hcv|hbv|hiv|cmv|rna|dna|sr|xl|sl|xr|ds|cr|hcl|iv|"
    r"(?<=vitamin )[abcdek]\d*)\b"
)


def joined(parts: Sequence[str], word: str = "and") -> str:
    """Parts as an enumeration in words."""
    if len(parts) == 1:
        return parts[0]
    separator = "; " if any("," in part for part in parts) else ", "
    last = f"; {word} " if separator == "; " else f" {word} "
    return separator.join(parts[:-1]) + last + parts[-1]


def spoken(text: str) -> str:
    """A label or value inside a sentence: in lower case where it was written as a title.

    Abbreviations keep their capitals; of other text only the first letter is lowered.
    """
    words = text.split(" ")
    long = [word for word in words if len(word) >= _TITLE_WORD_LETTERS and word.isalpha()]
    titled = len(long) > 1 and all(word[0].isupper() for word in long)
    lowered = [_lowered(word) if titled or not place else word for place, word in enumerate(words)]
    return " ".join(lowered)


def with_capitals(text: str) -> str:
    """Abbreviations in capitals, as they are written: ``INR``, ``vitamin D``."""
    return _CAPITALS.sub(lambda found: found[0].upper(), text).replace("probnp", "proBNP")


def short_name(fact: Fact) -> str:
    """What a patient calls the thing that a fact is about; empty for what has no short name."""
    if fact.kind in _NAMELESS:
        return ""
    if fact.kind is FactKind.IMAGING:
        return next((name for form, name in _PICTURES if form.search(fact.label)), "film")
    if fact.kind is FactKind.SUSCEPTIBILITY:
        return fact.detail.get("antibiotic") or fact.label.split(" against ")[0]
    name = _named_by(fact.label)
    if fact.kind not in _TITLED:
        return name
    if len(name.split()) > _SHORT_NAME_WORDS:
        name = _FURTHER.split(name)[0]
    coded = fact.kind is FactKind.DIAGNOSIS and _CODED.search(name)
    too_long = len(name.split()) > _SHORT_NAME_WORDS
    return "" if too_long or coded or _NO_NAME.search(name) else name


@lru_cache(maxsize=_LABELS_KEPT)
def _named_by(label: str) -> str:
    """A label without what is said before and behind a name; stays share most of their labels."""
    name = _ASIDE.sub("", spoken(_BEFORE_A_NAME.sub("", label)))
    return name if _LISTED.search(name) else name.split(", ")[0]


def topic_of(fact: Fact) -> str:
    """The same inside a sentence, with the article that it takes."""
    name = short_name(fact)
    if not name:
        return _stand_in(fact)
    if fact.kind is FactKind.FOLLOW_UP:
        return f"the {name}" if _PLACE_OR_TEST.search(name) else name
    if fact.kind is FactKind.TREATMENT:
        return name if with_article(name) == name else f"the {name}"
    return f"the {name}" if fact.kind in _WITH_ARTICLE else name


def _stand_in(fact: Fact) -> str:
    """What is said for a thing without a short name: the whole name, if people would say it."""
    if fact.kind is FactKind.PROCEDURE:
        return "the procedure"
    coded = _CODED.search(fact.label) or len(fact.label.split()) > _LONGEST_TOPIC
    return "that diagnosis" if fact.kind is FactKind.DIAGNOSIS and coded else spoken(fact.label)


def picture(label: str) -> str:
    """A study's label; films, which are listed by body part and view alone, are called films."""
    name = label if label[:2].isupper() else spoken(label)
    return name if _MODALITY.search(label) or not _VIEWS.search(label) else f"{name} film"


def with_comma(label: str) -> str:
    """A label inside a sentence; one that holds a comma is closed by another."""
    return f"{label}," if ", " in label else label


def lowered(sentence: str) -> str:
    """A sentence as it goes on behind a colon."""
    return re.sub(r"^An? ", lambda found: found[0].lower(), _lowered(sentence))


def with_article(label: str) -> str:
    """A label with the article that a countable thing takes."""
    if not _COUNTABLE.search(label) or _COUNTED.match(label) or " and " in label:
        return label
    return f"{'an' if label[0].lower() in 'aeiou' else 'a'} {label}"


def is_plural(label: str) -> bool:
    """Whether a label takes a plural verb."""
    plural = _COUNTED.match(label) or (
        label.endswith("s") and not label.endswith(_SINGULAR_ENDINGS)
    )
    return bool(plural) or " and " in label


def _lowered(word: str) -> str:
    return word[0].lower() + word[1:] if word[1:2].islower() else word
