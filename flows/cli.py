"""Console script ``anamnesis``: parses, calls, prints."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from flows.cli_parser import WrongUse, parse
from flows.stopping import Stopped, stoppable

if TYPE_CHECKING:
    import argparse

WRONG_USE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the process's exit code."""
    try:
        given = parse(None if argv is None else list(argv))
    except WrongUse as error:
        return _fail(str(error), WRONG_USE)
    except SystemExit as end:
        return int(end.code or 0)
    return _run(given)


def _run(given: argparse.Namespace) -> int:
    from tasks.adapters.failures import keep_traceback
    from tasks.contracts.errors import AnamnesisError

    if not sys.warnoptions:
        # Libraries' advice to programmers; python -W brings it back.
        warnings.simplefilter("ignore")
    try:
        with stoppable():
            return _call(given)
    except AnamnesisError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt as error:
        end = error if isinstance(error, Stopped) else Stopped(signal.SIGINT)
        resumes = given.command in ("build", "demo", "evaluate", "rubrics", "preconsult")
        hint = "; finished work is kept, the same command resumes" if resumes else ""
        return _fail(f"{end}{hint}", end.exit_code)
    except BrokenPipeError:
        # Nobody reads the output any more (`anamnesis … | head`); keep the exit quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - the last resort of a command line
        log = keep_traceback()
        return _fail(f"unexpected {type(error).__name__}; the details are in {log}", 1)


def _call(given: argparse.Namespace) -> int:
    from flows import cli_commands
    from flows.cli_output import Output

    command = getattr(cli_commands, given.command)
    return command(given, Output(), Output(stderr=True))


def _fail(message: str, code: int) -> int:
    sys.stderr.write(f"error: {' '.join(message.split())}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
