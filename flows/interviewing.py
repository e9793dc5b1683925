"""Interviews by a person at the terminal, and the export of interviews for fine-tuning."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from flows.cli_output import print_places
from flows.preconsult_access import open_roles, profiles_data_class, refuse_unusable_models
from flows.preconsult_files import INTERVIEWS, read_interviews
from flows.preconsult_human import (
    add_interview,
    earlier_interviews,
    human_file,
    interview_by_hand,
    one_of_each_disease,
)
from flows.preconsult_reading import read_inputs
from flows.preconsult_settings import PreconsultSettings
from tasks.adapters.files import write_atomic, write_json
from tasks.adapters.models import WorkItem, open_model
from tasks.adapters.run_lock import output_lock, unusable_output
from tasks.adapters.workspace import Workspace
from tasks.contracts.errors import SettingError
from tasks.contracts.preconsultation import Interview, PatientProfile
from tasks.preconsultation.exporting import chat_lines, refuse_shared
from tasks.preconsultation.interviewing import answer_by
from tasks.preconsultation.reading import read_aliases, read_profiles
from tasks.preconsultation.roles import PATIENT
from tasks.preconsultation.rules import RULES

_PRIVATE = 0o600


def interview_patients(
    settings: PreconsultSettings, name: str, pids: Sequence[str] | None, out: Console
) -> int:
    """Let a person interview patients, one after another; each is kept when it ends.

    The patients are those asked for, else one of each disease by the seed, without those done.
    Where the input ends, so do the interviews; the one that is under way isn't kept, and none in
    which nothing was asked or the patient gave no answer. Raises SettingError where nobody is left.
    """
    workspace = Workspace(out=os.path.realpath(settings.preconsult_paths().out))
    path = human_file(workspace, name, settings.language)
    read, _ = read_inputs(settings)
    before = earlier_interviews(path, settings.turns)
    done = [one.pid for one in before.interviews] if before else []
    patients = _chosen(read.profiles, pids) or one_of_each_disease(
        read.profiles, settings.seed, done
    )
    if not patients:
        raise SettingError(
            f"pid: {name} has interviewed a patient of each disease, {len(done)} in all, which the "
            "next evaluation takes up; name patients as --pid, or give another --seed or --name"
        )
    _prepare(settings, workspace)
    with open_roles(settings, workspace):
        for number, profile in enumerate(patients, 1):
            _say(f"Patient {number} of {len(patients)}", out)
            try:
                held = _interviewed(settings, profile, out)
            except EOFError:
                out.print("")
                _say(f"The input ended: the interview of {profile.pid} isn't kept.", out)
                break
            if unusable := held.failed or ("" if held.turns else "nothing was asked"):
                # It would stand among the failed ones though the person can hold it again.
                _say(f"{unusable}: the interview of {profile.pid} isn't kept.", out)
                continue
            with _holding(settings, workspace):
                add_interview(path, name, settings.language, settings.turns, held)
    _print_kept(path, settings.turns, out)
    return 0


def _print_kept(path: Path, turns: int, out: Console) -> None:
    kept = earlier_interviews(path, turns)
    number = len(kept.interviews) if kept else 0
    print_places(out, [("interviews kept", str(number)), *([("interviews", path)] if kept else [])])


def _prepare(settings: PreconsultSettings, workspace: Workspace) -> None:
    """Make the output folder; what can't be used is refused before a person asks.

    Raises SettingError, before anything is written, where profiles may not go to a model.
    """
    refuse_unusable_models(settings, profiles_data_class(settings))
    try:
        workspace.refuse_foreign()
        workspace.refuse_unusable()
        with _holding(settings, workspace):
            workspace.prepare()
    except OSError as error:
        raise unusable_output(Path(workspace.out), error) from None


@contextmanager
def _holding(settings: PreconsultSettings, workspace: Workspace) -> Generator[None]:
    """Hold the output folder."""
    out = Path(workspace.out)
    with output_lock(out, wait_seconds=settings.lock_wait_seconds) as killed:
        yield
    if killed is not None:
        # The next run still has to mark the killed one's history.
        write_json(out / ".run.json", killed)


def _interviewed(settings: PreconsultSettings, profile: PatientProfile, out: Console) -> Interview:
    work = WorkItem(stage="interviews", subject_id=profile.pid, item=PATIENT)
    patient = open_model(settings.role_spec(), RULES, work)
    return interview_by_hand(
        profile,
        settings.language,
        answer_by(profile, settings.language, patient),
        settings.turns,
        lambda asked: _read_line(asked, out),
        lambda text: _say(text, out),
    )


def _say(text: str, out: Console) -> None:
    """A line as it is: pids in colour look like something to act on."""
    out.print(text, markup=False, highlight=False)


def _read_line(asked: str, out: Console) -> str:
    # polars takes a Ctrl-C in a way that lets the terminal wait on.
    signal.siginterrupt(signal.SIGINT, True)
    try:
        out.print(asked, end="", markup=False, highlight=False)
        typed = out.input()
    except KeyboardInterrupt:
        # What is said next shouldn't stand behind the prompt.
        out.print()
        raise
    # Bytes that aren't UTF-8 come as halves of letters, which no file takes.
    return typed.encode(errors="replace").decode()


def export_interviews(
    settings: PreconsultSettings, evaluated: Path | None, file: Path | None, out: Console
) -> int:
    """Write the clean interviews of an output's doctors as chat messages."""
    if evaluated is None or file is None:
        raise SettingError(
            "export needs --evaluated, the profiles that models are evaluated on, and --file"
        )
    paths = settings.preconsult_paths()
    read, guidelines = read_inputs(settings)
    aliases = None if settings.aliases is None else read_aliases(settings.aliases)
    others = read_profiles(evaluated, settings.language, guidelines, aliases)
    refuse_shared(read.profiles, others.profiles, [one.pid for one in others.refused])
    folder = Workspace(out=str(paths.out)).cache / INTERVIEWS / settings.language
    interviews = read_interviews(folder)
    if not interviews:
        raise SettingError(f"{folder} holds no interviews: run `anamnesis preconsult` first")
    lines = list(chat_lines(read.profiles, interviews, settings.language, settings.turns))
    if not lines:
        raise SettingError(
            f"{folder} holds no clean interview of {settings.turns} turns of these profiles: give "
            "the profiles and the --turns of its run"
        )
    try:
        write_atomic(file, "".join(lines).encode(), mode=_PRIVATE)
    except OSError as error:
        raise SettingError(
            f"file: {file} can't be written ({error.strerror}): give another file as --file"
        ) from None
    print_places(out, [("interviews exported", str(len(lines))), ("messages", file)])
    return 0


def _chosen(profiles: Sequence[PatientProfile], pids: Sequence[str] | None) -> list[PatientProfile]:
    known = {one.pid: one for one in profiles}
    unknown = [pid for pid in pids or () if pid not in known]
    if unknown:
        raise SettingError(f"pid: {unknown[0]} is none of the profiles that can be used")
    return [known[pid] for pid in pids or ()]
