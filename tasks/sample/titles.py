"""ICD titles as a note would word them, and what a title is not about."""

from __future__ import annotations

import re

from tasks.sample.phrases import uncapitalize

# What a title rules out must neither be matched nor spoken.
_RULED_OUT = re.compile(
    r"\s*\(?,?\s*(?:not stated as \w+|without (?:mention of )?[^,]*|not having [^,]*"
    r"|so stated[^,]*|episode of care unspecified|initial episode of care|initial encounter[^,]*"
    r"|unspecified whether[^,]*|unspecified as to[^,]*)\)?",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r",? (?:site unspecified|unspecified|not elsewhere classified|site not specified"
    r"|organism unspecified|unspecified organism|NOS|not specified as \w+"
    r"|type II or unspecified type|initial)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:other and unspecified|other specified|other and|other|unspecified) ", re.I
)
_PAIRED = re.compile(r"\b(?:and|or) unspecified\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*(?:\([^)]*\)|\[[^\]]*\])")
_STAGES = re.compile(r",? (?:with|and) (?:chronic kidney disease )?stage [1-5IV].*$", re.IGNORECASE)
_DANGLING = re.compile(r"(?:,|\s(?:and|or|with))+\s*$", re.IGNORECASE)
_APPROACH = re.compile(
    r", (?:percutaneous endoscopic|percutaneous|open|external|via natural or artificial opening"
    r"(?: endoscopic)?)(?: approach)?(?:, diagnostic)?$",
    re.IGNORECASE,
)

# Tests, lines, infusions and support that no history lists years later.
_PASSING = (
    "arterial catheterization",
    "arteriography",
    "assistance",
    "central venous",
    "continuous invasive",
    "diagnostic ultrasound",
    "enteral",
    "fluoroscopy",
    "infusion",
    "injection",
    "insertion of endotracheal",
    "insertion of infusion",
    "insertion of monitoring",
    "introduction",
    "irrigation",
    "measurement",
    "monitoring",
    "non-invasive",
    "parenteral",
    "respiratory ventilation",
    "transfusion",
    "ultrasonography",
    "venous catheterization",
)

_LASTING = (
    "arthritis",
    "arthrosis",
    "atherosclerosis",
    "carcinoma",
    "chronic",
    "deficiency",
    "dependence",
    "fibrosis",
    "glaucoma",
    "hemiplegia",
    "hyperplasia",
    "leukemia",
    "lymphoma",
    "malignant",
    "neuropathy",
    "pulmonary hypertension",
    "retinopathy",
    "sicca",
    "status",
    "valve",
)


def matching_words(title: str) -> str:
    """A title in lower case without what it rules out, for keyword matching."""
    return _RULED_OUT.sub("", title).lower()


def plain_title(title: str) -> str:
    """A diagnosis title in prose: ``Other ascites`` → ``ascites``."""
    text = _DANGLING.sub("", _STAGES.sub("", _certain(_RULED_OUT.sub("", title))))
    return _lowered(_BRACKETS.sub("", text)) or _lowered(title)


def plain_procedure(title: str) -> str:
    """A procedure title in prose, without the approach that ICD-10-PCS adds."""
    text = _BRACKETS.sub("", _certain(title))
    return _lowered(_APPROACH.sub("", text)) or _lowered(title)


def _certain(title: str) -> str:
    """A title without its vague words, those that open it first: they can be several."""
    return _LEADING.sub("", _VAGUE.sub("", _PAIRED.sub("", _LEADING.sub("", title))))


def is_past(title: str) -> bool:
    """Whether a title speaks of the patient's history."""
    lowered = title.lower()
    return "personal history of" in lowered or lowered.startswith("history of")


def past_condition(title: str) -> str:
    """What a history title remembers: ``Personal history of stroke`` → ``history of stroke``."""
    text = re.sub(r"(?i)^personal history of ", "history of ", title)
    return _lowered(_BRACKETS.sub("", _RULED_OUT.sub("", text)))


def is_administrative(code: str, version: int, title: str) -> bool:
    """Whether a code stands for a cause, place, status or contact and not for an illness."""
    if "as the cause of diseases" in title or "infection in conditions" in title:
        return True
    if version == 9:
        return code[:1] in ("E", "V")
    return code[:1] in ("V", "W", "X", "Y", "Z")


def is_lasting(title: str) -> bool:
    """Whether an illness outside the catalogue stays with the patient, by its title."""
    lowered = title.lower()
    return any(word in lowered for word in _LASTING) and "acute" not in lowered


def is_remembered(title: str) -> bool:
    """Whether a later past history would name a procedure outside the catalogue."""
    return not title.lower().startswith(_PASSING)


def side_of(titles: tuple[str, ...]) -> str:
    """``left`` or ``right`` where the titles name exactly one side, else empty."""
    words = set(" ".join(titles).lower().replace(",", " ").split())
    named = sorted(words & {"left", "right"})
    return named[0] if len(named) == 1 else ""


def _lowered(text: str) -> str:
    words = text.strip(" ,;").split()
    return " ".join(
        word if index and _is_name(word) else uncapitalize(word) for index, word in enumerate(words)
    )


def _is_name(word: str) -> bool:
    return len(word) == 1 or uncapitalize(word) == word
