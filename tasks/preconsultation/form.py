"""The form of a doctor's reply and of an interview (spec section 2, steps 1 and 2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.contracts.preconsultation import FormStatus, Interview, Turn

_COLON = r"[\]*_]*\s*[:\uff1a]"
_NUMBER = r"(?:#|no\.)?\s*\(?\d{0,2}\)?"
_QUESTION = re.compile(rf"(?:question|질문)\s*{_NUMBER}{_COLON}", re.IGNORECASE)
# Models like to add how many to choose: Options (select all that apply).
_REMARK = r"(?:\([^()\n]{0,60}\))?"
_OPTIONS = re.compile(
    rf"(?:(?<=\n)\W*answer\s+)?(?:options?|선택지|보기)\s*{_REMARK}{_COLON}", re.IGNORECASE
)
_PATIENTS_PART = re.compile(
    rf"^\W*(?:answer|patient|답변|대답|환자)\s*{_COLON}", re.IGNORECASE | re.MULTILINE
)
_ANSWER = re.compile(r"^\W*(?:answer|답변|대답)\s*[:\uff1a]\s*", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:^|[\s,;])\(?(?:\d{1,2}|[A-Za-z])[.)]\s+")
_BULLETED = re.compile(r"(?:^|[\s,;])[-*•]\s+")
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?(?:\d{1,2}|[A-Za-z])[.)])\s*")
_SEPARATORS = re.compile(r"\s*[;,/|]\s*")


@dataclass(frozen=True)
class DoctorReply:
    """A doctor's reply, read: how many questions, the first of them and its options."""

    questions: int
    question: str = ""
    options: tuple[str, ...] = ()


def read_reply(text: str) -> DoctorReply:
    """Read ``Question: …`` and ``Options: …``; what stands before the first question is left out.

    A label may be numbered, bold or in brackets, and a remark in parentheses may follow the one of
    the options; one that nothing follows is no question. Options are a line each, numbered, begun
    by dashes, or divided by semicolons, commas or slashes.
    """
    asked = [_asked(piece) for piece in _QUESTION.split(text)[1:]]
    found = [(question, options) for question, options in asked if question]
    return DoctorReply(len(found), *found[0]) if found else DoctorReply(0)


def _asked(text: str) -> tuple[str, tuple[str, ...]]:
    """A question and its options, from what follows its label.

    Models go on with the patient's part of their own invention: that is cut off.
    """
    text = _PATIENTS_PART.split(text, maxsplit=1)[0]
    question, *rest = _OPTIONS.split(text, maxsplit=1)
    return _plain(question), _options(rest[0]) if rest else ()


def read_answer(text: str) -> str:
    """A patient's answer without its label."""
    return _ANSWER.sub("", text.strip(), count=1).strip()


def write_question(question: str, options: Sequence[str]) -> str:
    """A doctor's reply in the form that ``read_reply`` reads, as one question whatever it says."""
    asked, *offered = map(_without_labels, (question, *options))
    return "\n".join((f"Question: {asked}", "Options:", *(f"- {one}" for one in offered)))


def asked_words(turn: Turn) -> str:
    """What the patient was asked, in the form; a lost turn's words in one line.

    What else a doctor writes, as answers of its own, is shown to nobody.
    """
    if turn.question:
        return write_question(turn.question, turn.options)
    return " ".join(turn.reply.split())


def form_status(turns: Sequence[Turn], planned: int) -> FormStatus:
    """Whether an interview has as many questions as turns, more, or fewer."""
    asked = sum(turn.questions for turn in turns[:planned])
    if asked > planned:
        return "qa_format_error"
    return "early_stop" if asked < planned else "clean"


def cut_turns(interview: Interview, turns: int) -> Interview:
    """The interview as it would have been with fewer turns: no reply knows how many there are."""
    if len(interview.turns) < turns:
        return interview
    first = interview.turns[:turns]
    return interview.model_copy(update={"turns": first, "ended": "", "failed": ""})


def _without_labels(text: str) -> str:
    """A text in which no label is read: people write "One more question: …"."""
    for label in (_QUESTION, _OPTIONS, _PATIENTS_PART):
        text = label.sub(lambda found: f"{found[0][:-1]},", text)
    return text


def _options(text: str) -> tuple[str, ...]:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        line = lines[0]
        marked = max(_NUMBERED.split(line), _BULLETED.split(line), key=len)
        lines = marked if len(marked) > 2 else _SEPARATORS.split(line)
    found = (_plain(_BULLET.sub("", line)) for line in lines)
    return tuple(dict.fromkeys(one for one in found if one))


def _plain(text: str) -> str:
    return " ".join(text.split()).strip("*_[] ,;")
