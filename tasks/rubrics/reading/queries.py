"""Reads queries: JSON lines, ``index<TAB>text``, conversations, LLMEval-Med's problems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from tasks.contracts.errors import SourceError
from tasks.contracts.rubrics import Message, Query, Speaker
from tasks.rubrics.language import language_of
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.ids import record_id
from tasks.rubrics.reading.json_text import read_text, records_of

_TURN = re.compile(r"(?:^|(?<=\s))(?:(User|Assistant):\s|(用户|助手)[:：]\s*)")
_JSON_TEXT = re.compile(r"\s*(?:\{|\[\s*\{)")
_NUMBERED = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,63})\t(.*)")
_SPEAKERS: Mapping[str, Speaker] = {
    "user": "user",
    "human": "user",
    "patient": "user",
    "assistant": "assistant",
    "model": "assistant",
    "doctor": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "用户": "user",
    "患者": "user",
    "助手": "assistant",
    "医生": "assistant",
}
_JSON = (".json", ".jsonl", ".ndjson")
_TEXTS = ("query", "original_query", "question", "problem", "prompt", "text", "conversation")
_TURNS = ("messages", "prompt", "conversation", "conversations", "dialogue", "turns")
_SPEAKER = ("role", "speaker", "from")
_CONTENT = ("content", "text", "value")
_IDS = ("query_id", "index", "prompt_id", "qa_id", "id")


def read_queries(path: Path, log: ReadingLog) -> tuple[Query, ...]:
    """The queries of a file in its order; raises SourceError where it holds none.

    Records without an id get the number of their place, from 0.
    """
    suffix = path.suffix.lower()
    if suffix == ".csv":
        raise SourceError(
            f"{path}: tables with commas aren't read; write JSON lines with query_id and query, or "
            "lines of index<TAB>text"
        )
    is_json = suffix in _JSON or _JSON_TEXT.match(read_text(path)) is not None
    found = _of_json(path, log) if is_json else _of_text(path, log)
    kept: dict[str, Query] = {}
    for query in found:
        if query.query_id in kept:
            log.refused("repeated_query", query.query_id)
        else:
            kept[query.query_id] = query
    if not kept:
        raise SourceError(
            f"{path}: holds no query{log.why_nothing}; expected JSON lines with a query or "
            "messages, or lines of index<TAB>text"
        )
    return tuple(kept.values())


def make_query(query_id: str, text: str) -> Query | None:
    """A query of a text, which may be a conversation ``User: … Assistant: … User: …``.

    None where nothing is asked: no text, or the last turn is not the user's.
    """
    return _query(query_id, _turns(text))


def _of_text(path: Path, log: ReadingLog) -> list[Query]:
    found: list[Query] = []
    for number, line in enumerate(read_text(path).split("\n")):
        if not line.strip():
            continue
        numbered = _NUMBERED.fullmatch(line.rstrip("\r"))
        query_id, text = (numbered[1], numbered[2]) if numbered else (str(number), line)
        if not found and query_id in _IDS and text.strip() in _TEXTS:
            log.repaired("header_line", f"line {number + 1}")
            continue
        query = make_query(query_id, text)
        if query is None:
            log.refused("no_question", f"line {number + 1}")
        else:
            found.append(query)
    return found


def _of_json(path: Path, log: ReadingLog) -> list[Query]:
    found: list[Query] = []
    earlier: dict[str, list[Message]] = {}
    for number, place, value in records_of(path, log):
        if not isinstance(value, dict):
            log.refused("not_a_record", place)
            continue
        record = cast("dict[str, Any]", value)
        query_id = record_id(record, _IDS, place, log, str(number))
        if query_id is None:
            log.refused("no_plain_id", place)
            continue
        messages = _messages(record, place, log)
        if messages is None:
            log.refused("message_without_text", place)
            continue
        query = _query(query_id, _with_rounds(record, messages, earlier))
        if query is None:
            log.refused("no_question", place)
        else:
            found.append(query)
    return found


def _with_rounds(
    record: Mapping[str, Any], messages: list[Message], earlier: dict[str, list[Message]]
) -> list[Message]:
    """The messages of a record after those of the earlier rounds of its group.

    LLMEval-Med numbers the rounds of a conversation, whose later problems refer to earlier ones.
    """
    group, number = record.get("groupCode"), record.get("round")
    if group is None or number is None:
        return messages
    said = [*([] if number == 1 else earlier.get(str(group), [])), *messages]
    answer = record.get("sanswer")
    said_back = answer.strip() if isinstance(answer, str) else ""
    answered = [Message(speaker="assistant", text=said_back)] if said_back else []
    earlier[str(group)] = [*said, *answered]
    return said


def _messages(record: Mapping[str, Any], place: str, log: ReadingLog) -> list[Message] | None:
    """What is said in a record; None where a message of user or assistant is no text."""
    listed = next((record[key] for key in _TURNS if isinstance(record.get(key), list)), None)
    if listed is None:
        text = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), "")
        return _turns(text)
    found: list[Message] = []
    for one in cast("list[object]", listed):
        turn = cast("dict[str, Any]", one) if isinstance(one, dict) else {}
        named = next((str(turn[key]) for key in _SPEAKER if key in turn), "")
        speaker = _SPEAKERS.get(named.strip().casefold())
        text = _text_of(next((turn[key] for key in _CONTENT if key in turn), None))
        if speaker is None:
            log.repaired("other_speaker", place)
        elif text is None:
            return None
        elif not text:
            log.repaired("empty_message", place)
        else:
            found.append(Message(speaker=speaker, text=text))
    return found


def _text_of(content: object) -> str | None:
    """A message's text, also where it comes in parts; None where a part is no text."""
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return None
    parts = [
        cast("dict[str, Any]", one).get("text") if isinstance(one, dict) else one
        for one in cast("list[object]", content)
    ]
    texts = [one for one in parts if isinstance(one, str)]
    return "\n".join(texts).strip() if len(texts) == len(parts) else None


def _turns(text: str) -> list[Message]:
    parts = [one for one in _TURN.split(text.strip()) if one is not None]
    if len(parts) == 1 or parts[0].strip():
        return [Message(speaker="user", text=text.strip())] if text.strip() else []
    return [
        Message(speaker=_SPEAKERS[name.casefold()], text=said.strip())
        for name, said in zip(parts[1::2], parts[2::2], strict=True)
        if said.strip()
    ]


def _query(query_id: str, messages: Sequence[Message]) -> Query | None:
    if not messages or messages[-1].speaker != "user":
        return None
    said = " ".join(one.text for one in messages)
    return Query(query_id=query_id, language=language_of(said), messages=tuple(messages))
