"""Options of `anamnesis preconsult`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli_models import add_endpoint, add_provider

if TYPE_CHECKING:
    from flows.preconsult_settings import PreconsultSettings

ACTIONS = ("run", "interview", "export")


def add_preconsult(preconsult: argparse.ArgumentParser) -> None:
    """The options of an evaluation, of a person's interview and of the export."""
    add = preconsult.add_argument
    add(
        "action",
        nargs="?",
        choices=ACTIONS,
        default="run",
        help="run evaluates; interview lets you ask; export writes chat messages (default: run)",
    )
    add("--profiles", type=Path, metavar="F", help="JSON file with patient profiles")
    add("--guidelines", type=Path, metavar="F", help="CSV file: disease, weight (h or m), symptom")
    add("--aliases", type=Path, metavar="F", help="CSV file: spelling, disease")
    add("--out", type=Path, metavar="DIR", help="folder that gets scores, report and cache/")
    add("--language", choices=("en", "ko"), help="of profiles and guidelines (default: en)")
    add("--turns", type=int, metavar="N", help="questions of an interview (default: 5)")
    add(
        "--cut-turns",
        action="extend",
        nargs="+",
        metavar="M",
        help="score the first M turns of the interviews instead; several make several rows",
    )
    add(
        "--human-sheet",
        type=Path,
        metavar="F",
        help="gets a dialogue a disease, chosen by --seed, for people to mark",
    )
    add(
        "--human-scores",
        type=Path,
        metavar="F",
        help="marked sheet, or CSV file: doctor, turns, pid, score",
    )
    add("--until", choices=("interviews", "facts", "matches"), help="last stage")
    add("--concurrency", type=int, metavar="N", help="requests at once (default: cores, or 16)")
    _add_models(preconsult)
    _add_people(preconsult)


def _add_models(preconsult: argparse.ArgumentParser) -> None:
    """Who plays the roles, and how models are asked."""
    add = preconsult.add_argument_group("language models").add_argument
    add_provider(add, "who plays every role but the doctor's")
    add("--model", metavar="M", help="name of that model")
    add(
        "--doctor-model",
        action="extend",
        nargs="+",
        metavar="M",
        help="models that interview (default: --model, or a fixed interview)",
    )
    add_endpoint(add, temperature="0", output_tokens="2048")
    add(
        "--doctor-base-url", metavar="URL", help="address of the doctors' API (default: --base-url)"
    )
    add("--doctor-server", metavar="S", help="what their server accepts (default: --server)")
    add("--doctor-model-family", metavar="F", help="parameters they take (default: --model-family)")
    add("--doctor-key-variable", metavar="NAME", help="holds their key (default: --key-variable)")


def _add_people(preconsult: argparse.ArgumentParser) -> None:
    """Options of a person's interview and of the export."""
    add = preconsult.add_argument_group("interview").add_argument
    add("--name", default="me", metavar="NAME", help="who asks (default: %(default)s)")
    add(
        "--pid",
        action="append",
        metavar="PID",
        help="a patient to ask; may be repeated (default: one of each disease, by --seed)",
    )
    add = preconsult.add_argument_group("export").add_argument
    add("--evaluated", type=Path, metavar="F", help="profiles that no exported one may be among")
    add("--file", type=Path, metavar="F", help="gets a JSON line of messages an interview")


def settings_of(given: argparse.Namespace) -> PreconsultSettings:
    """The settings that the options give."""
    from flows.preconsult_settings import PreconsultSettings, load_preconsult_settings

    names = PreconsultSettings.model_fields
    return load_preconsult_settings(
        **{name: getattr(given, name) for name in names if hasattr(given, name)}
    )
