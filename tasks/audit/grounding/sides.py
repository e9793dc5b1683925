"""Left and right: which part of the body a side is said of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.audit.grounding.terms import Mention
from tasks.audit.grounding.text import Sentence, word_set
from tasks.terminology.synonyms import generic_words

_PARTS = word_set(
    "ureteral ovarian testicular ocular popliteal tibial inguinal patella mandible gluteal "
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
    "ureteral": "ureter", "ovarian": "ovary", "testicular": "testicle", "ocular": "eye",
    "tibial": "tibia", "hilar": "lung", "hilum": "lung", "bronchus": "lung", "renal": "kidney",
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
_LEFT_IT = word_set("i you he she we they who has have had having nothing not all that's you're")
"""Before ``left`` or ``right`` they make a verb or an assent of it."""
_NO_THINGS = word_set("of and or the a an in with to for by on at from now away after before here")
_VAGUE = word_set("upper lower middle non main side")
_REACH = 4


@dataclass(frozen=True, slots=True)
class Side:
    """A side said of parts of the body; without parts where none is named."""

    side: str
    parts: frozenset[str]
    start: int
    end: int
    is_of_thing: bool = False
    """The parts are the words of a finding, diagnosis or procedure that has this side."""


def sides(sentence: Sentence, mentions: Sequence[Mention] = ()) -> Iterator[Side]:
    """Every left and right of a sentence that is said of the body.

    ``right`` and ``left`` count only with a part of the body beside them, right before a finding,
    diagnosis or procedure of ``mentions``, or as ``on the left``: "that's right", "right away" and
    "you left the hospital" name no side.
    """
    keys = sentence.keys
    if _TELLING.isdisjoint(keys) or not _POSTURES.isdisjoint(keys):
        return
    for place, key in enumerate(keys):
        if key in _LETTERS:
            side, part = _LETTERS[key]
            yield Side(side, frozenset((part,)), place, place + 1)
        elif key in ("left", "right") or key in _BOTH:
            found = list(_said(sentence, place, key))
            if found or key in _BOTH:
                yield from found
            else:
                yield from _of_a_thing(sentence, place, key, mentions)
        elif sentence.tokens[place] in _SHORT and keys[place + 1 : place + 2]:
            side = _SHORT[sentence.tokens[place]]
            told = [one for one in _said(sentence, place, side) if one.parts]
            yield from told or _of_a_thing(sentence, place, side, mentions)


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


def _of_a_thing(
    sentence: Sentence, place: int, side: str, mentions: Sequence[Mention]
) -> Iterator[Side]:
    """``right pyelonephritis``: a side of what is found or done rather than of a part."""
    if place and sentence.keys[place - 1] in _LEFT_IT:
        return
    reach = place + 1 + (sentence.keys[place + 1 : place + 2] != ("",))
    ends = [
        one.end
        for one in mentions
        if one.term.kind in ("diagnosis", "finding", "procedure")
        and place < one.start <= reach
        and _NO_THINGS.isdisjoint(sentence.keys[place + 1 : one.start + 1])
    ]
    if ends:
        words = {key for key in sentence.keys[place + 1 : max(ends)] if key} - _NO_THINGS
        if not generic_words().issuperset(words):
            yield Side(side, frozenset(words), place, max(ends), is_of_thing=True)


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
