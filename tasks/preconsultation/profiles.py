"""Reads one patient profile, whatever its keys are called."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

from tasks.contracts.preconsultation import (
    BasicInformation,
    PatientProfile,
    ProfileStatement,
    Section,
)
from tasks.preconsultation.keys import basic_field, history_section, plain_key
from tasks.preconsultation.naming import Names, Placement

_LISTS: dict[str, Section] = {
    "additional_information": "additional",
    "pain_area": "area",
    "past_history": "past",
    "social_history": "social",
}
_PARTS = {"basic_information", "history_of_present_illness", *_LISTS}
_WHOLE = {"pid", "disease_name", "typicality", "details", "simple_info"}
_ID = re.compile(r"\w[\w.-]{0,63}")
_LONGEST_ID_BYTES = 128
"""A file's name may have 255; those in the cache say more than the pid."""

_LONGEST_KEY = 40
_SURROGATE = re.compile("[\ud800-\udfff]")

REPEATED_KEY = "<a key that stands twice>"
"""The one key of an object in which a key stood twice: none of its values can be trusted."""


class Unplaced(Exception):
    """A profile has something that can't be placed; the message names keys, never values."""


def read_profile(given: Any, names: Names) -> tuple[PatientProfile, Placement]:
    """A profile and how its disease was found; raises Unplaced."""
    whole = _named(_mapping(given, "the profile"), "the profile", _WHOLE)
    details = _named(_mapping(whole.get("details"), "details"), "details")
    unknown = [key for key in details if key not in _PARTS]
    if unknown:
        raise Unplaced(f"details has a key of no known meaning: {_shown(unknown[0])}")
    pid = profile_id(given)
    spelling = _text(whole.get("disease_name"), "disease_name")
    placed = names.place(spelling)
    if placed.reason:
        raise Unplaced(placed.reason)
    basic = _basic(details.get("basic_information", {}), "basic_information")
    simple = _basic(whole.get("simple_info"), "simple_info")
    if not simple.get("chief_complaint"):
        raise Unplaced("simple_info has no chief complaint")
    statements = tuple(_statements(details))
    if not statements:
        raise Unplaced("details tells nothing that the patient could answer")
    profile = PatientProfile(
        pid=pid,
        disease=placed.disease,
        spelling=spelling,
        typicality=_whole_letters(str(whole.get("typicality") or "")),
        basic=BasicInformation.model_validate({**basic, **simple}),
        statements=statements,
    )
    return profile, placed


def profile_id(given: Any) -> str:
    """A profile's pid, which names files and report lines; raises Unplaced."""
    whole = _named(_mapping(given, "the profile"), "the profile", _WHOLE)
    pid = _text(whole.get("pid"), "pid")
    if not _ID.fullmatch(pid):
        raise Unplaced("its pid isn't up to 64 letters, digits, dots and dashes")
    if len(pid.encode()) > _LONGEST_ID_BYTES:
        raise Unplaced(f"its pid takes more than {_LONGEST_ID_BYTES} bytes")
    return pid


def _named(
    given: Mapping[str, Any], name: str, wanted: Collection[str] | None = None
) -> Mapping[str, Any]:
    """The values by plain key; of keys that aren't wanted two may be alike."""
    found: dict[str, Any] = {}
    for key, value in given.items():
        plain = plain_key(key)
        if plain in found and (wanted is None or plain in wanted):
            raise Unplaced(f"{name} has two keys for {_shown(plain)}")
        found[plain] = value
    return found


def _shown(key: str) -> str:
    """A key for a message, without what makes it a text rather than a key."""
    return repr(key if len(key) <= _LONGEST_KEY else f"{key[:_LONGEST_KEY]}…")


def _basic(given: Any, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in _mapping(given, name).items():
        field = basic_field(key)
        if field is None:
            raise Unplaced(f"{name} has a key of no known meaning: {_shown(key)}")
        if field in found:
            raise Unplaced(f"{name} has two keys for {field}: the second is {_shown(key)}")
        texts = _texts(value, f"{name}, {_shown(key)}")
        found[field] = tuple(texts) if field == "areas" else ", ".join(texts)
    return found


def _statements(details: Mapping[str, Any]) -> Iterator[ProfileStatement]:
    history = _mapping(details.get("history_of_present_illness", {}), "history_of_present_illness")
    for key, value in history.items():
        section = history_section(key)
        if section is None:
            raise Unplaced(
                f"history_of_present_illness has a key of no known meaning: {_shown(key)}"
            )
        for text in _texts(value, _shown(key)):
            yield ProfileStatement(section=cast("Section", section), text=text)
    for name, section in _LISTS.items():
        for text in _texts(details.get(name, []), name):
            yield ProfileStatement(section=section, text=text)


def _mapping(given: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise Unplaced(f"{name} is no object")
    found = cast("dict[str, Any]", given)
    if REPEATED_KEY in found:
        raise Unplaced(f"{name} has a key that stands there twice")
    return found


def _text(given: Any, name: str) -> str:
    if (
        isinstance(given, bool)
        or not isinstance(given, str | int | float)
        or not str(given).strip()
    ):
        raise Unplaced(f"{name} is no text")
    return _whole_letters(str(given).strip())


def _whole_letters(text: str) -> str:
    """A text that can be written to a file: JSON may hold halves of letters."""
    return _SURROGATE.sub("\ufffd", text)


def _texts(given: Any, name: str) -> list[str]:
    if given in (None, ""):
        return []
    if not isinstance(given, list):
        return [_text(given, name)]
    return [_text(one, name) for one in cast("list[Any]", given)]
