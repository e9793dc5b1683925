"""Whether an answer abstains, by the published recipe and by one that reads explanations."""

from __future__ import annotations

import re
import unicodedata

from tasks.contracts.evaluation import Recipe
from tasks.scoring.abstention_east_asian import abstains_in_east_asian
from tasks.scoring.recipes import published_normal_form

ABSTENTION_VERSION = "3"
"""Of the clinical recipe: a change of what abstains changes the version."""

_FROM = ("from the record", "from the provided context")
_IN = ("in the record", "in the provided context")
PUBLISHED_PHRASES = (
    "the question is not answerable",
    *(" ".join(("not answerable", where)).strip() for where in ("", *_FROM)),
    *(" ".join(("cannot be determined", where)).strip() for where in ("", *_FROM)),
    "no information available",
    *(" ".join(("not mentioned", where)).strip() for where in ("", *_IN)),
)
"""The canonical abstention and those accepted beside it (spec section 9)."""

_PUBLISHED = frozenset(map(published_normal_form, PUBLISHED_PHRASES))

# The building blocks of the patterns below, which are read on text without case and contractions.
_RECORD = (
    r"(?:(?:the|this|that|these|any|all|of|your|provided|given|available|patient's|patient|medical|"
    r"clinical|hospital) )*"
    r"(?:records?|charts?|conversations?|dialogues?|contexts?|transcripts?|notes|documentation|"
    r"documents?|texts?|passages?|information|timeline|excerpts?|sources?)"
    r"(?: (?:given|provided|available|shown|above|alone))*"
)
_SOURCE = rf"(?:{_RECORD}|what (?:is|was) (?:given|provided|said|shown|written))"
_IN_RECORD = rf"(?: (?:anywhere )?(?:from|in|by|based on|given|with|using|within) {_SOURCE})"
_IN_STAY = r"(?: (?:in|during|for|at) (?:the|this|that|these|those|any|either|both) [\w ]*\w)"
_OPENER = r"because|since|whether|which|why|how|when|where|what|who|if|but|and|so|given"
_END = rf"(?: (?:here|anywhere))?(?=$|[.;:,!?]| \(| (?:{_OPENER})\b)"
_ALONE = r"[.!]?$"
_QUESTION = r"(?:it|this|that|question|the question|this question|the answer)"
_ASKED = (
    r"(?:(?:the|this|that|such) (?:requested )?(?:information|answer|detail|data)|the question)"
)
_BE = r"(?:is|was|are|were|has been|have been|had been)"
_ADVERB = r"(?:(?:explicitly|clearly|directly|specifically|ever|actually) )?"
_STATED = r"(?:mentioned|stated|documented|specified|recorded)"
# Findings and treatments are "not reported" or "not given" too: these need a record beside them.
_GIVEN = (
    r"(?:given|provided|available|reported|discussed|described|noted|indicated|listed|included|"
    r"shown|addressed|covered|found|known|clear|present|contained)"
)
_TOPIC = rf"(?:(?!(?:{_BE}|and|because|but|he|she)\b)[\w'%/-]+ ){{1,9}}"
_FIND = r"(?:tell|say|determine|answer|find|establish|infer|locate|know|identify|conclude)"
_UNFOUND = r"(?:answered|determined|said|told|established|inferred|known|found|concluded)"
_UNKNOWN = r"(?:unknown|undetermined|undeterminable|indeterminable)"
_MATTER = r"(?:information|context|data|details?|documentation)"
_SAYS = (
    r"(?:say|mention|state|specify|contain|provide|indicate|include|document|give|record|tell|"
    r"address|describe|discuss|answer|show|reveal|report|list|name|note|cover|offer|refer to|"
    r"support|specifie)(?:s|es)?"
)

_NOWHERE = (
    r"[^.,;]*\b(?:no|not|never|none|nothing|neither|cannot|insufficient|unclear|unable)\b[^.,;]* "
    r"(?:in|from|by|within) (?:(?:the|this|that|these|any|all|your|provided|given|available) )+"
    r"(?:\w+ )?(?:records?|conversations?|dialogues?|context|transcript|documentation|text)\b"
)

_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # The question itself can't be answered.
        rf"(?:{_QUESTION} (?:is )?)?(?:not answerable|unanswerable)(?:{_IN_RECORD}|{_END})",
        rf"(?:{_QUESTION} )?(?:cannot|could not) be {_UNFOUND}(?:{_IN_RECORD}|{_END})",
        rf"[^.]*\b(?:so|therefore|thus|hence),? {_QUESTION} (?:cannot be {_UNFOUND}|is "
        rf"(?:not answerable|unanswerable))(?:{_IN_RECORD}|{_END})",
        rf"{_TOPIC}(?:cannot|could not) be {_UNFOUND}{_IN_RECORD}",
        # Whoever answers doesn't know.
        rf"(?:i|we) (?:do|did) not know(?: the answer)?(?:{_IN_RECORD}|{_END})",
        rf"(?:i|we|one) (?:cannot|could not|(?:am|are|was|were) (?:unable|not able) to) {_FIND}\b",
        rf"i (?:do not have (?:that|this|the|any|enough|sufficient)|have no) {_MATTER}",
        rf"(?:unable to|cannot|could not|not able to) {_FIND}(?: (?:this|that|it|the question))?"
        rf"(?:{_IN_RECORD}|{_END})",
        rf"it is (?:impossible|not possible) to {_FIND}(?:{_IN_RECORD}|{_END})",
        # It isn't said.
        rf"(?:none |(?:{_TOPIC}{_BE} )?(?:not|never) {_ADVERB}){_STATED}"
        rf"(?:{_IN_RECORD}|{_IN_STAY}?{_END})",
        rf"(?:none |(?:{_TOPIC}{_BE} )?(?:not|never) {_ADVERB}){_GIVEN}{_IN_RECORD}",
        rf"{_ASKED} {_BE} not {_ADVERB}{_GIVEN}(?:{_IN_RECORD}|{_END})",
        rf"{_MATTER} (?:about|of|on|regarding) {_TOPIC}{_BE} not {_ADVERB}{_GIVEN}"
        rf"(?:{_IN_RECORD}|{_END})",
        rf"(?:{_ASKED}|it|this|that) {_BE} not in {_RECORD}",
        rf"{_TOPIC}{_BE} (?:absent|missing) from {_RECORD}",
        rf"(?:{_MATTER}|answer) not (?:{_STATED}|{_GIVEN})(?:{_IN_RECORD}|{_END})",
        rf"(?:it|this|that) {_BE} not {_ADVERB}(?:discussed|addressed)(?:{_IN_RECORD}|{_END})",
        r"it does not (?:say|mention|state|specify)\b",
        rf"no {_TOPIC}(?:{_BE} (?:mentioned|stated|specified){_END}|{_BE} {_STATED}{_IN_RECORD})",
        rf"no {_TOPIC}{_BE} (?:mentioned|stated|specified) (?:in|for|during|at)\b",
        r"not (?:given|provided|available|reported|discussed|listed|included|known)" + _ALONE,
        rf"(?:there {_BE} )?nothing (?:in {_RECORD}|(?:(?:about|on|regarding) {_TOPIC})?{_BE} "
        rf"(?:{_STATED}|said))\b",
        # There is nothing about it.
        rf"(?:there {_BE} )?no (?:\w+ )?{_MATTER} (?:(?:{_BE} )?{_GIVEN}|about|on|regarding|for)\b",
        rf"(?:there {_BE} )?no (?:\w+ )?(?:{_MATTER}|mention)(?:{_IN_RECORD}|{_END})",
        rf"(?:there {_BE} )?no (?:\w+ )?mention (?:is made )?of\b[^,;]*$",
        rf"(?:there {_BE} )?no (?:record|documentation|indication|reference|evidence)"
        rf"(?: [^.,;]*)?{_IN_RECORD}",
        rf"(?:there {_BE} )?no (?:discussion|way to {_FIND})\b[^.,;]* (?:in|from) "
        rf"(?:{_RECORD}|(?:the|this|that|these|those|either) (?:stays?|admissions?))",
        rf"(?:there {_BE} )?no (?:record|mention) of (?:this|that|it){_END}",
        r"i (?:do|did) not (?:see|find) (?:any|a) (?:mention|record|reference|information)\b",
        rf"no answer (?:can be|{_BE}) (?:{_GIVEN}|{_STATED})\b",
        rf"there {_BE} not (?:any|enough) (?:mention|{_MATTER})\b",
        rf"(?:there {_BE} )?(?:not enough|insufficient|inadequate) {_MATTER}"
        rf"(?: {_BE} {_GIVEN})?(?: to {_FIND}\b|{_IN_RECORD}|{_END})",
        # The record doesn't say it.
        rf"{_RECORD} (?:(?:do|does|did) not|never) {_ADVERB}{_SAYS}\b",
        rf"{_RECORD} (?:gives?|contains?|provides?|has|have|holds?|includes?|makes?) no\b",
        rf"{_RECORD} (?:lacks?|omits?|{_BE} silent)\b",
        rf"{_RECORD} {_BE} (?:insufficient|not sufficient|not enough) to\b",
        rf"(?:neither (?:stay|admission|hospitalization|{_RECORD}|the doctor nor the patient)|"
        rf"the doctor never|nobody|no one) (?:mentions?|says?|states?|specifies|gives?)\b",
        rf"none of {_RECORD} {_SAYS}\b",
        rf"(?:it|this|that) {_BE} not (?:something|a thing) (?:that )?{_RECORD} {_SAYS}\b",
        _NOWHERE,
        # One word for it.
        rf"(?:no answer|not known|not applicable|n/a|undocumented|{_UNKNOWN}){_ALONE}",
        rf"(?:(?:it |this |{_TOPIC}){_BE} )?(?:unclear|{_UNKNOWN}){_IN_RECORD}",
        rf"(?:{_ASKED} {_BE}|answer) (?:unclear|{_UNKNOWN}){_END}",
    )
)
_LEAD = re.compile(
    rf"(?:(?:answer|a) ?: ?|unfortunately|(?:i am )?(?:sorry|afraid)|but\b|no,|"
    rf"(?:based on|according to|from|in|given) {_RECORD}(?=,)|"
    rf"as far as {_RECORD} (?:shows?|goes?),|"
    rf"during the (?:stay|admission|hospitalization)[^,]*,)[ ,:;.]*"
)
# How an answer may be dressed: as an item of a list, in a tag, as JSON.
_DRESS = re.compile(
    r"^\s*(?:\d{1,2}[.)]|[-*\u2022])\s+|</?[a-z]+>|^\s*\{\s*\"answer\"\s*:|\}\s*$", re.IGNORECASE
)
# A guess is an answer, and so is what somebody is quoted with.
_ANSWER = re.compile(
    r"\b(?:likely|probably|presumably|possibly|perhaps|suggests?|appears? to)\b|, (?:he|she) said\b"
)
# A value that stands alone behind the abstention is a guess as well: "I don't know, 40 mg".
_BARE_VALUE = re.compile(
    r"[.,;:] (?:(?:but|so|maybe|although|though) )?(?:(?:it|this|that|the (?:\w+ )?answer) "
    r"(?:is|was)|answer:)? ?\d[^\s]*(?: [\w%/]+){0,2}[.!]?$"
)
# Without one of these nothing abstains; most answers have none.
_CUE = re.compile(
    r"n't|\b(?:no|not|never|none|nothing|nobody|neither|cannot|can not|un\w+|insufficient|"
    r"inadequate|impossible|absent|missing|lacks?|omits?|silent|indeterminable|n/a)\b"
)
_READ_CHARACTERS = 600
# A line without a mark at its end ends a sentence if the next one opens a paragraph or a sentence.
_LINE_END = re.compile(r"(?<=[^\s.,;:!?])[ \t]*(?:\n\s*\n|\n(?=[^\S\n]*[A-Z*-]))")
_CONTRACTIONS = (
    (re.compile(r"\b(?:can't|can not)\b"), "cannot"),
    (re.compile(r"(?<=\w)n't\b"), " not"),
    (re.compile(r"\b(there|it|that|question|answer)'s\b"), r"\1 is"),
    (re.compile(r"\bi'm\b"), "i am"),
)


def abstains(recipe: Recipe, answer: str) -> bool:
    """Whether an answer abstains.

    ``medlocomo``: nothing but one of the published phrases. ``clinical``: also in other words and
    with an explanation behind it; a guess behind it makes it an answer.
    """
    if published_normal_form(answer) in _PUBLISHED:
        return True
    return recipe == "clinical" and _abstains_in_words(answer)


def _abstains_in_words(answer: str) -> bool:
    text = _plain(_DRESS.sub(" ", answer[:_READ_CHARACTERS]))
    if not text.isascii() and abstains_in_east_asian(text):
        return True
    if not _CUE.search(text):
        return False
    while lead := _LEAD.match(text):
        text = text[lead.end() :]
    found = any(pattern.match(text) for pattern in _PATTERNS)
    return found and not _ANSWER.search(text) and not _BARE_VALUE.search(text)


def _plain(answer: str) -> str:
    """An answer without case, line breaks, quotes and contractions."""
    lines = _LINE_END.sub(". ", unicodedata.normalize("NFKC", answer).replace("\r\n", "\n"))
    text = " ".join(lines.replace("\u2019", "'").casefold().split())
    for pattern, full in _CONTRACTIONS:
        text = pattern.sub(full, text)
    return text.strip("\"'*_ ")
