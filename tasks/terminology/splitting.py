"""Splits text of any script into the words and numbers that scores and searches compare."""

from __future__ import annotations

import re
import unicodedata

SPLITTING_VERSION = "2"

_UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"
# What Python's \w leaves out of words: accents that compose with no letter, vowel signs.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0900-\u0903\u093a-\u094f"

_LETTER = rf"(?:(?![{_UNSPACED}{_HANGUL}])[^\W\d_]|[{_MARKS}])"
_NUMBER = r"(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<![\d.])\.\d+)(?:e[-+]?\d+)?"
_BETWEEN = r"(?:[ \t]*/[ \t]*|[:^-]|[ \t]-[ \t]|-[ \t])"
_EXPRESSIONS = (
    r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)",
    r"(?<!\d)\d{4}/\d{2}/\d{2}(?!\d)",
    r"(?<![^\W_])[a-z]{1,2}-?\d{1,3}(?:[a-z]\d{0,2})?(?![^\W_])(?![/:^.,-]\d)",
    rf"(?:(?<!\w)(?<!\d[.,)\]])[-+])?{_NUMBER}(?:{_BETWEEN}{_NUMBER})*(?:\+(?![^\W_]))?",
    r"(?<![^\W_])(?:[a-z]\.){2,}(?:[a-z](?![^\W_]))?",
    r"%|≤|≥|<(?=\s*[-+]?\.?\d)|(?<![-=])>(?=\s*[-+]?\.?\d)",
)
_TOKEN = re.compile(
    "|".join(
        (
            *_EXPRESSIONS,
            rf"{_LETTER}+(?:'{_LETTER}+)*",
            rf"[{_HANGUL}]+",
            rf"[{_UNSPACED}]",
        )
    )
)
# Most text is plain English: long words first, which no expression begins with.
_ASCII_TOKEN = re.compile(
    "|".join((r"[a-z]{3,}(?:'[a-z]+)*", *_EXPRESSIONS, r"[a-z]+(?:'[a-z]+)*"))
)
_HANGUL_WORD = re.compile(rf"[{_HANGUL}]+")
_POSSESSIVE = re.compile(r"(?:'s)+$")
_TRAILING_ZEROS = re.compile(r"^([-+]?\d+)(?:\.0+|(\.\d*?[1-9])0+)(\+?|e-?\d+)$")
_SLASHED_DATE = re.compile(r"\d{4}/\d{2}/\d{2}")
_ACCENTS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
# Words that are written together or apart, looked for among words joined by blanks.
_EVERY_HOURS = re.compile(r"(?<!\S)q ?(\d{1,2}(?:-\d{1,2})?) ?(?:h|hr|hrs|hour|hours)(?!\S)")
_X_RAY = re.compile(r"(?<!\S)x (rays?)(?!\S)")
_RAISED = re.compile("(?<=[0-9])[⁰¹²³⁴-⁹]")
_FRACTION = re.compile("(?<=[0-9])(?=[¼-¾⅐-⅞])")
_WITHOUT = re.compile(r"(?<![\w/])w/o(?![\w/])")
# A sign that stands for a result: HIV+, guaiac -, Rh (-), +ve; not K+, pre- and post-operative.
_SIGN = re.compile(r"[+-](?:ve\b|(?=[\s,;:)]|\.(?!\d)|$))")
_SIGNED_WORD = re.compile(r"[a-z]+$")
_UNSIGNED = frozenset(
    {
        "k",
        "h",
        "na",
        "cl",
        "li",
        "ca",
        "mg",
        "pre",
        "post",
        "non",
        "mid",
        "anti",
        "self",
        "co",
        "re",
    }
)
_ENDED = re.compile(r"\s*(?:[,.;:)]|$)")
_JOINED = re.compile(r"\s(?:and|or|to)\b")
_DASHES = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
_APOSTROPHES = "\u2019\u02bc\u2018\u00b4"
_SLASHES = "\u2044\u2215"
_PLAIN = str.maketrans(
    dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_SLASHES, "/")
    | dict.fromkeys("\u2014\u2015", " ")
)
_SAME = {
    **dict.fromkeys(("mcg", "ug", "microgram", "micrograms"), "μg"),
    "ul": "μl",
    "percent": "%",
}


def split_words(text: str) -> list[str]:
    """Words and numbers of a text, without case, width and punctuation.

    ``5mg`` is ``5``, ``mg``; ``1,000`` is ``1000``; ``2.5``, ``-2``, ``1-2``, ``120/80`` and dates
    are one word each, and so are ``q 12 h`` and ``x-ray``. Accents of Latin letters are left out.
    Chinese, Japanese and other unspaced scripts are split into characters,
    Korean words into pairs of syllables. Splitting the words joined by blanks changes nothing.
    """
    words: list[str] = []
    folded = _folded(text)
    pattern = _ASCII_TOKEN if folded.isascii() else _TOKEN
    tokens: list[str] = pattern.findall(folded)
    for token in tokens:
        if token.isascii() and token.isalpha():
            words.append(_SAME.get(token, token))
        elif _HANGUL_WORD.fullmatch(token):
            words += [token[at : at + 2] for at in range(max(1, len(token) - 1))]
        else:
            words.append(_plain(token))
    return _joined(words) if "q" in folded or "ray" in folded else words


def is_number(word: str) -> bool:
    """Whether a word of ``split_words`` is a number, range, ratio, time or date."""
    return word.lstrip("-+")[:1].isdigit()


def _folded(text: str) -> str:
    if not text.isascii():
        # Compatibility forms would make 10⁹ of 109, and 11/2 of 1½.
        text = _RAISED.sub(lambda found: "^" + found[0], text)
        text = _FRACTION.sub(" ", text).translate(_PLAIN)
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        plain = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
        text = unicodedata.normalize("NFC", plain)
        text = re.sub(r"[^\W0-9]", _decimal, text).translate(_PLAIN)
    text = text.casefold().replace("`", "'").replace("<=", "≤").replace(">=", "≥")
    if "+" in text or "-" in text:
        text = _SIGN.sub(_result, text)
    return _WITHOUT.sub("without", text) if "w/o" in text else text


def _joined(words: list[str]) -> list[str]:
    """The words with ``q 12 h`` and ``x ray`` as one word."""
    if not words:
        return words
    text = _EVERY_HOURS.sub(r"q\1h", " ".join(words))
    return _X_RAY.sub(r"x\1", text).split(" ")


def _result(found: re.Match[str]) -> str:
    """A sign in words where it is a result: behind a word, at the end of a phrase, or ``+ve``."""
    text, at, end = found.string, found.start(), found.end()
    before = text[at - 1 : at]
    if word := _SIGNED_WORD.search(text, max(0, at - 12), at):
        is_result = word[0] not in _UNSIGNED and not _JOINED.match(text, end) and end == at + 1
    else:
        apart = not before or before in "( \t\n"
        is_result = apart and (end > at + 1 or _ENDED.match(text, end) is not None)
    if not is_result:
        return found[0]
    return " positive" if found[0][0] == "+" else " negative"


def _decimal(found: re.Match[str]) -> str:
    digit = unicodedata.decimal(found[0], None)
    return found[0] if digit is None else str(digit)


def _plain(token: str) -> str:
    """A token in the one form that all its spellings share."""
    if not any(map(str.isdigit, token)):
        word = _POSSESSIVE.sub("", token).replace(".", "")
        return _SAME.get(word, word)
    if token[0].isalpha():
        return token.replace("-", "")
    if _SLASHED_DATE.fullmatch(token):
        return token.replace("/", "-")
    number = token.replace(",", "").replace(" ", "").replace("\t", "").replace("e+", "e")
    number = re.sub(r"^([-+]?)\.", r"\g<1>0.", number)
    return _TRAILING_ZEROS.sub(r"\1\2\3", number)
