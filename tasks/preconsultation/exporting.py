"""Clean interviews as chat messages for fine-tuning, apart from the profiles of an evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from tasks.adapters.recipe import digest
from tasks.contracts.errors import SettingError
from tasks.contracts.preconsultation import Interview, Language, PatientProfile
from tasks.preconsultation.form import asked_words, form_status
from tasks.preconsultation.leaks import leaked_turns
from tasks.preconsultation.requests import doctor_request
from tasks.preconsultation.shapes import DoctorTask
from tasks.terminology.splitting import split_words

_NAMED = 3


def chat_lines(
    profiles: Iterable[PatientProfile],
    interviews: Iterable[Interview],
    language: Language,
    turns: int,
) -> Iterator[str]:
    """A JSON line of messages for each clean interview in which no answer names the disease.

    The doctor's questions are the assistant's messages. Patient text.
    """
    known = {one.pid: one for one in profiles}
    for interview in interviews:
        profile = known.get(interview.pid)
        if profile is None or interview.failed or leaked_turns(interview, profile):
            continue
        well_formed = all(turn.is_well_formed for turn in interview.turns)
        if well_formed and form_status(interview.turns, turns) == "clean":
            messages = list(_messages(interview, language))
            yield json.dumps({"messages": messages}, ensure_ascii=False) + "\n"


def refuse_shared(
    exported: Iterable[PatientProfile],
    evaluated: Iterable[PatientProfile],
    refused: Iterable[str] = (),
) -> None:
    """Raise SettingError where a profile is among the evaluated ones, by its pid or its content.

    ``refused`` are pids of the evaluated file's profiles that can't be read now: another run may.
    """
    others = list(evaluated)
    pids, contents = {*refused, *(one.pid for one in others)}, {_content(one) for one in others}
    shared = [one.pid for one in exported if one.pid in pids or _content(one) in contents]
    if shared:
        raise SettingError(
            f"{len(shared)} of the profiles to export are evaluated too, by their pid or their "
            f"content: {', '.join(shared[:_NAMED])}; interview other profiles for fine-tuning"
        )


def _messages(interview: Interview, language: Language) -> Iterator[dict[str, str]]:
    request = doctor_request(DoctorTask(language=language, basic=interview.basic, turns=()))
    yield {"role": "system", "content": request.system_message}
    yield {"role": "user", "content": request.task_message}
    for turn in interview.turns:
        yield {"role": "assistant", "content": asked_words(turn)}
        if turn.number < len(interview.turns):
            yield {"role": "user", "content": f"Answer: {turn.answer}"}


def _content(profile: PatientProfile) -> str:
    texts = sorted(_plain(one.text) for one in profile.statements)
    return digest([_plain(profile.basic.chief_complaint), *texts])


def _plain(text: str) -> str:
    """A text's words: blanks, case and punctuation make no other patient of it."""
    return " ".join(split_words(text))
