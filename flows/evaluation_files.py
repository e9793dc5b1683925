"""Files of an evaluation: which scores stay, leaderboard.csv, answers for people in the cache."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tasks.adapters.files import make_private, sha256_bytes, write_atomic
from tasks.contracts.evaluation import (
    BenchmarkPatient,
    Estimated,
    ItemScore,
    JudgmentSet,
    PredictionSet,
    SystemScores,
)
from tasks.scoring.columns import RECIPES
from tasks.scoring.summary import SystemUsage

LEADERBOARD = "leaderboard.csv"
PREDICTIONS = "predictions"

_DIGITS = 6
_PRIVATE = 0o600
_ODD = re.compile(r"[^A-Za-z0-9.+_-]+")


def with_scores(earlier: Iterable[ItemScore], new: Sequence[ItemScore]) -> tuple[ItemScore, ...]:
    """The new lines, and earlier ones of other systems, judges and releases, in a fixed order."""
    replaced = {(one.release, one.system, one.judge) for one in new}
    kept = [one for one in earlier if (one.release, one.system, one.judge) not in replaced]
    return tuple(
        sorted(
            [*kept, *new],
            key=lambda one: (one.release, one.system, one.judge, one.subject_id, one.qa_id),
        )
    )


def read_leaderboard(out: Path) -> list[dict[str, str]]:
    """The rows of earlier runs; none where there is no file or not one of ours."""
    try:
        with (out / LEADERBOARD).open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, ValueError, csv.Error):
        return []
    return [row for row in rows if row.get("release") and row.get("system")]


def newest_rows(out: Path) -> list[dict[str, str]]:
    """The rows of the release that was evaluated last, which stand at the end."""
    rows = read_leaderboard(out)
    return [row for row in rows if row["release"] == rows[-1]["release"]]


def write_leaderboard(
    out: Path, release: str, systems: Sequence[SystemScores], earlier: Sequence[dict[str, str]]
) -> None:
    """Write a row a system: this release's best first, after those of other releases."""
    rows = [_row(release, one) for one in systems]
    names = list(rows[0]) if rows else []
    others = [one for one in earlier if one["release"] != release]
    stream = io.StringIO()
    writer = csv.DictWriter(
        stream, fieldnames=names, restval="", extrasaction="ignore", lineterminator="\n"
    )
    writer.writeheader()
    writer.writerows([*sorted(others, key=lambda one: one["release"]), *rows])
    write_atomic(out / LEADERBOARD, stream.getvalue().encode())


def earlier_usage(earlier: Sequence[dict[str, str]], release: str) -> dict[str, SystemUsage]:
    """What the systems of earlier runs took on this release, by system.

    A number that somebody made unreadable counts as not stated.
    """
    return {
        row["system"]: SystemUsage(
            requests=_whole(row.get("requests")),
            input_tokens=_whole(row.get("input_tokens")),
            output_tokens=_whole(row.get("output_tokens")),
            usd=_dollars(row.get("usd")),
        )
        for row in earlier
        if row["release"] == release
    }


def file_name(system: str) -> str:
    """A system's name as the name of a file; systems that differ have different files."""
    plain = _ODD.sub("_", system).lstrip(".")
    is_plain = system.count("/") <= 1 and system.replace("/", "_") == plain
    return plain if is_plain else f"{plain}.{_short_digest(system)}"


def write_predictions(
    folder: Path,
    system: str,
    answered: Iterable[tuple[BenchmarkPatient, PredictionSet, JudgmentSet | None]],
) -> None:
    """Write a system's answers beside questions and gold answers. Patient text: the owner's."""
    make_private(folder)
    lines = "".join(line for one in answered for line in _lines(*one))
    write_atomic(folder / f"{file_name(system)}.jsonl", lines.encode(), mode=_PRIVATE)


def _lines(
    patient: BenchmarkPatient, predicted: PredictionSet, judged: JudgmentSet | None
) -> Iterator[str]:
    answers = {one.qa_id: one for one in predicted.predictions}
    verdicts = {one.qa_id: one.outcome for one in judged.judgments} if judged else {}
    for question in patient.questions:
        one = answers[question.qa_id]
        line = {
            "subject_id": patient.subject_id,
            "qa_id": question.qa_id,
            "question_type": question.question_type,
            "question": question.question,
            "gold": question.answer,
            "outcome": one.outcome,
            "answer": one.answer,
            "judged": verdicts.get(question.qa_id),
            "reason": one.reason,
            "truncated": one.truncated,
            "shown_turns": one.shown_turns,
            "all_turns": one.all_turns,
            "prompt_tokens": one.prompt_tokens,
        }
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _row(release: str, one: SystemScores) -> dict[str, str]:
    every = one.overall
    row: dict[str, object] = {
        "release": release,
        "system": one.system,
        "model": one.model,
        "strategy": one.strategy,
        "judge": one.judge,
        **{f"recipe_{recipe}": one.recipes.get(recipe, "") for recipe in RECIPES},
        "valid": "yes" if one.valid else "no",
        **one.counts.model_dump(),
        "patients": every.score["medlocomo"].patients,
    }
    for recipe in RECIPES:
        row |= _cells(f"f1_{recipe}", every.f1[recipe])
    row |= _cells("j", every.judge)
    for recipe in RECIPES:
        row |= _cells(f"acc_{recipe}", every.abstention[recipe])
    for recipe in RECIPES:
        row |= _cells(f"score_{recipe}", every.score[recipe])
    row |= {
        "requests": one.requests,
        "input_tokens": one.input_tokens,
        "output_tokens": one.output_tokens,
        "usd": _number(one.usd),
    }
    return {name: str(value) for name, value in row.items()}


def _cells(name: str, found: Estimated) -> dict[str, str]:
    return {
        name: _number(found.mean),
        f"{name}_lower": _number(found.lower),
        f"{name}_upper": _number(found.upper),
        f"{name}_n": f"{found.n}",
    }


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")


def _whole(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def _dollars(text: str | None) -> float | None:
    try:
        usd = float(text or "nan")
    except ValueError:
        return None
    return usd if math.isfinite(usd) else None


def _short_digest(text: str) -> str:
    return sha256_bytes(text.encode("utf-8"))[:8]
