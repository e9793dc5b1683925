"""Interviews by people: kept beside models' replies, evaluated like those of any doctor."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from flows.preconsult_reading import Chunk, Patients, stored_chunk
from flows.preconsult_run import PreconsultRun
from tasks.adapters.files import make_private, read_model, write_atomic
from tasks.adapters.recipe import step_key
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, SkippedItem
from tasks.contracts.errors import SettingError
from tasks.contracts.preconsultation import Interview, InterviewSet, Language, PatientProfile, Turn
from tasks.preconsultation.form import write_question
from tasks.preconsultation.interviewing import Answerer, hold_interview, shown_basic
from tasks.preconsultation.requests import basic_lines
from tasks.preconsultation.roles import HUMAN

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_PRIVATE = 0o600
_OTHER_PATIENT = "held with another patient, whose profile had this pid"

Read = Callable[[str], str]
Say = Callable[[str], None]


def human_file(workspace: Workspace, name: str, language: Language) -> Path:
    """Where a person's interviews lie; raises SettingError for a name that can't be a file's."""
    if not _NAME.fullmatch(name):
        raise SettingError(f"name: {name!r} can't be used; take letters, digits, dots and dashes")
    return workspace.replies / "human" / f"{name}.{language}.json"


def read_human(path: Path) -> InterviewSet | None:
    """A person's interviews so far; raises SettingError for a file that can't be read."""
    if not path.exists():
        return None
    try:
        return read_model(path, InterviewSet)
    except (OSError, ValidationError):
        raise SettingError(f"{path} holds no interviews: move it away") from None


def one_of_each_disease(
    profiles: Sequence[PatientProfile], seed: int, done: Sequence[str]
) -> list[PatientProfile]:
    """A seeded profile of every disease, without those that were interviewed."""
    chosen: dict[str, PatientProfile] = {}
    order = random.Random(seed).sample(list(profiles), len(profiles))
    for one in order:
        chosen.setdefault(one.disease, one)
    return [one for _, one in sorted(chosen.items()) if one.pid not in done]


def interview_by_hand(
    profile: PatientProfile, language: Language, answer: Answerer, turns: int, read: Read, say: Say
) -> Interview:
    """Let a person at the terminal ask; an empty question ends the interview."""
    say(basic_lines(shown_basic(profile, language), language))

    def ask(earlier: tuple[Turn, ...]) -> str:
        if earlier:
            say(f"Patient: {earlier[-1].answer}")
        question = read(f"Question {len(earlier) + 1} (empty to end): ").strip()
        if not question:
            return ""
        options = [one.strip() for one in read("Options, divided by semicolons: ").split(";")]
        return write_question(question, [one for one in options if one])

    held = hold_interview(profile, language, ask, answer, turns)
    if len(held.turns) == turns:
        say(f"Patient: {held.turns[-1].answer}")
    return held


def earlier_interviews(path: Path, turns: int) -> InterviewSet | None:
    """A person's interviews so far; raises SettingError for those of another number of turns."""
    before = read_human(path)
    if before is not None and before.turns != turns:
        raise SettingError(
            f"{path} holds interviews of {before.turns} turns, not {turns}: give --turns "
            f"{before.turns}, or another --name"
        )
    return before


def add_interview(path: Path, name: str, language: Language, turns: int, held: Interview) -> None:
    """Keep a person's interview with the earlier ones; one of the same patient is replaced."""
    before = earlier_interviews(path, turns)
    kept = [one for one in before.interviews if one.pid != held.pid] if before else []
    found = InterviewSet(
        doctor=f"{HUMAN}{name}", language=language, turns=turns, interviews=(*kept, held)
    )
    make_private(path.parent)
    write_atomic(path, found.model_dump_json().encode(), mode=_PRIVATE)


def human_interviews(
    run: PreconsultRun, patients: Patients
) -> Iterator[tuple[str, Chunk, ArtifactRef, int]]:
    """The interviews of every person, of profiles of this run: doctor, profiles, interviews, turns.

    Those of fewer turns than the fewest that are scored are listed as skipped, and those of another
    patient who had the pid before.
    """
    known = {one.pid: one for one in patients.read.profiles}
    for path in sorted((run.workspace.replies / "human").glob("*.json")):
        held = read_human(path)
        if held is None or held.language != run.settings.language:
            continue
        theirs = [one for one in held.interviews if one.pid in known]
        interviews = tuple(one for one in theirs if _is_of(known[one.pid], one, held.language))
        run.set_aside(
            _skipped(held, _OTHER_PATIENT, one.pid) for one in theirs if one not in interviews
        )
        if not interviews:
            continue
        if held.turns < run.settings.scored_turns[0]:
            reason = f"held for {held.turns} turns, which --cut-turns {held.turns} would score"
            run.set_aside([_skipped(held, reason)])
            continue
        chunk = stored_chunk(run, [known[one.pid] for one in interviews], patients.guidelines)
        mine = held.model_copy(update={"interviews": interviews})
        key = step_key("interviews", chunk.name, [mine.model_dump_json()])
        run.used.add(key)
        yield held.doctor, chunk, run.workspace.store(key, mine, subject_id=chunk.name), held.turns


def _is_of(profile: PatientProfile, held: Interview, language: Language) -> bool:
    """Whether a person was told of this patient, not of an earlier one with this pid."""
    return held.basic == shown_basic(profile, language)


def _skipped(held: InterviewSet, reason: str, pid: str = "") -> SkippedItem:
    return SkippedItem(
        id=f"{held.doctor} {pid}".strip(),
        subject_id=pid or held.doctor,
        stage="interviews",
        outcome="skipped",
        reason=reason,
    )
