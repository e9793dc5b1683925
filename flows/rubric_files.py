"""Files of generated rubrics: rubrics.jsonl for all, traces for people in the private cache."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from pydantic import Field

from tasks.adapters.files import (
    canonical_json,
    make_private,
    sha256_file,
    write_atomic,
    write_json,
)
from tasks.contracts.base import Contract
from tasks.contracts.build import DataClass, ManifestFile
from tasks.contracts.rubric_trace import Trace
from tasks.contracts.rubrics import VARIANTS, Role, Variant

MANIFEST = "manifest.json"
RUBRICS = "rubrics.jsonl"
TRACES = "traces"

_PRIVATE = 0o600


class RubricManifest(Contract):
    """``manifest.json`` beside the rubrics: where they come from, and every file of them."""

    generator: str = Field(description="Provider: programmatic or openai")
    generators: dict[Role, str] = Field(description="Model that played each role")
    data_class: DataClass = Field(description="Who may see the data")
    recipe: str = Field(description="Digest of rules, prompts and shapes")
    rubrics: dict[Variant, int] = Field(description="Rubrics by variant")
    files: dict[str, ManifestFile] = Field(description="Files of rubrics")


def manifest_file(path: Path) -> ManifestFile:
    """A file as a manifest names it."""
    return ManifestFile(sha256=sha256_file(path), bytes=path.stat().st_size)


def write_manifest(out: Path, manifest: RubricManifest) -> None:
    """Write the manifest beside the rubrics."""
    write_json(out / MANIFEST, manifest)


def rubrics_file(variant: Variant) -> str:
    """Name of a variant's file."""
    return f"rubrics.{variant}.jsonl"


def write_rubrics(path: Path, traces: Sequence[Trace]) -> None:
    """Write a line a query: id, variant, generator and criteria with what they rest on."""
    lines = "".join(json.dumps(_line(one), ensure_ascii=False) + "\n" for one in traces)
    write_atomic(path, lines.encode())


def write_traces(folder: Path, variant: Variant, traces: Sequence[Trace]) -> None:
    """Write a file a query with every intermediate, and take those of other queries away.

    Patient text: the owner's.
    """
    make_private(folder)
    make_private(folder / variant)
    names = {f"{one.query.query_id}.json": one for one in traces}
    for name, one in names.items():
        write_atomic(folder / variant / name, canonical_json(one), mode=_PRIVATE)
    for old in set((folder / variant).glob("*.json")) - {folder / variant / one for one in names}:
        old.unlink()


def remove_other_rubrics(out: Path, names: Collection[str]) -> None:
    """Take away what an earlier run with other variants left, which no manifest names now."""
    for variant in VARIANTS:
        if rubrics_file(variant) not in names:
            (out / rubrics_file(variant)).unlink(missing_ok=True)


def _line(trace: Trace) -> dict[str, object]:
    generators = list(dict.fromkeys(one.generator for one in trace.outputs)) or ["fixed"]
    return {
        "query_id": trace.query.query_id,
        "variant": trace.variant,
        "generator": ", ".join(generators),
        "rubrics": [one.model_dump(mode="json") for one in trace.criteria],
    }
