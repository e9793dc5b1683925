"""Arguments of the command line; what isn't given is left to the settings."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from flows.cli_models import add_endpoint, add_estimate, add_evaluated, add_provider
from flows.cli_preconsult import add_preconsult
from flows.rubric_cli import add_rubric_evaluation, add_rubric_generation

if TYPE_CHECKING:
    # argparse has no public name for what add_subparsers returns.
    Commands = argparse._SubParsersAction["_Parser"]  # pyright: ignore[reportPrivateUsage]

UNTIL = ("bundles", "dialogues", "questions")
EVALUATION_UNTIL = ("answers", "judgments", "scores")
STRATEGIES = (
    "full-context",
    "bm25",
    "dense",
    "bm25-turns",
    "dense-turns",
    "mem0",
    "mem0-star",
    "mem-alpha",
)


class WrongUse(Exception):
    """Arguments that can't be understood; the message says which and how."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage and leaving."""
        raise WrongUse(f"{message} (see `{self.prog} --help`)")


def parse(argv: list[str] | None) -> argparse.Namespace:
    """The arguments; raises WrongUse, and SystemExit after printing help."""
    parser = _Parser(
        prog="anamnesis",
        description="Turns a MIMIC-IV checkout into a benchmark of long doctor-patient dialogues "
        "with evidence-cited questions.",
        epilog="Exit codes: 0 done; 1 finished, but a gate or items failed; 2 wrong use or bad "
        "input; 3 provider unavailable, run again to resume.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=_Parser
    )
    _add_demo(commands)
    _add_sample(commands)
    _add_build(commands)
    _add_evaluate(commands)
    _add_rubrics(commands)
    add_preconsult(_add(commands, "preconsult", "Evaluate how well doctors take a history."))
    _add_verify(commands)
    _add_audit(commands)
    _add_trace(commands)
    _add_clean(commands)
    _add_server(commands)
    return parser.parse_args(argv)


def _add(commands: Commands, name: str, text: str) -> _Parser:
    return commands.add_parser(name, help=text, description=text, allow_abbrev=False)


def _add_demo(commands: Commands) -> None:
    demo = _add(commands, "demo", "Build and verify a small benchmark from synthetic data.")
    demo.add_argument(
        "--out", type=Path, default=Path("out/demo"), help="output folder (default: %(default)s)"
    )


def _add_sample(commands: Commands) -> None:
    sample = _add(commands, "sample", "Write MIMIC-shaped synthetic data.")
    sample.add_argument("--out", type=Path, required=True, help="folder that gets hosp/ and note/")
    sample.add_argument("--patients", type=int, metavar="N", help="patients (default: 100)")
    sample.add_argument("--seed", type=int, default=0, metavar="S", help="seed (default: 0)")
    sample.add_argument(
        "--quirks", action="store_true", default=None, help="add the real data's oddities"
    )
    sample.add_argument(
        "--scale", type=float, metavar="X", help="factor on the admissions a patient (default: 1)"
    )
    sample.add_argument(
        "--notes-for",
        type=Path,
        metavar="MIMIC_DIR",
        help="write only note/, for the hosp/ of this folder",
    )


def _add_build(commands: Commands) -> None:
    build = _add(commands, "build", "Build a benchmark: bundles, dialogues, questions, release.")
    build.add_argument("--mimic", type=Path, metavar="DIR", help="folder that holds hosp/")
    build.add_argument(
        "--note",
        type=Path,
        metavar="DIR",
        help="folder that holds discharge.csv[.gz] and radiology.csv[.gz] (default: MIMIC/note)",
    )
    build.add_argument(
        "--out", type=Path, metavar="DIR", help="folder that gets release/, cache/ and report/"
    )
    build.add_argument(
        "--patients", type=int, metavar="N", help="most patients, by rank (default: 100)"
    )
    build.add_argument(
        "--subject-id", action="append", metavar="ID", help="a patient asked for; may be repeated"
    )
    build.add_argument(
        "--concurrency",
        type=int,
        metavar="N",
        help="admissions worked on at once (default: cores; 16 with openai)",
    )
    build.add_argument(
        "--until", choices=UNTIL, help="last stage; bundles prints what would be built"
    )
    _add_model(build)


def _add_model(build: _Parser) -> None:
    """Options of the language model that writes."""
    add = build.add_argument_group("language model").add_argument
    add_provider(add, "who writes the text")
    add("--model", metavar="M", help="name of the model")
    add_endpoint(add, temperature="0.7", output_tokens="16384")
    add("--turn-range", metavar="A-B", help="turns of every dialogue (default: by length of stay)")
    add_estimate(add)


def _add_evaluate(commands: Commands) -> None:
    evaluate = _add(
        commands, "evaluate", "Evaluate models on a release: answers, judgments, scores, report."
    )
    add = evaluate.add_argument
    add("--release", type=Path, metavar="DIR", help="release folder: ours, or a published one")
    add("--out", type=Path, metavar="DIR", help="folder that gets scores, report and cache/")
    add(
        "--strategy",
        action="extend",
        nargs="+",
        metavar="S",
        help=f"how a timeline is shown: {', '.join(STRATEGIES)}, or all (default: full-context)",
    )
    add("--concurrency", type=int, metavar="N", help="requests at once (default: cores, or 16)")
    add("--until", choices=EVALUATION_UNTIL, help="last stage")
    add_evaluated(evaluate)


def _add_rubrics(commands: Commands) -> None:
    rubrics = _add(commands, "rubrics", "Rubrics for medical answers: generated and measured.")
    actions = rubrics.add_subparsers(
        dest="action", required=True, metavar="ACTION", parser_class=_Parser
    )
    add_rubric_generation(_add(actions, "generate", "Generate a rubric for every query."))
    add_rubric_evaluation(
        _add(actions, "evaluate", "Measure rubrics: coverage, discrimination, refinement.")
    )


def _add_verify(commands: Commands) -> None:
    verify = _add(commands, "verify", "Check a release again and say what is wrong and where.")
    verify.add_argument("release", type=Path, metavar="RELEASE", help="release folder")


def _add_audit(commands: Commands) -> None:
    audit = _add(
        commands, "audit", "Audit any release: grounding, support, wording, variety, and more."
    )
    audit.add_argument("release", type=Path, metavar="RELEASE", help="release folder")
    audit.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder that gets audit.html, audit.json and audit_findings.jsonl, which holds words "
        "of turns (default: report/ and cache/ of the build, where there is one)",
    )


def _add_trace(commands: Commands) -> None:
    trace = _add(commands, "trace", "Follow an answer back: question, cited turns, record.")
    trace.add_argument("release", type=Path, metavar="RELEASE", help="release folder")
    trace.add_argument("qa_id", metavar="QA_ID", help="the question's id")


def _add_clean(commands: Commands) -> None:
    clean = _add(commands, "clean", "Remove from a cache what the last finished build didn't use.")
    clean.add_argument("--out", type=Path, metavar="DIR", required=True, help="output folder")
    clean.add_argument("--all", action="store_true", help="remove the whole cache")
    clean.add_argument("--dry-run", action="store_true", help="only say what would be removed")


def _add_server(commands: Commands) -> None:
    server = _add(commands, "server", "The background Prefect server, its deployments and worker.")
    actions = server.add_subparsers(
        dest="action", required=True, metavar="ACTION", parser_class=_Parser
    )
    _add(actions, "start", "Start the server of this Prefect home, or find it running.")
    _add(actions, "status", "Say whether the server runs, and where.")
    _add(actions, "stop", "Stop the server.")
    _add(actions, "deploy", "Register the deployments of prefect.yaml (from a checkout).")
    _add(actions, "worker", "Run deployments on this machine until stopped.")
    prune = _add(actions, "prune", "Delete the history of runs that ended long ago.")
    prune.add_argument(
        "--older-than-days", type=int, required=True, metavar="N", help="runs that ended before"
    )
    prune.add_argument("--dry-run", action="store_true", help="only say what would be deleted")
