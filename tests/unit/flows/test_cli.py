from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from flows import cli, cli_commands
from flows.cli_models import PROVIDERS
from flows.cli_parser import UNTIL
from flows.model_settings import Provider
from flows.settings import Until
from tasks.contracts.errors import GateFailed, ProviderUnavailable, SettingError
from tests.factories.runs import gate_result

HEAVY = "prefect great_expectations polars duckdb pandas matplotlib pydantic rich"


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def command(*_: object) -> int:
        raise error

    monkeypatch.setattr(cli_commands, "build", command)


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from flows.cli import main; code = main(['--help']); "
        f"print([name for name in {HEAVY.split()!r} if name in sys.modules]); sys.exit(code)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0
    assert ended.stdout.startswith("usage: anamnesis ")
    assert ended.stdout.endswith("[]\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: COMMAND (see `anamnesis --help`)"),
        (["bake"], "argument COMMAND: invalid choice: 'bake'"),
        (["build", "--bogus"], "unrecognized arguments: --bogus"),
        (["build", "--patients", "x"], "argument --patients: invalid int value: 'x'"),
        (["build", "--provider", "gpt"], "argument --provider: invalid choice: 'gpt'"),
        (["build", "--until", "release"], "argument --until: invalid choice: 'release'"),
        (["sample"], "the following arguments are required: --out (see `anamnesis sample --help`)"),
        (["verify"], "the following arguments are required: RELEASE"),
        (["server"], "the following arguments are required: ACTION"),
        (["build", "--pat", "3"], "unrecognized arguments: --pat 3"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.startswith(f"error: {message}")
    assert written.err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SettingError("no such folder"), 2),
        (GateFailed("no such folder", gate_result("dialogues", success=False)), 1),
        (ProviderUnavailable("no such folder"), 3),
    ],
)
def test_known_error_is_one_line_and_its_exit_code(
    error: Exception,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fail_with(monkeypatch, error)
    assert cli.main(["build"]) == code
    assert capsys.readouterr().err == "error: no such folder\n"


def test_message_of_several_lines_becomes_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, SettingError("first\n  second"))
    assert cli.main(["build"]) == 2
    assert capsys.readouterr().err == "error: first second\n"


def test_interrupt_says_that_the_run_resumes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, KeyboardInterrupt())
    assert cli.main(["build"]) == 130
    assert capsys.readouterr().err == (
        "error: interrupted; finished work is kept, the same command resumes\n"
    )


def test_unexpected_error_goes_to_a_private_file_and_not_to_the_screen(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    fail_with(monkeypatch, KeyError("words of a patient"))
    assert cli.main(["build"]) == 1
    (log,) = tmp_path.glob("anamnesis-error-*.log")
    assert capsys.readouterr().err == f"error: unexpected KeyError; the details are in {log}\n"
    assert log.stat().st_mode & 0o077 == 0
    assert "KeyError" in log.read_text()
    assert "words of a patient" not in log.read_text()


def test_notes_for_refuses_options_of_a_whole_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["sample", "--notes-for", str(tmp_path), "--out", str(tmp_path), "--scale", "2"]
    assert cli.main(arguments) == 2
    assert capsys.readouterr().err.startswith("error: --scale can't be combined with --notes-for")


def test_build_without_inputs_names_the_setting(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["build", "--out", "somewhere"]) == 2
    assert capsys.readouterr().err == (
        "error: mimic is not set: give the folder that holds MIMIC-IV's hosp/ as --mimic, as the "
        "deployment parameter 'mimic', or in ANAMNESIS_MIMIC\n"
    )
    assert not Path("somewhere").exists()


def test_build_with_a_missing_folder_writes_nothing_and_starts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert cli.main(["build", "--mimic", str(tmp_path / "nowhere"), "--out", str(out)]) == 2
    assert "nowhere: expected a folder that holds hosp/, found nothing" in capsys.readouterr().err
    assert not out.exists()


def test_verify_of_something_else_than_a_folder_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", str(tmp_path / "nothing")]) == 2
    assert "nothing: it is not a folder" in capsys.readouterr().err


def test_choices_of_the_command_line_are_those_of_the_settings() -> None:
    assert get_args(Provider) == PROVIDERS
    assert get_args(Until) == UNTIL
