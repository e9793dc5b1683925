"""One spelling for dates, times, counts and units that answers write in several ways."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from tasks.terminology.number_words import NUMBER_VALUES, ONES, TENS

_UNITS = {
    "milligram": "mg",
    "milligrams": "mg",
    "kilogram": "kg",
    "kilograms": "kg",
    "milliliter": "ml",
    "milliliters": "ml",
    "millilitre": "ml",
    "millilitres": "ml",
    "hr": "hours",
    "hrs": "hours",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?P<day>\d{1,2})(?: (?:st|nd|rd|th))?"
_YEAR = r"(?P<year>\d{4})"

# All of these are looked for among words joined by blanks.
_BEGIN, _END = r"(?<!\S)", r"(?!\S)"
_COUNT = re.compile(
    rf"{_BEGIN}(?:(?P<tens>{'|'.join(TENS)}) (?P<ones>{'|'.join(ONES)})|"
    rf"(?P<alone>{'|'.join(name for name in NUMBER_VALUES if name != 'one')})|"
    # "One" stands for something else as often: the one that began in June.
    r"(?P<single>one)(?= (?:hour|day|week|month|year|time|dose|tablet|capsule|puff|unit|liter|"
    r"litre|hospitalization|admission|stay|episode)(?!\S)))"
    rf"{_END}"
)
_UNIT = re.compile(rf"{_BEGIN}(?:{'|'.join(_UNITS)}){_END}")
_HOURS = re.compile(rf"(?<=\d )(?:h|hour){_END}")
_EVERY = re.compile(rf"{_BEGIN}every (\d{{1,2}}) hours{_END}")
_DATES = tuple(
    re.compile(f"{_BEGIN}{form}{_END}")
    for form in (
        f"{_MONTH} {_DAY} {_YEAR}",
        f"{_DAY}(?: of)? {_MONTH} {_YEAR}",
        f"{_YEAR} 年 (?P<month>\\d{{1,2}}) 月 (?P<day>\\d{{1,2}}) 日",
        f"{_YEAR} 년 (?P<month>\\d{{1,2}}) 월 (?P<day>\\d{{1,2}}) 일",
        # Charts of the United States put the month first.
        f"(?P<month>\\d{{1,2}})/(?P<day>\\d{{1,2}})/{_YEAR}",
    )
)
_WHOLE_MINUTE = re.compile(rf"{_BEGIN}(\d{{1,2}}:\d\d):00{_END}")
_HALF_DAY = re.compile(
    rf"{_BEGIN}(?P<hour>0?[1-9]|1[0-2]):(?P<minute>\d\d) (?P<half>am|pm){_END}(?! [ap]m)"
)
_COUNT_WORDS = frozenset(NUMBER_VALUES)
_UNIT_WORDS = frozenset(_UNITS)
_HOUR_WORDS = frozenset({"h", "hour", "every"})
# A month's name begins with three letters that few other words begin with.
_DATE_WORDS = frozenset({"年", "년", *_MONTHS})


def spelled_alike(words: Sequence[str]) -> list[str]:
    """Words of ``split_words`` in one spelling.

    ``june 1 2150``, ``6/1/2150`` and ``2150 年 6 月 1 日`` are ``2150-06-01``; ``12:00:00`` is
    ``12:00``, ``2:00 pm`` is ``14:00``, ``twenty two`` is ``22``, ``24 h`` is ``24 hours``,
    ``every 6 hours`` is ``q6h``, and units written out are as their symbols.
    """
    said = frozenset(words)
    text = made = " ".join(words)
    if not _COUNT_WORDS.isdisjoint(said):
        made = _COUNT.sub(_in_digits, made)
    if not _UNIT_WORDS.isdisjoint(said):
        made = _UNIT.sub(lambda found: _UNITS[found[0]], made)
    if ":" in made:
        made = _HALF_DAY.sub(_of_24_hours, _WHOLE_MINUTE.sub(r"\1", made))
    if "/" in made or not _DATE_WORDS.isdisjoint(word[:3] for word in said):
        for form in _DATES:
            made = form.sub(_iso_date, made)
    if not _HOUR_WORDS.isdisjoint(said):
        made = _EVERY.sub(r"q\1h", _HOURS.sub("hours", made))
    return list(words) if made == text else made.split(" ")


def _in_digits(found: re.Match[str]) -> str:
    named = [found[name] for name in ("tens", "ones", "alone", "single") if found[name]]
    return str(sum(NUMBER_VALUES[word] for word in named))


def _iso_date(found: re.Match[str]) -> str:
    """The date as YYYY-MM-DD; what is no date stays."""
    month = found["month"]
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
    try:
        return date(int(found["year"]), number, int(found["day"])).isoformat()
    except ValueError:
        return found[0]


def _of_24_hours(found: re.Match[str]) -> str:
    hour = int(found["hour"]) % 12 + (12 if found["half"] == "pm" else 0)
    return f"{hour:02}:{found['minute']}"
