"""Left and right: which part of the body a side is said of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tasks.audit.grounding_text import Sentence, word_set

_PARTS = word_set(
    "arm leg hand foot toe finger wrist elbow shoulder hip knee ankle heel thigh calf groin neck "
    "eye ear face jaw cheek breast chest lung lobe kidney ureter ovary testis testicle side flank "
    "hemisphere ventricle ventricular atrium atrial bundle carotid artery vein jugular subclavian "
    "femoral "
    "femur tibia fibula humerus radius ulna rib clavicle scapula pelvis iliac quadrant abdomen "
    "upper lower middle hemithorax bronchus pleural effusion hemiparesis hemiplegia weakness "
    "extremity limb forefoot forearm palm sole buttock axilla adrenal parotid tonsil temple "
    "frontal renal parietal temporal occipital cerebellum colon hemicolectomy heart coronary "
    "metatarsal "
    "basilar base apex hilum hilar nephrectomy mastectomy internal external common sided sidedness "
    "nondominant non dominant main"
)
_SAME = {
    "sided": "side", "testis": "testicle", "pleural": "lung", "effusion": "lung", "chest": "lung",
    "hemithorax": "lung", "base": "lung", "basilar": "lung", "basal": "lung",
    "hilar": "lung", "hilum": "lung", "bronchus": "lung", "renal": "kidney",
}  # fmt: skip
_LETTERS = {
    "lle": ("left", "leg"), "rle": ("right", "leg"), "lue": ("left", "arm"),
    "rue": ("right", "arm"), "lll": ("left", "lobe"), "rll": ("right", "lobe"),
    "lul": ("left", "lobe"), "rul": ("right", "lobe"), "rml": ("right", "lobe"),
    "luq": ("left", "quadrant"), "ruq": ("right", "quadrant"), "llq": ("left", "quadrant"),
    "rlq": ("right", "quadrant"), "lv": ("left", "ventricle"), "rv": ("right", "ventricle"),
}  # fmt: skip
_BOTH = word_set("bilateral bilaterally both bl b/l")
_TELLING = _BOTH | _LETTERS.keys() | {"left", "right", "l", "r", "lt", "rt"}
_POSTURES = word_set("lie lying sleep sleeping roll turn")
"""``Lie on your left side`` says nothing of the body's state."""
_PLACED = (("on", "the"), ("on", "your"), ("on", "my"), ("to", "the"), ("in", "the"))
_SHORT = {"L": "left", "R": "right", "Lt": "left", "Rt": "right"}
_VAGUE = word_set("upper lower middle non main side")
_REACH = 4


@dataclass(frozen=True, slots=True)
class Side:
    """A side said of parts of the body; without parts where none is named."""

    side: str
    parts: frozenset[str]
    start: int
    end: int


def sides(sentence: Sentence) -> Iterator[Side]:
    """Every left and right of a sentence that is said of the body.

    ``right`` and ``left`` count only with a part of the body beside them, or as ``on the left``:
    "that's right", "right away" and "you left the hospital" name no side.
    """
    keys = sentence.keys
    if _TELLING.isdisjoint(keys) or not _POSTURES.isdisjoint(keys):
        return
    for place, key in enumerate(keys):
        if key in _LETTERS:
            side, part = _LETTERS[key]
            yield Side(side, frozenset((part,)), place, place + 1)
        elif key in ("left", "right") or key in _BOTH:
            yield from _said(sentence, place, key)
        elif sentence.tokens[place] in _SHORT and keys[place + 1 : place + 2]:
            told = list(_said(sentence, place, _SHORT[sentence.tokens[place]]))
            yield from (one for one in told if one.parts)


def _said(sentence: Sentence, place: int, key: str) -> Iterator[Side]:
    keys = sentence.keys
    parts: set[str] = set()
    end = place + 1
    for at in range(place + 1, min(place + 1 + _REACH, len(keys))):
        if keys[at] in ("left", "right") or sentence.tokens[at] in (",", ":"):
            break
        if keys[at] in _PARTS:
            parts.add(_SAME.get(keys[at], keys[at]))
            end = at + 1
    behind = keys[max(0, place - 2) : place] in _PLACED
    if not parts and (behind or key in _BOTH):
        earlier = keys[max(0, place - 2 - _REACH) : place]
        parts = {_SAME.get(part, part) for part in earlier if part in _PARTS}
    if parts or (behind and key in ("left", "right") and _closes(sentence, place)):
        for side in ("left", "right") if key in _BOTH else (key,):
            yield Side(side, frozenset(_limbs(parts)), place, end)


def _limbs(parts: set[str]) -> set[str]:
    """The upper extremity is an arm, the lower one a leg."""
    if parts & {"extremity", "limb"}:
        parts |= {"arm"} if "upper" in parts else {"leg"} if "lower" in parts else {"arm", "leg"}
    return parts


def _closes(sentence: Sentence, place: int) -> bool:
    """Whether nothing but punctuation or a small word follows."""
    following = sentence.keys[place + 1 : place + 2]
    return not following or following[0] in ("", "and", "or", "but", "than", "when", "with")


def agrees(said: Side, known: Side) -> bool:
    """Whether a record's side bears out a turn's."""
    if said.side != known.side:
        return False
    telling = said.parts - _VAGUE
    # What is said of a lobe is said of its lung, not the other way round.
    parts = known.parts | {"lung"} if "lobe" in known.parts else known.parts
    return not telling or bool(telling & parts) or not known.parts
