"""Reads profiles, guidelines and aliases of one language; refuses what can't be placed."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tasks.contracts.errors import SourceError
from tasks.contracts.preconsultation import (
    Guideline,
    Language,
    PatientProfile,
    Placed,
    RefusedProfile,
)
from tasks.preconsultation.diseases import known_names
from tasks.preconsultation.keys import plain_key
from tasks.preconsultation.naming import Names, letters
from tasks.preconsultation.profiles import REPEATED_KEY, Unplaced, profile_id, read_profile
from tasks.preconsultation.shapes import NONE_OF_ABOVE

_HANGUL = re.compile("[\uac00-\ud7a3]")
_LANGUAGES = {"en": "English", "ko": "Korean"}
_STRAY = 0.1
"""Share of guidelines that may be in the other language, as names and abbreviations are."""
_HALF = 0.5
"""The same of profiles: those that are in the other language are refused one by one."""
_VALUE_CHARACTERS = 10_000
"""Longest name or symptom; a longer one is text that ran on because of a stray quote."""


@dataclass(frozen=True)
class ReadProfiles:
    """The profiles of a file: those that were placed, how, and those that were refused."""

    profiles: tuple[PatientProfile, ...]
    placed: dict[Placed, int]
    refused: tuple[RefusedProfile, ...]


def read_guidelines(path: Path, language: Language) -> tuple[Guideline, ...]:
    """The guidelines of a CSV file with the columns disease, weight (h or m) and symptom.

    Raises SourceError for a missing column, a value that can't be used, a guideline given twice
    with two weights, a disease spelled in two ways, and a file in the other language. Exact
    repetitions count once.
    """
    found: dict[tuple[str, str], Guideline] = {}
    spelled: dict[str, str] = {}
    for number, row in enumerate(_rows(path, ("disease", "weight", "symptom")), 2):
        disease, weight, symptom = (row[name] for name in ("disease", "weight", "symptom"))
        if weight not in ("h", "m") or not disease or not symptom:
            raise SourceError(
                f"{path}, record {number}: a guideline has a disease, a symptom and the weight h "
                f"or m; correct the record"
            )
        if symptom == NONE_OF_ABOVE:
            raise SourceError(f"{path}, record {number}: {NONE_OF_ABOVE!r} is no guideline")
        if spelled.setdefault(letters(disease), disease) != disease:
            raise SourceError(
                f"{path}, record {number}: a disease is spelled in two ways, which would divide "
                "its guidelines; spell it as above"
            )
        one = Guideline(disease=disease, weight=weight, symptom=symptom)
        if found.setdefault((disease, symptom), one) != one:
            raise SourceError(f"{path}, record {number}: the guideline stands there with h and m")
    if not found:
        raise SourceError(f"{path}: no guidelines in it")
    _check_language(path, language, [one.symptom for one in found.values()], _STRAY)
    return tuple(found.values())


def read_aliases(path: Path) -> dict[str, str]:
    """Further spellings of diseases, from a CSV file with the columns spelling and disease.

    Raises SourceError for an empty value, and for a spelling of two diseases.
    """
    found: dict[str, str] = {}
    for number, row in enumerate(_rows(path, ("spelling", "disease")), 2):
        spelling, disease = row["spelling"], row["disease"]
        if not spelling or not disease or found.setdefault(spelling, disease) != disease:
            raise SourceError(
                f"{path}, record {number}: an alias has a spelling, and one disease; correct it"
            )
    return found


def read_profiles(
    path: Path,
    language: Language,
    guidelines: Sequence[Guideline],
    aliases: dict[str, str] | None = None,
) -> ReadProfiles:
    """The profiles of a JSON file; each has a disease of the guidelines.

    Raises SourceError for a file that is no list of profiles, or is in the other language.
    """
    given = _json_list(path)
    _check_language(path, language, [text for one in given for text in _told(one)], _HALF)
    diseases = tuple(dict.fromkeys(one.disease for one in guidelines))
    names = Names(diseases, aliases or {}, known_names())
    placed: Counter[Placed] = Counter()
    profiles: dict[str, PatientProfile] = {}
    refused: list[RefusedProfile] = []
    for number, one in enumerate(given, 1):
        try:
            profile, placement = read_profile(one, names)
            _check_own_language(profile, language)
            if profile.pid in profiles:
                raise Unplaced("its pid stands in the file before")
        except Unplaced as error:
            refused.append(RefusedProfile(pid=_pid(one, number), reason=str(error)))
            continue
        placed[placement.how] += 1
        profiles[profile.pid] = profile
    return ReadProfiles(tuple(profiles.values()), dict(placed), tuple(refused))


def _rows(path: Path, columns: tuple[str, ...]) -> list[dict[str, str]]:
    lines = _records(path)
    names = [name.strip().casefold() for name in (lines[0] if lines else [])]
    missing = [name for name in columns if names.count(name) != 1]
    if missing:
        raise SourceError(
            f"{path}: column {missing[0]} is not there exactly once; its first line should name "
            f"{', '.join(columns)}"
        )
    rows: list[dict[str, str]] = []
    for number, values in enumerate(lines[1:], 2):
        if len(values) != len(names) or any("\n" in one or "\r" in one for one in values):
            raise SourceError(
                f"{path}, record {number}: found {len(values)} values in {len(names)} columns, or "
                "a line break in one; a value with a comma stands in double quotes"
            )
        row = dict(zip(names, values, strict=True))
        rows.append({name: row[name].strip() for name in columns})
    return rows


def _records(path: Path) -> list[list[str]]:
    """The records of a CSV file that aren't blank."""
    reader = csv.reader(io.StringIO(_read(path), newline=""), strict=True)
    try:
        records = [record for record in reader if record]
    except csv.Error:
        raise SourceError(f"{path} is no CSV: a quote is open, or a value is too long") from None
    # Python's own limit is the process's: whoever reads MIMIC notes raises it.
    for number, record in enumerate(records, 1):
        if max(map(len, record)) > _VALUE_CHARACTERS:
            raise SourceError(
                f"{path}, record {number}: a value is too long, {_VALUE_CHARACTERS:,} characters "
                "are allowed; look for a quote that isn't closed"
            )
    return records


def _json_list(path: Path) -> list[Any]:
    """The profiles of a file: a JSON list, or a JSON object a line."""
    text = _read(path)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and all(line.lstrip().startswith("{") for _, line in lines):
        return [_parsed(path, line, number) for number, line in lines]
    given = _parsed(path, text, 1)
    if isinstance(given, dict) and "details" in map(plain_key, cast("dict[str, Any]", given)):
        return [cast("Any", given)]
    if not isinstance(given, list) or not given:
        raise SourceError(
            f"{path} is no list of patient profiles: give a JSON list of one at least"
        )
    return cast("list[Any]", given)


def _parsed(path: Path, text: str, first_line: int) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        found = isinstance(error, json.JSONDecodeError)
        place = f" at line {first_line + error.lineno - 1}" if found else ""
        raise SourceError(
            f"{path} is no JSON{place}: give a list of patient profiles, or a profile a line"
        ) from None


def _refuse(constant: str) -> None:
    """NaN and Infinity, which Python would read."""
    raise ValueError(constant)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, or one that no reader places where a key stands in it twice.

    Texts are composed here again: JSON may hold letters as escapes.
    """
    found = {_composed(key): _composed(value) for key, value in pairs}
    return found if len(found) == len(pairs) else {REPEATED_KEY: None}


def _composed(value: Any) -> Any:
    """A text, or a list's texts, with composed letters; objects are composed already."""
    if isinstance(value, list):
        return [_composed(one) for one in cast("list[Any]", value)]
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value


def _read(path: Path) -> str:
    """A file's text, composed: Hangul is often stored as single letters."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SourceError(f"{path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SourceError(f"{path} isn't UTF-8 text: convert it") from None
    return unicodedata.normalize("NFC", text)


def _told(given: Any) -> Iterable[str]:
    """What a profile tells the doctor, as one text; nothing where it has no such part."""
    try:
        values = given["simple_info"].values()
    except (TypeError, KeyError, AttributeError):
        return ()
    return (" ".join(one for one in values if isinstance(one, str)),)


def _check_language(path: Path, language: Language, texts: Sequence[str], stray: float) -> None:
    """Raise SourceError for a file of which more than this share is in the other language."""
    korean = sum(bool(_HANGUL.search(text)) for text in texts)
    other = korean if language == "en" else len(texts) - korean
    if other > stray * len(texts):
        found = f"is in {_other(language)}" if 2 * other > len(texts) else "mixes two languages"
        raise SourceError(
            f"{path} {found}, but the language is {_LANGUAGES[language]}: give profiles and "
            "guidelines of the language as --language"
        )


def _other(language: Language) -> str:
    return _LANGUAGES["ko" if language == "en" else "en"]


def _check_own_language(profile: PatientProfile, language: Language) -> None:
    if bool(_HANGUL.search(profile.basic.chief_complaint)) != (language == "ko"):
        raise Unplaced(f"its chief complaint is in {_other(language)}")


def _pid(given: Any, number: int) -> str:
    """The id of a profile, else its place in the file."""
    try:
        return profile_id(given)
    except Unplaced:
        return f"#{number}"
